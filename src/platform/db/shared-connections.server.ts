// Connections that several single-statement reads use at the same time. Each statement is sent without
// waiting for the previous one's result, so a few connections keep PostgreSQL busy. Each of PostgreSQL's
// processes has its own plans and catalog entries, and with fewer of them, more of that stays in the processor's
// caches (docs/decisions/0022-reads-in-one-statement.md).
import type pg from 'pg'
import { isOutdated } from './prepared.server.ts'

/** A connection while it's in use. */
interface Shared {
  client: Promise<pg.PoolClient>
  /** How many statements haven't been answered yet. */
  unanswered: number
  discard: (reason: Error) => void
  /** Why the connection can't be used anymore. */
  broken?: Error
}

/**
 * Sends single statements, each of which is its own transaction. Returns a connection to its pool once nobody is using it.
 * Throws what the statement or connecting throws.
 * @param connect borrows a connection from a pool
 * @param most how many connections to borrow at most
 */
export function shareConnections(
  connect: () => Promise<pg.PoolClient>,
  most: number,
): (query: pg.QueryConfig) => Promise<pg.QueryResult> {
  const inUse = new Set<Shared>()

  function open(): Shared {
    const discard = (reason: Error) => {
      shared.broken ??= reason
      inUse.delete(shared)
    }
    const client = connect().then((connected) => connected.on('error', discard))
    const shared: Shared = { client, unanswered: 0, discard }
    inUse.add(shared)
    return shared
  }

  async function giveBack(shared: Shared): Promise<void> {
    inUse.delete(shared)
    const client = await shared.client
    client.removeListener('error', shared.discard)
    client.release(shared.broken)
  }

  return async (query) => {
    const shared = inUse.size < most ? open() : leastBusy(inUse)
    shared.unanswered += 1
    const client = await shared.client.catch((error: Error) => {
      shared.discard(error)
      throw error
    })
    try {
      return await client.query(query)
    } catch (error) {
      // On a new connection, the statement will be prepared again.
      if (error instanceof Error && isOutdated(error)) shared.discard(error)
      throw error
    } finally {
      shared.unanswered -= 1
      if (shared.unanswered === 0) await giveBack(shared)
    }
  }
}

function leastBusy(all: ReadonlySet<Shared>): Shared {
  return [...all].reduce((best, one) => (one.unanswered < best.unanswered ? one : best))
}
