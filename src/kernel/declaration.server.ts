// Gives access to an operation's complete declaration. Only server files may import this, because browser
// builds leave parts of it out.
import type { Endpoint, ServerSide } from './endpoint.ts'

/** An operation, including the parts that only the server reads. */
export type Declaration<E extends Endpoint = Endpoint> = E & ServerSide

/** Returns an operation with its complete declaration. */
export const declarationOf = <E extends Endpoint>(endpoint: E) => endpoint as Declaration<E>
