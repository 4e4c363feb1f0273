// A TCP proxy between the app and PostgreSQL that can cut a connection at a given statement.
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

export interface Wire {
  /** The superuser's URL for connecting through the proxy. */
  url: string
  /**
   * Cuts the connection at the nth statement from now: either before PostgreSQL gets the statement, or after
   * it has run but before the app gets its result. Cuts only once; later connections work.
   */
  cutAt(nth: number, when: 'before' | 'after'): void
  /** Stops cutting, and returns whether a connection was cut. */
  mend(): boolean
  /**
   * How many round trips there have been since the last call. One is counted each time the app sends
   * something after receiving a response.
   */
  count(): number
  stop(): void
}

/**
 * Starts a proxy in front of PostgreSQL.
 * @param role the only role whose connections are counted and cut
 */
export async function startWire(superuserUrl: string, role = ''): Promise<Wire> {
  const target = new URL(superuserUrl)
  const port = Number(target.port)
  let passed = 0
  let trips = 0
  let isAnswered = true
  let cut: { nth: number; when: 'before' | 'after' } | undefined
  const open = new Set<Socket>()

  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1')
    let isCounted: boolean | undefined
    let isDeaf = false
    let rest: Buffer = Buffer.alloc(0)
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one)
      one.on('error', () => undefined)
      one.on('close', () => {
        open.delete(one)
        other.destroy()
      })
    }
    near.on('data', (chunk: Buffer) => {
      if (isCounted === undefined) {
        // The startup message contains the role and has no type byte.
        isCounted = chunk.toString('latin1').includes(`user\0${role}`)
        far.write(chunk)
        return
      }
      if (isAnswered) trips += 1
      isAnswered = false
      rest = Buffer.concat([rest, chunk])
      let at = 0
      // A message starts with a type byte and its length. Q (query) and S (sync) end a statement.
      while (rest.length - at >= 5 && rest.length - at > rest.readUInt32BE(at + 1)) {
        const letter = String.fromCharCode(rest[at] ?? 0)
        const end = at + 1 + rest.readUInt32BE(at + 1)
        if (isCounted && (letter === 'Q' || letter === 'S')) {
          passed += 1
          if (cut?.nth === passed) {
            const { when } = cut
            cut = undefined
            if (when === 'before') {
              near.destroy()
              return
            }
            isDeaf = true
          }
        }
        at = end
        if (isDeaf) break
      }
      far.write(rest.subarray(0, at))
      rest = rest.subarray(at)
    })
    far.on('data', (chunk: Buffer) => {
      isAnswered = true
      if (!isDeaf) near.write(chunk)
      // Drops this statement's result, but waits briefly so that the results of earlier statements get
      // through.
      else setTimeout(() => near.destroy(), 40)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  target.port = String((server.address() as AddressInfo).port)
  return {
    url: target.href,
    cutAt(nth, when) {
      passed = 0
      cut = { nth, when }
    },
    mend() {
      const wasCut = cut === undefined
      cut = undefined
      return wasCut
    },
    count() {
      const counted = trips
      trips = 0
      return counted
    },
    stop() {
      server.close()
      for (const socket of open) socket.destroy()
    },
  }
}
