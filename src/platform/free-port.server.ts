import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/**
 * A free loopback port from 20000 to 31999. Throws after 50 tries. Outgoing connections use higher ports, so
 * they can't take a server's port during a restart.
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
