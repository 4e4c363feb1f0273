// Measures how much memory the server needs per open event stream. Compares its resident memory with many
// streams and with none. It depends on what ran before, because V8 keeps what it got. On a busy machine, 1,900 streams
// took 46 kB each of a fresh server, and 9 kB each after 8,000 dashboards; 10 kB of heap each after garbage collection.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { type ClientRequest, request } from 'node:http'
import type pg from 'pg'
import { pause } from '#platform/timeout.server.ts'

/** The maximum number of streams per account (features/notices), and how many accounts to use. */
const EACH = 8
const ACCOUNTS = 250
/** Longer than the heartbeat interval, so every stream has had a heartbeat by then. */
const SETTLE_MS = 25_000

/** The server's memory per stream in kilobytes, measured after every stream has had a heartbeat. */
export async function kilobytesPerStream(client: pg.Client, port: number, pid: number): Promise<number> {
  const cookies = await signInMany(client)
  // The first streams load code that all streams share.
  const first = await openStreams(port, cookies.slice(0, 10))
  await pause(SETTLE_MS)
  const before = residentKilobytes(pid)
  const streams = await openStreams(port, cookies.slice(10))
  await pause(SETTLE_MS)
  const cost = (residentKilobytes(pid) - before) / streams.length
  for (const stream of [...first, ...streams]) stream.destroy()
  return cost
}

/** Inserts logins for benchmark accounts directly. Signing in would compute a password hash for each one. */
async function signInMany(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ user_id: string }>(
    `select account_id as user_id from members join users on users.id = account_id where email like '%@example.org' limit $1`,
    [ACCOUNTS],
  )
  const cookies: string[] = []
  for (const { user_id } of rows) {
    const token = crypto.randomUUID()
    await client.query(
      `insert into logins (user_id, access_hash, refresh_hash, access_expires_at, active_until, ends_at)
        values ($1, $2, $3, now() + interval '1 hour', now() + interval '1 hour', now() + interval '1 hour')`,
      [user_id, createHash('sha256').update(token).digest(), createHash('sha256').update(user_id).digest()],
    )
    for (let nth = 0; nth < EACH; nth++) cookies.push(`__Host-access=${token}`)
  }
  return cookies
}

async function openStreams(port: number, cookies: string[]): Promise<ClientRequest[]> {
  const streams: ClientRequest[] = []
  for (const cookie of cookies)
    streams.push(
      await new Promise<ClientRequest>((resolve, reject) => {
        const stream = request({
          host: '127.0.0.1',
          port,
          path: '/api/v1/events',
          agent: false,
          headers: { cookie },
        })
        stream.on('error', reject)
        stream.on('response', (answer) => {
          if (answer.statusCode !== 200)
            return reject(new Error(`a stream was answered ${answer.statusCode}`))
          answer.resume()
          answer.on('error', () => undefined)
          stream.off('error', reject).on('error', () => undefined)
          resolve(stream)
        })
        stream.end()
      }),
    )
  return streams
}

function residentKilobytes(pid: number): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
}
