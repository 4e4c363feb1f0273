// The server in a separate process, started the way an operator would start it, and people who use it over
// HTTP.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { freePort } from '#platform/free-port.server.ts'
import { pause } from '#platform/timeout.server.ts'
import { PASSWORD } from '../testing.server.ts'

export interface ServerProcess {
  base: string
  process: ChildProcess
  /** Everything the server has printed so far. */
  output(): string
  stop(): Promise<void>
}

export interface Parent {
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Response>
  /** Input for a session with this parent's child and tutor. */
  lesson(notes?: string): Record<string, unknown>
  /** Opens the event stream and counts its change events. */
  listen(): Promise<{ changes(): number; end(): void }>
  /** Sends this person's requests to another server, with the same logins. */
  moveTo(server: ServerProcess): void
}

/**
 * Starts a server and waits until it's ready. If the server exits before that, throws an error with its
 * output.
 * @param folder where its program is, if not here
 */
export async function startProcess(
  settings: Record<string, string>,
  folder = process.cwd(),
): Promise<ServerProcess> {
  const port = String(await freePort())
  const base = `http://127.0.0.1:${port}`
  const child = spawn(process.execPath, ['src/main/server.ts'], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      PORT: port,
      BASE_URL: base,
      LOG_LEVEL: 'silent',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
  const ended = new Promise((resolve) => child.once('close', resolve))
  await until(
    'the server is ready',
    async () => {
      if (child.exitCode !== null) throw new Error(output)
      return output.includes('Tutorlog is ready')
    },
    // The first start takes longer because it also creates the tables.
    120_000,
  )
  return {
    base,
    process: child,
    output: () => output,
    async stop() {
      child.kill('SIGINT')
      await ended
    },
  }
}

/** A parent who signed up with an emailed link and has a child and a tutor. */
export async function aParent(server: ServerProcess, email: string): Promise<Parent> {
  let { base } = server
  let cookie = ''
  const call: Parent['call'] = (method, path, body, headers = {}) =>
    fetch(base + path, {
      method,
      headers: {
        origin: base,
        cookie,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  const mails = async () =>
    (await (await call('GET', `/mailbox/messages?to=${email}`)).json()) as { text: string }[]
  const created = async (path: string, body: object) =>
    ((await (await call('POST', path, body)).json()) as { id: string }).id

  await call('POST', '/api/auth/sign-up', { email, password: PASSWORD, role: 'parent' })
  await until('the link was emailed', async () => (await mails()).length > 0)
  const token = /#token=(\S+)/.exec((await mails())[0]?.text ?? '')?.[1]
  const verified = await call('POST', '/api/auth/verify', { token, password: PASSWORD })
  cookie = verified.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
  const people = {
    student_id: await created('/api/v1/students', { name: 'Maya' }),
    tutor_id: await created('/api/v1/tutors', { name: 'Ingrid', hourly_rate: 45 }),
  }
  return {
    call,
    lesson: (notes = '') => ({ ...people, date: '2026-11-02', duration: 1, notes }),
    async listen() {
      // Fetch would reconnect after the stream is cut, and the server would then have to wait for that
      // connection when it stops.
      const request = get(`${base}/api/v1/events`, { agent: false, headers: { cookie } })
      request.on('error', () => undefined)
      const [response] = (await once(request, 'response')) as [IncomingMessage]
      let heard = ''
      response.on('error', () => undefined).on('data', (chunk: Buffer) => (heard += chunk.toString()))
      return { changes: () => heard.split('event: changed').length - 1, end: () => request.destroy() }
    },
    moveTo(other) {
      base = other.base
    },
  }
}

/** Waits until a condition is true. If checking it throws an error, stops waiting and rethrows the error. */
export async function until(what: string, holds: () => Promise<boolean>, patienceMs = 30_000): Promise<void> {
  for (const end = Date.now() + patienceMs; !(await holds()); await pause(25))
    if (Date.now() > end) throw new Error(`timed out waiting: ${what}`)
}
