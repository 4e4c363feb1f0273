// Measures how long other users wait while someone's files are generated. Makes calls at a steady pace,
// alternating between no other load and the heavy work. The result is the 95th percentile of each.
import type pg from 'pg'
import { pause } from '#platform/timeout.server.ts'
import { call, runFor } from './load.ts'

const PER_SECOND = 20
/** Alternates this often, because other load on the machine varies over time. */
const ROUNDS = 5
const ROUND_MS = 8000
/** The maximum number of lines in an import file. */
const LINES = 4900

/** Makes calls at a steady pace until `other` has finished. Returns how long each took, in milliseconds. */
export async function timesWhile(other: Promise<unknown>, work: () => Promise<unknown>): Promise<number[]> {
  const times: Promise<number>[] = []
  const timer = setInterval(() => {
    const begin = performance.now()
    times.push(work().then(() => performance.now() - begin))
  }, 1000 / PER_SECOND)
  await other.finally(() => clearInterval(timer))
  return Promise.all(times)
}

export function percentile95(times: number[]): number {
  const sorted = times.toSorted((one, two) => one - two)
  return sorted[Math.floor(sorted.length * 0.95)] ?? Infinity
}

/**
 * The 95th percentile of how long a call takes, alone and under load. The load is a PDF file, an export, an
 * import preview and a transcript, all at the same time and each restarted as soon as it finishes.
 * @param client connected as the database's owner, to clear the rate limits between rounds
 */
export async function p95Beside(
  client: pg.Client,
  port: number,
  headers: Record<string, string>,
  year: number,
  work: () => Promise<unknown>,
): Promise<{ alone: number; beside: number }> {
  const lines = Array.from(
    { length: LINES },
    (_, nth) =>
      `${year - 1}-${String(1 + (nth % 12)).padStart(2, '0')}-${String(1 + (nth % 28)).padStart(2, '0')},Maya ${nth % 40},Jordan,1.5`,
  )
  const file = JSON.stringify({ text: ['Date,Student,Tutor,Duration (hours)', ...lines].join('\n') })
  const pdf = `/api/v1/statements/statement.pdf?from=${year}-01-01&to=${year}-12-31&paper=a4`
  const heavy: (() => Promise<unknown>)[] = [
    () => call(port, 'GET', pdf, headers, undefined, 200),
    // Pauses between exports. Otherwise, they'd hit the account's hourly limit within seconds.
    () => Promise.all([call(port, 'POST', '/api/v1/export', headers, '{}', 200), pause(1000)]),
    () => call(port, 'POST', '/api/v1/imports/preview', headers, file, 200),
    // Pauses here too, because there's a limit on transcripts per minute.
    () => Promise.all([call(port, 'POST', '/api/v1/speech', headers, SAID, 200), pause(1500)]),
  ]
  const allAtOnce = () => Promise.all(heavy.map((one) => runFor(ROUND_MS, 1, async () => void (await one()))))
  // The first calls of each kind start its process and compile its code.
  await allAtOnce()
  const alone: number[] = []
  const beside: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    alone.push(...(await timesWhile(pause(ROUND_MS), work)))
    await client.query('delete from rate_limits')
    beside.push(...(await timesWhile(allAtOnce(), work)))
  }
  return { alone: percentile95(alone), beside: percentile95(beside) }
}

const SAID = JSON.stringify({
  transcript: 'maya had an hour of math with jordan on monday and ninety minutes on tuesday',
})
