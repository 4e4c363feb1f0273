// A port that this machine has free.
import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/**
 * A port of loopback where nobody listens, from 20000 to 31999; throws where 50 tries find none. It lies below the range from which
 * systems take the ports of outgoing connections: one of those must not sit on a server's port while it starts again.
 */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < 50; tries++) {
    const port = randomInt(20_000, 32_000)
    if (await isFree(port)) return port
  }
  throw new Error('No free port was found between 20000 and 32000.')
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
}
