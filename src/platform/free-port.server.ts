// A free port on this machine.
import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/**
 * A loopback port from 20000 to 31999 where nobody listens; throws if 50 tries find none. The range is below the one systems use
 * for outgoing connections: one of those must not take a server's port while the server restarts.
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
