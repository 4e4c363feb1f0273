// A wire between the app and PostgreSQL that tests cut at a chosen statement.
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

export interface Wire {
  /** The superuser's URL through the wire. */
  url: string
  /**
   * Cuts the connection at the nth statement from now on: before PostgreSQL gets it, or after PostgreSQL has carried it
   * out and before the app learns of it. Only that connection; later ones hold.
   */
  cutAt(nth: number, when: 'before' | 'after'): void
  /** Whether it was cut; from now on it holds. */
  mend(): boolean
  /** The round trips since it was asked before: how often something was sent after an answer. */
  count(): number
  stop(): void
}

/**
 * Puts a wire before the PostgreSQL of a URL.
 * @param role counts and cuts the statements of this role's connections only
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
        // The first message names the role and has no letter before it.
        isCounted = chunk.toString('latin1').includes(`user\0${role}`)
        far.write(chunk)
        return
      }
      if (isAnswered) trips += 1
      isAnswered = false
      rest = Buffer.concat([rest, chunk])
      let at = 0
      // A message is a letter and its length; Q and S end a statement.
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
      // The answer never arrives. The one that was cut may still be on its way, behind those of earlier statements.
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
