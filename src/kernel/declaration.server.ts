// An operation's complete declaration. Only server files may import this, because browser builds leave part
// of it out.
import type { Endpoint, ServerSide } from './endpoint.ts'

/** An operation including the parts that only the server reads. */
export type Declaration<E extends Endpoint = Endpoint> = E & ServerSide

/** Everything an operation declares. */
export const declarationOf = <E extends Endpoint>(endpoint: E) => endpoint as Declaration<E>
