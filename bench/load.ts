// A small load generator. Each of its loops sends requests one after another for a set time. Only works on
// loopback.
import { Agent, request } from 'node:http'

/** Runs this many loops in parallel until time is up. Returns how many times the work ran. */
export async function runFor(
  ms: number,
  loops: number,
  work: (loop: number) => Promise<void>,
): Promise<number> {
  const end = performance.now() + ms
  let done = 0
  await Promise.all(
    Array.from({ length: loops }, async (_, loop) => {
      while (performance.now() < end) {
        await work(loop)
        done += 1
      }
    }),
  )
  return done
}

/** Repeats the work until `other` has finished. Returns how long each run took, in milliseconds. */
export async function millisecondsWhile(
  other: Promise<unknown>,
  work: () => Promise<unknown>,
): Promise<number[]> {
  let hasEnded = false
  const ending = other.finally(() => (hasEnded = true))
  const times: number[] = []
  while (!hasEnded) {
    const begin = performance.now()
    await work()
    times.push(performance.now() - begin)
  }
  await ending
  return times
}

export function median(numbers: readonly number[]): number {
  return numbers.toSorted((one, two) => one - two)[Math.floor(numbers.length / 2)] ?? Infinity
}

const agent = new Agent({ keepAlive: true, maxSockets: 64 })

/**
 * Sends an HTTP request over a kept-alive connection. Returns the body and any cookies that were set. Throws
 * unless the status is the expected one.
 */
export function call(
  port: number,
  method: string,
  path: string,
  headers: Record<string, string>,
  body: string | undefined,
  expected?: number,
): Promise<{ body: string; cookies: string[] }> {
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        host: '127.0.0.1',
        port,
        method,
        path,
        agent,
        headers: {
          ...headers,
          ...(body === undefined
            ? {}
            : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
        },
      },
      (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.on('end', () => {
          const text = Buffer.concat(chunks).toString()
          if (expected === undefined || answer.statusCode === expected)
            resolve({ body: text, cookies: answer.headers['set-cookie'] ?? [] })
          else
            reject(
              new Error(`${method} ${path} was answered with ${answer.statusCode}: ${text.slice(0, 200)}`),
            )
        })
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })
}
