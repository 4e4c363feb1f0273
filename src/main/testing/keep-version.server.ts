// `npm run keep-version -- NAME [FOLDER]`: plays two months against the server in a folder, this one unless it's named,
// and keeps its backup and what everybody saw under a name (kept-versions/README.md).
import { execFile } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { type CalendarDay, dayIn, monthOf } from '#kernel/calendar-day.ts'
import { addMonths } from '#kernel/month.ts'
import { PASSWORD } from '../testing.server.ts'
import type { Answer, Visitor } from '../visitor.server.ts'
import { accepted, type Left, PEOPLE, playMonths, type World } from './kept-month.server.ts'
import { type Kept, placesOf, wordsOf } from './kept-versions.server.ts'
import { type ServerProcess, startProcess, until } from './process.server.ts'
import { removeScratch, scratchFolder } from './scratch.server.ts'
import { everythingSeen } from './seen.server.ts'

const execute = promisify(execFile)
/** Nothing listens there, so emails stay in the outbox. */
const NO_MAIL = { SMTP_URL: 'smtp://127.0.0.1:9' }
/** What the servers of tests answer to, too. */
const BASE_URL = 'http://localhost:3000'

/** Somebody who calls whichever server runs now. */
function visitorTo(server: () => ServerProcess): Visitor {
  const cookies = new Map<string, string>()
  return {
    cookies,
    async call(method, path, body, headers = {}): Promise<Answer> {
      const { base } = server()
      const answer = await fetch(base + path, {
        method,
        headers: {
          origin: BASE_URL,
          cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      for (const line of answer.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
        if (value) cookies.set(name, value)
        else cookies.delete(name)
      }
      const bytes = Buffer.from(await answer.arrayBuffer())
      const isJson = answer.headers.get('content-type')?.includes('json')
      return {
        status: answer.status,
        body: (isJson ? JSON.parse(bytes.toString()) : {}) as Answer['body'],
        headers: Object.fromEntries(answer.headers),
        bytes,
      }
    },
  }
}

/**
 * Plays against the server in a folder, and writes the two files that its version is kept in.
 * @returns what the backup's command printed
 */
export async function keepVersion(
  folder: string,
  { backup, seen }: ReturnType<typeof placesOf>,
): Promise<string> {
  const scratch = scratchFolder()
  const dataDir = join(scratch, 'data')
  mkdirSync(dataDir)
  const start = (settings = {}) =>
    startProcess({ DATA_DIR: dataDir, BASE_URL, SPEECH_ENGINE: 'off', ...settings }, folder)
  let server = await start()
  const visitor = () => visitorTo(() => server)
  const restart = async (settings = {}) => {
    await server.stop()
    server = await start(settings)
  }
  try {
    const today = dayIn(new Date(), 'America/New_York')
    const world = await worldOf(visitor, monthOf(today), () => restart(NO_MAIL))
    const left = await playMonths(world)
    const kept = await look(visitor, left, today)
    const env = { ...process.env, DATA_DIR: dataDir, DATABASE_URL: '' }
    const { stdout } = await execute(process.execPath, ['src/main/admin.ts', 'backup', backup], {
      cwd: folder,
      env,
    })
    chmodSync(backup, 0o644)
    writeFileSync(seen, gzipSync(JSON.stringify(kept), { level: 9 }))
    return stdout.trim()
  } finally {
    await server.stop()
    removeScratch(scratch)
  }
}

async function worldOf(visitor: () => Visitor, month: string, cutMail: () => Promise<void>): Promise<World> {
  const { paths } = (await accepted(visitor(), 'GET /api/openapi.json')) as unknown as {
    paths: Record<string, object>
  }
  const dayOf = (months: number) => (day: number) =>
    `${addMonths(month, months)}-${String(day).padStart(2, '0')}`
  return {
    has(operation) {
      const [method = '', path = ''] = operation.split(' ')
      return method.toLowerCase() in (paths[path] ?? {})
    },
    visitor,
    async mailTo(email, subject) {
      let text: string | undefined
      await until(`an email "${subject}" to ${email}`, async () => {
        const mails = (await accepted(visitor(), `GET /mailbox/messages?to=${email}`)) as unknown as {
          subject: string
          text: string
        }[]
        text = mails.find((mail) => mail.subject.includes(subject))?.text
        return text !== undefined
      })
      return text ?? ''
    },
    cutMail,
    first: dayOf(-2),
    second: dayOf(-1),
  }
}

/** What everybody sees before the backup. */
async function look(visitor: () => Visitor, left: Left, today: CalendarDay): Promise<Kept> {
  const months = [-2, -1, 0, 1].map((ahead) => addMonths(monthOf(today), ahead))
  const span = { months, today }
  const views: Kept['views'] = {}
  for (const name of ['family', 'practice', 'caregiver'] as const) {
    const person = visitor()
    await accepted(person, 'POST /api/auth/sign-in', { email: PEOPLE[name], password: PASSWORD })
    views[name] = await everythingSeen(person, span)
  }
  const reader = visitor()
  const textOf = async (path: string) => (await reader.call('GET', path)).bytes.toString()
  const opened = (token = '') => accepted(reader, 'POST /api/link/open', {}, { 'tutorlog-link': token })
  const verified: Kept['verified'] = {}
  for (const code of [left.code, left['former code'], left['signed code'], left['linked code']])
    verified[String(code)] = wordsOf(await textOf(`/verify/${code}`))
  return {
    ...span,
    clock: new Date().toISOString(),
    left,
    views,
    verified,
    opened: [await opened(left.token), await opened(left['parent token'])],
    calendar: await textOf(String(left.calendar)),
  }
}

if (import.meta.main) {
  const [name, folder = '.'] = process.argv.slice(2)
  if (!name || !/^[\w.-]+$/.test(name)) {
    console.error('Usage: npm run keep-version -- NAME [FOLDER]')
    process.exit(1)
  }
  keepVersion(resolve(folder), placesOf(name)).then(console.log, (error: unknown) => {
    console.error(error instanceof Error ? error.message : String(error))
    process.exit(1)
  })
}
