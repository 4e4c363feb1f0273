// Measures whether response times reveal which addresses have an account (promise A1). The result is the
// probability that a known address took longer than an unknown one.
import { confirmEmail, insertAccount } from '#features/accounts/queries.server.ts'
import type { Db } from '#platform/db/db.server.ts'
import { call } from './load.ts'

/**
 * How many addresses of each kind (known and unknown) to test. With this many, the standard deviation is
 * 0.03.
 */
const ADDRESSES = 200
/** A server's first responses are slow for other reasons, so they don't count. */
const WARM_UP = 20

/** Routes that take an address and don't require a login. */
export const TOLD_BY_TIME = {
  'forgot password': { path: '/api/auth/forgot-password', input: {} },
  'sign-up': { path: '/api/auth/sign-up', input: { password: 'lanterns-and-7-pears', role: 'parent' } },
} as const

/**
 * The area under the ROC curve of the response times of known versus unknown addresses: 0.5 reveals nothing,
 * 0 or 1 reveals everything. Each address is used once, from a different network, to stay under all rate
 * limits. The order is completely random: if the addresses were paired, an unknown one would more often
 * follow a known one, while the server is still writing the known one's email.
 */
export async function toldByTime(
  db: Db,
  port: number,
  origin: string,
  { path, input }: (typeof TOLD_BY_TIME)[keyof typeof TOLD_BY_TIME],
): Promise<number> {
  const kind = path.split('/').at(-1)
  const tries: { email: string; isKnown: boolean }[] = []
  for (let n = 0; n < ADDRESSES; n++) {
    const known = `known-${kind}-${n}@example.com`
    await db.asSystem(async (tx) => {
      await confirmEmail(tx, await insertAccount(tx, { email: known, passwordHash: null }), new Date())
    })
    const place = Math.floor(Math.random() * (tries.length + 1))
    tries.splice(place, 0, { email: known, isKnown: true })
    const other = Math.floor(Math.random() * (tries.length + 1))
    tries.splice(other, 0, { email: `other-${kind}-${n}@example.com`, isKnown: false })
  }
  for (let n = 0; n < WARM_UP; n++) tries.unshift({ email: `warm-${kind}-${n}@example.com`, isKnown: false })
  const times: { isKnown: boolean; ms: number }[] = []
  for (const [n, { email, isKnown }] of tries.entries()) {
    const headers = { origin, 'x-forwarded-for': `10.${n >> 8}.${n & 255}.1` }
    const begin = performance.now()
    await call(port, 'POST', path, headers, JSON.stringify({ ...input, email }), 200)
    times.push({ isKnown, ms: performance.now() - begin })
    // Waits for work that the server does after responding.
    await new Promise((resolve) => setTimeout(resolve, 30))
  }
  return areaUnderCurve(times.slice(WARM_UP))
}

function areaUnderCurve(times: { isKnown: boolean; ms: number }[]): number {
  const [known, unknown] = [true, false].map((kind) => times.filter(({ isKnown }) => isKnown === kind))
  let wins = 0
  for (const { ms } of known ?? [])
    for (const other of unknown ?? []) wins += ms > other.ms ? 1 : ms === other.ms ? 0.5 : 0
  return wins / ((known?.length ?? 0) * (unknown?.length ?? 0))
}
