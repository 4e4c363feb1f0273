// An operation's complete declaration. Only server files may import this, because browser builds leave out
// part of it.
import type { Endpoint, ServerSide } from './endpoint.ts'

/** An operation, including the parts that only the server reads. */
export type Declaration<E extends Endpoint = Endpoint> = E & ServerSide

/** All parts of an operation's declaration. */
export const declarationOf = <E extends Endpoint>(endpoint: E) => endpoint as Declaration<E>
