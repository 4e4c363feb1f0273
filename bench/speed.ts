// Compares the most common requests with the hand-written server (bench/bare.ts), alternating between the
// two. Measures requests per second with 1 and 16 clients, and CPU time per request (server plus PostgreSQL).
// Only ratios within the same run mean anything.
import { median, runFor } from './load.ts'
import { MS_PER_TICK, ticksOf, treeTicks } from './processor.ts'

/** How many parallel clients to test with. */
const CLIENTS = [1, 16]

export interface Operation {
  name: string
  work: (client: number) => Promise<void>
  /** PIDs of the servers. Their CPU time is added to PostgreSQL's. */
  pids: number[]
  /** The operations to compare this one with. Each gets a line. */
  peers?: Peer[]
}

interface Peer {
  name: string
  /** The maximum CPU time per request, as a multiple of the given operation's, with any number of clients. */
  most?: number
  /** The minimum requests per second with 16 clients, as a multiple of the given operation's. */
  least?: number
}

/** An operation's medians by number of clients: requests per second, and CPU milliseconds per request. */
interface Measured {
  perSecond: number[]
  processor: number[]
}

/**
 * Measures the operations, alternating between them, and prints a line for each. Returns the names of those
 * outside their limits.
 */
export async function compare(
  operations: readonly Operation[],
  postmaster: number,
  { rounds, ms }: { rounds: number; ms: number },
): Promise<string[]> {
  const found = new Map(
    operations.map(({ name }) => [
      name,
      { rates: CLIENTS.map((): number[] => []), costs: CLIENTS.map((): number[] => []) },
    ]),
  )
  // The first calls on each connection are slower because they include compiling and query planning.
  for (const { work } of operations) await runFor(ms, 16, work)
  for (let round = 0; round < rounds; round++)
    for (const [at, clients] of CLIENTS.entries())
      for (const { name, work, pids } of operations) {
        const ticks = () => pids.reduce((sum, pid) => sum + ticksOf(pid), treeTicks(postmaster))
        const [before, begin] = [ticks(), performance.now()]
        const done = await runFor(ms, clients, work)
        found.get(name)?.rates[at]?.push((done * 1000) / (performance.now() - begin))
        found.get(name)?.costs[at]?.push(((ticks() - before) * MS_PER_TICK) / done)
      }
  const medians = new Map<string, Measured>(
    [...found].map(([name, { rates, costs }]) => [
      name,
      { perSecond: rates.map(median), processor: costs.map(median) },
    ]),
  )
  const each = (what: string) => CLIENTS.map((clients) => `${what} ${clients}`)
  print(['name', ...each('per s,'), ...each('CPU ms,'), ...each('per s x,'), ...each('CPU x,'), 'limits'])
  const lines = operations.flatMap(({ name, peers = [] }) =>
    (peers.length > 0 ? peers : [undefined]).map((peer?: Peer) => ({ name, peer })),
  )
  return lines.flatMap(({ name, peer }) => {
    const { most = Infinity, least = 0 } = peer ?? {}
    const [own, other] = [medians.get(name), medians.get(peer?.name ?? '')]
    if (!own) return []
    const rates = other ? ratios(own.perSecond, other.perSecond) : []
    const costs = other ? ratios(own.processor, other.processor) : []
    const isMissed = costs.some((cost) => cost > most) || (rates.at(-1) ?? least) < least
    const limits = [peer?.most && `CPU <= ${most}`, peer?.least && `per s x, 16 >= ${least}`].filter(Boolean)
    const cells = [own.perSecond.map((rate) => rate.toFixed(0)), own.processor.map((ms) => ms.toFixed(2))]
    const compared = [rates, costs].map((found) => CLIENTS.map((_, at) => found[at]?.toFixed(2) ?? ''))
    print([name, ...[...cells, ...compared].flat(), `  ${limits.join(', ')}${isMissed ? ' MISSED' : ''}`])
    return isMissed ? [name] : []
  })
}

function ratios(own: number[], other: number[]): number[] {
  return own.map((value, at) => value / (other[at] ?? NaN))
}

function print([name = '', ...cells]: string[]): void {
  console.log([name.padEnd(46), ...cells.map((cell) => cell.padStart(10))].join('').trimEnd())
}
