// The program that proofs/rolling-restarts.mjs runs. Everything listens only on this machine, and the
// program stops only processes that it started.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  aParent,
  type Parent,
  type ServerProcess,
  startProcess,
  until,
} from '#main/testing/process.server.ts'
import { removeScratch, scratchFolder } from '#main/testing/scratch.server.ts'
import { connectTo } from '#platform/db/connection.server.ts'
import { startEmbeddedDatabase } from '#platform/db/embedded.server.ts'
import { freePort } from '#platform/free-port.server.ts'
import { pause } from '#platform/timeout.server.ts'
import { operatorTool } from '../scripts/operator-tool.ts'

/**
 * How many times each server restarts, the minimum number of calls during the restarts, and how many people
 * make calls at once (issue 17).
 */
const ROUNDS = 4
const CALLS = 1000
const PEOPLE = 8
/** How long each person waits between calls. */
const PAUSE_MS = 40

interface Balancer {
  /** Returns the balancer's configuration from deploy/, with this run's ports. */
  configuration(port: number, servers: number[], folder: string): string
  args(file: string, folder: string): string[]
}

const BALANCERS: Record<string, Balancer> = {
  haproxy: {
    configuration: (port, [one, two], folder) =>
      changed('deploy/haproxy.cfg', [
        ['  bind :80\n', `  bind ${join(folder, 'plain')}\n`],
        ['  bind :443 ssl crt /etc/ssl/tutorlog.pem alpn h2,http/1.1\n', `  bind 127.0.0.1:${port}\n`],
        ['  server one 127.0.0.1:3000\n', `  server one 127.0.0.1:${one}\n`],
        ['  # server two 10.0.0.6:3000\n', `  server two 127.0.0.1:${two}\n`],
      ]),
    args: (file) => ['-db', '-f', file],
  },
  nginx: {
    configuration: (port, [one, two], folder) =>
      [
        'daemon off;',
        `pid ${folder}/pid;`,
        // Files in a scratch folder are owned by root.
        process.getuid?.() === 0 ? 'user root;' : '',
        'events {}',
        'http {',
        'access_log off;',
        ...['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
          (kind) => `${kind}_temp_path ${folder}/${kind};`,
        ),
        changed('deploy/nginx.conf', [
          ['listen 80;', `listen unix:${join(folder, 'plain')};`],
          ['listen 443 ssl http2;', `listen 127.0.0.1:${port};`],
          ['  ssl_certificate /etc/ssl/tutorlog.crt;\n', ''],
          ['  ssl_certificate_key /etc/ssl/tutorlog.key;\n', ''],
          ['127.0.0.1:3000 ', `127.0.0.1:${one} `],
          ['# server 10.0.0.6:3000 ', `server 127.0.0.1:${two} `],
        ]),
        '}',
      ].join('\n'),
    args: (file, folder) => ['-p', folder, '-e', 'stderr', '-c', file],
  },
}

/** Returns a file from deploy/ with some strings replaced. Throws if the file no longer contains one of them. */
function changed(file: string, changes: [string, string][]): string {
  return changes.reduce(
    (text, [before, after]) => {
      if (!text.includes(before)) throw new Error(`${file} no longer says "${before.trim()}"`)
      return text.replace(before, after)
    },
    readFileSync(file, 'utf8'),
  )
}

/** Restarts both servers behind a balancer while people log sessions. Returns whether every call succeeded. */
async function isWithoutLoss(name: string, balancer: Balancer): Promise<boolean> {
  const folder = scratchFolder()
  const stops: (() => Promise<unknown>)[] = []
  try {
    const database = await startEmbeddedDatabase({ dataDir: join(folder, 'database'), log: () => undefined })
    stops.push(() => database.stop())
    const own = { DATABASE_URL: database.superuserUrl, LOG_LEVEL: 'error', TRUSTED_PROXIES: '127.0.0.1' }
    const parent = await signUp({ ...own, DATA_DIR: join(folder, 'sign-up') })

    const [port, ...ports] = [await freePort(), await freePort(), await freePort()]
    const base = `http://127.0.0.1:${port}`
    const start = (at: number) =>
      startProcess({
        ...own,
        DATA_DIR: join(folder, String(ports[at])),
        PORT: String(ports[at]),
        BASE_URL: base,
      })
    const servers = [await start(0), await start(1)]
    stops.push(() => Promise.all(servers.map((server) => server.stop())))
    const { front, said } = startBalancer(name, balancer, balancer.configuration(port, ports, folder), folder)
    stops.push(() => ended(front, 'SIGTERM'))
    await until('the balancer leads to a server', async () => {
      if (front.exitCode !== null) throw new Error(`${name} ended: ${said()}`)
      return fetch(`${base}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      )
    })
    // From here on, requests go through the balancer.
    parent.moveTo({ base } as ServerProcess)

    const load = startLoad(parent)
    await until('calls are answered', async () => load.answered().length >= PEOPLE)
    const began = Date.now()
    for (let round = 0; round < ROUNDS; round++) {
      for (const [at, server] of servers.entries()) {
        const code = await ended(server.process, 'SIGTERM')
        if (code !== 0) load.lost.push(`server ${at + 1} ended with ${code}: ${server.output()}`)
        servers[at] = await start(at)
      }
    }
    const seconds = Math.round((Date.now() - began) / 1000)
    await until('enough was sent', async () => load.answered().length >= CALLS, 120_000)
    await load.stop()
    const wrong = await notStoredOnce(database.superuserUrl, load.answered())
    console.log(
      `${name}: ${ROUNDS} rolling restarts of 2 servers in ${seconds} s; ${load.answered().length + load.lost.length} calls, ` +
        `${load.lost.length} lost, ${wrong.length} not stored exactly once`,
    )
    for (const line of [...load.lost, ...wrong].slice(0, 20)) console.log(`  ${line}`)
    return load.lost.length + wrong.length === 0
  } finally {
    for (const stop of stops.reverse()) await stop()
    removeScratch(folder)
  }
}

/** Creates a parent, using a separate server that stores its emails. */
async function signUp(settings: Record<string, string>): Promise<Parent> {
  const server = await startProcess(settings)
  try {
    return await aParent(server, 'parent@example.com')
  } finally {
    await server.stop()
  }
}

function startBalancer(name: string, { args }: Balancer, configuration: string, folder: string) {
  const file = join(folder, `${name}.conf`)
  writeFileSync(file, configuration)
  const { program, env } = operatorTool(name)
  const front = spawn(program, args(file, folder), { env, stdio: ['ignore', 'ignore', 'pipe'] })
  let output = ''
  front.stderr.on('data', (chunk: Buffer) => {
    output += chunk.toString()
  })
  return { front, said: () => output }
}

async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null) return child.exitCode
  const exit = once(child, 'exit') as Promise<[number | null]>
  child.kill(signal)
  return (await exit)[0]
}

/**
 * Simulates people who keep logging sessions, one after another. Each call has an idempotency key and is sent
 * only once, without retries.
 */
function startLoad(parent: Parent) {
  let isOn = true
  const answered: string[] = []
  const lost: string[] = []
  const people = Array.from({ length: PEOPLE }, async () => {
    while (isOn) {
      const key = crypto.randomUUID()
      const said = await parent
        .call('POST', '/api/v1/sessions', parent.lesson(key), { 'idempotency-key': key })
        .then(
          async (answer) => (answer.status === 201 ? undefined : `${answer.status} ${await answer.text()}`),
          (error: Error) => String(error.cause ?? error),
        )
      if (said === undefined) answered.push(key)
      else lost.push(`${key}: ${said.replaceAll(/\s+/g, ' ').slice(0, 120)}`)
      await pause(PAUSE_MS)
    }
  })
  return {
    answered: () => answered,
    lost,
    async stop() {
      isOn = false
      await Promise.all(people)
    },
  }
}

async function notStoredOnce(url: string, keys: string[]): Promise<string[]> {
  const client = await connectTo(url)
  try {
    const { rows } = await client.query<{ text: string }>('select text from session_notes')
    const counts = new Map<string, number>()
    for (const { text } of rows) counts.set(text, (counts.get(text) ?? 0) + 1)
    return keys
      .filter((key) => counts.get(key) !== 1)
      .map((key) => `${key}: stored ${counts.get(key) ?? 0} times`)
  } finally {
    await client.end()
  }
}

const named = process.argv.slice(2)
let isClean = true
for (const name of named.length > 0 ? named : Object.keys(BALANCERS)) {
  const balancer = BALANCERS[name]
  if (!balancer) throw new Error(`${name} is no balancer of deploy/: ${Object.keys(BALANCERS).join(', ')}`)
  isClean = (await isWithoutLoss(name, balancer)) && isClean
}
process.exitCode = isClean ? 0 : 1
