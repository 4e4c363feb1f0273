// Puts two servers that use the same PostgreSQL behind a proxy, and kills one of them midway: `node
// proofs/two-servers.mjs`.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import {
  Agent,
  createServer,
  type IncomingMessage,
  request as ask,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'
import { startEmbeddedDatabase } from '#platform/db/embedded.server.ts'

const PORTS = [4181, 4182] as const
/** How long to wait before killing the first server, and how long it stays down. */
const KILL_AFTER_MS = Number(process.env.KILL_AFTER ?? 20) * 1000
const AWAY_MS = 8000

/**
 * Starts PostgreSQL, a mail server, two servers, and a proxy on port 4173. Returns a function that stops all
 * of them.
 */
export async function startTwoServers(): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'tutorlog-two-servers-'))
  chmodSync(folder, 0o711)
  const database = await startEmbeddedDatabase({ dataDir: join(folder, 'database'), log: () => undefined })
  const mails: Mail[] = []
  const smtp = catchMails(mails)
  smtp.listen(0, '127.0.0.1')
  await once(smtp.server, 'listening')
  const settings = {
    DATABASE_URL: database.superuserUrl,
    SMTP_URL: `smtp://127.0.0.1:${(smtp.server.address() as AddressInfo).port}`,
    BASE_URL: 'http://localhost:4173',
    TRUSTED_PROXIES: '127.0.0.1',
    LOG_LEVEL: 'error',
  }
  const servers = PORTS.map((port) => spawnServer(port, settings, folder))
  await Promise.all(PORTS.map((port, at) => isServing(port, () => servers[at])))

  const tally = { answered: new Map<number, number>(), again: 0, lost: 0 }
  const proxy = createServer(
    (request, response) => void take(request, response, mails, tally).catch(() => response.destroy()),
  )
  proxy.listen(4173)
  await once(proxy, 'listening')
  let isOver = false
  let back: NodeJS.Timeout | undefined
  const kill = setTimeout(() => {
    console.log(`server ${PORTS[0]} is killed`)
    servers[0]?.kill('SIGKILL')
    back = setTimeout(() => {
      if (isOver) return
      console.log(`server ${PORTS[0]} is started again`)
      servers[0] = spawnServer(PORTS[0], settings, folder)
    }, AWAY_MS)
  }, KILL_AFTER_MS)

  return async () => {
    isOver = true
    clearTimeout(kill)
    clearTimeout(back)
    console.log(
      `answers by server: ${[...tally.answered].map(([port, count]) => `${port}: ${count}`).join(', ')}; ` +
        `asked again on the other: ${tally.again}; lost: ${tally.lost}; mails: ${mails.length}`,
    )
    await ended(proxy)
    await Promise.all(
      servers.map(async (server) => {
        if (server.exitCode !== null || server.signalCode !== null) return
        server.kill('SIGINT')
        await once(server, 'exit')
      }),
    )
    await new Promise<void>((resolve) => smtp.close(() => resolve()))
    await database.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

function spawnServer(port: number, settings: Record<string, string>, folder: string): ChildProcess {
  return spawn(process.execPath, ['src/main/server.ts'], {
    env: { ...process.env, ...settings, PORT: String(port), DATA_DIR: join(folder, String(port)) },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

async function isServing(port: number, server: () => ChildProcess | undefined): Promise<void> {
  for (
    let tries = 0;
    !(await fetch(`http://127.0.0.1:${port}/readyz`).then(
      (answer) => answer.ok,
      () => false,
    ));
    tries++
  ) {
    if (tries > 300 || server()?.exitCode !== null) throw new Error(`the server on ${port} did not start`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

function ended(proxy: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => proxy.close(() => resolve()))
  proxy.closeAllConnections()
  return closed
}

// The proxy alternates between the servers. If one fails, requests that are safe to repeat go to the other
// one.

const agent = new Agent({ keepAlive: false })
let turn = 0

async function take(
  request: IncomingMessage,
  response: ServerResponse,
  mails: Mail[],
  tally: { answered: Map<number, number>; again: number; lost: number },
): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://localhost')
  if (url.pathname === '/mailbox/messages') {
    const to = url.searchParams.get('to')?.toLowerCase()
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify(mails.filter((mail) => !to || mail.to.toLowerCase() === to).toReversed()))
    return
  }
  const body = await buffer(request)
  turn += 1
  send(PORTS[turn % 2] ?? PORTS[0], 0)

  function send(port: number, tries: number): void {
    const headers = { ...request.headers, 'x-forwarded-for': request.socket.remoteAddress ?? '' }
    const upstream = ask(
      { host: '127.0.0.1', port, method: request.method, path: request.url, headers, agent },
      (answer) => {
        tally.answered.set(port, (tally.answered.get(port) ?? 0) + 1)
        const { connection: _, 'keep-alive': __, ...rest } = answer.headers
        response.writeHead(answer.statusCode ?? 502, rest)
        answer.on('error', () => response.destroy())
        answer.pipe(response)
      },
    )
    response.once('close', () => upstream.destroy())
    upstream.on('error', (error: NodeJS.ErrnoException) => {
      if (response.headersSent || response.destroyed) return void response.destroy()
      const mayAskAgain =
        error.code === 'ECONNREFUSED' ||
        ['GET', 'HEAD', 'PUT', 'DELETE'].includes(request.method ?? '') ||
        request.headers['idempotency-key'] !== undefined
      if (mayAskAgain && tries < 20) {
        tally.again += 1
        setTimeout(() => send(port === PORTS[0] ? PORTS[1] : PORTS[0], tries + 1), 25 * tries)
        return
      }
      tally.lost += 1
      response.writeHead(502).end()
    })
    upstream.end(body)
  }
}

// The mail server collects the emails from both servers and serves them in the format of /mailbox/messages.

interface Mail {
  id: string
  to: string
  from: string
  subject: string
  text: string
  html: string
  sent_at: string
}

function catchMails(mails: Mail[]): SMTPServer {
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    logger: false,
    onData(stream, session, done) {
      buffer(stream).then((source) => {
        mails.push(readMail(source.toString('latin1'), session.envelope.rcptTo[0]?.address ?? ''))
        done()
      }, done)
    },
  })
  smtp.on('error', () => undefined)
  return smtp
}

function readMail(source: string, to: string): Mail {
  const { head, body } = partOf(source)
  const boundary = /boundary="?([^";\r\n]+)/i.exec(headerOf(head, 'Content-Type'))?.[1]
  const parts = boundary
    ? body.split(`--${boundary}`).map((part) => partOf(part.replace(/^\r\n/, '')))
    : [{ head, body }]
  const textOf = (type: string) => {
    const part = parts.find((candidate) => headerOf(candidate.head, 'Content-Type').startsWith(type))
    return part ? decoded(part.body, headerOf(part.head, 'Content-Transfer-Encoding')) : ''
  }
  return {
    id: headerOf(head, 'Message-ID'),
    to,
    from: headerOf(head, 'From'),
    subject: words(headerOf(head, 'Subject')),
    text: textOf('text/plain'),
    html: textOf('text/html'),
    sent_at: new Date().toISOString(),
  }
}

function partOf(text: string): { head: string; body: string } {
  const end = text.indexOf('\r\n\r\n')
  return { head: text.slice(0, end).replaceAll(/\r\n[ \t]+/g, ' '), body: text.slice(end + 4) }
}

function headerOf(head: string, name: string): string {
  return new RegExp(`^${name}: *(.*)$`, 'mi').exec(head)?.[1]?.trim() ?? ''
}

function decoded(body: string, encoding: string): string {
  if (/base64/i.test(encoding)) return Buffer.from(body, 'base64').toString()
  return /quoted-printable/i.test(encoding)
    ? unquoted(body.replaceAll('=\r\n', ''))
    : Buffer.from(body, 'latin1').toString()
}

function unquoted(text: string): string {
  return Buffer.from(
    text.replaceAll(/=([0-9A-F]{2})/gi, (_all, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    ),
    'latin1',
  ).toString()
}

function words(subject: string): string {
  return subject
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?utf-8\?([QB])\?(.*?)\?=/gi, (_all, kind: string, text: string) =>
      kind.toUpperCase() === 'B'
        ? Buffer.from(text, 'base64').toString()
        : unquoted(text.replaceAll('_', ' ')),
    )
}
