// The setup that all server tests share: the real server with its own PostgreSQL, and people who use it.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { WorkspaceId } from '#kernel/id.ts'
import { readConfig } from '#platform/config.server.ts'
import { type CallerDb, openDb, type Principal } from '#features/access/db.server.ts'
import type { Side } from '#features/access/role.ts'
import { startEmbeddedDatabase } from '#platform/db/embedded.server.ts'
import { migrate } from '#platform/db/migrate.server.ts'
import { withRoles } from '#platform/db/roles.server.ts'
import { queueJob } from '#platform/jobs/queue.server.ts'
import { waitingWork } from '#platform/jobs/waiting.server.ts'
import { readMailbox, type SentMail } from '#platform/mail/mailer.server.ts'
import { buildServer, startJobs } from './services.server.ts'
import { copyCluster } from './testing/cluster.server.ts'
import { removeScratch, scratchFolder } from './testing/scratch.server.ts'
import { type Answer, type Visitor, visitorOf } from './visitor.server.ts'

export { removeScratch, scratchFolder }
export type { Answer }

/** A person as a member of their first workspace, with the workspace's id for queries. */
export interface Member extends Required<Principal> {
  workspaceId: WorkspaceId
}

export interface Caller extends Visitor {
  id: string
  /** The kind of the person's first workspace. */
  kind: Side
  email: string
  /** Gives direct access to the first workspace's rows in the database, without HTTP. */
  readonly member: Member
}

export interface TestServer {
  app: FastifyInstance
  db: CallerDb
  superuserUrl: string
  dataDir: string
  /** The server's clock, which tests can set. */
  clock: { now: Date }
  /**
   * A visitor without an account, who gets a new cookie jar. Pass `on` to use another server on the same
   * database.
   */
  aStranger(on?: FastifyInstance): Caller
  /** Follows the newest emailed link to confirm an address, in the browser that signed up. */
  confirm(person: Caller, email?: string): Promise<Answer>
  /** A user who has signed up, followed the emailed link and is signed in. */
  aUser(role?: 'parent' | 'tutor'): Promise<Caller>
  mailTo(email: string, subject: string): Promise<SentMail>
  /** Waits until the job queue is empty. After that, no more emails will be sent. */
  allJobsDone(): Promise<void>
  /** Runs a job right now instead of on schedule, and waits for it. */
  runTask(name: string, payload?: object): Promise<void>
  stop(): Promise<void>
}

/** Fills in the test database's role names, which contain the database's OID. It's 5 in every new cluster. */
export const withTestRoles = (text: string) => withRoles('tutorlog_5_', text)
export const PASSWORD = 'greenhouse-41'
const ORIGIN = 'http://localhost:3000'

/** How often tests look whether a job is done, and for how long: a minute, because a busy machine is slow. */
const TRY_MS = 25
const MOST_TRIES = 60_000 / TRY_MS

/**
 * Starts a server, with optional settings. Its database is empty, unless tests pass a place with a data folder.
 */
export async function startTestServer(
  settings: Record<string, string> = {},
  place?: string,
): Promise<TestServer> {
  const folder = place ?? scratchFolder()
  const dataDir = join(folder, 'data')
  const config = readConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'silent', ...settings })
  if (!existsSync(dataDir)) await copyCluster(dataDir)
  const embedded = await startEmbeddedDatabase({ dataDir, log: () => undefined })
  const urls = await migrate(embedded.superuserUrl)
  const db = openDb(urls)
  const clock = { now: new Date() }
  const worker = startJobs(
    config,
    db,
    urls.direct.system,
    () => undefined,
    () => clock.now,
    undefined,
    embedded.superuserUrl,
  )
  const app = buildServer(config, db, () => clock.now)
  await app.ready()
  let people = 0

  async function mailTo(email: string, subject: string): Promise<SentMail> {
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const mail = (await readMailbox(join(dataDir, 'mailbox'), email)).find((candidate) =>
        candidate.subject.includes(subject),
      )
      if (mail) return mail
      await new Promise((resolve) => setTimeout(resolve, TRY_MS))
    }
    throw new Error(`no email "${subject}" to ${email}`)
  }

  function aStranger(on = app): Caller {
    const caller: Caller = {
      ...visitorOf(on, ORIGIN),
      id: '',
      kind: 'family',
      email: `person-${++people}@example.com`,
      get member() {
        const id = caller.id as WorkspaceId
        return { accountId: caller.id, workspaceId: id, workspace: { id, kind: caller.kind } }
      },
    }
    return caller
  }

  async function confirm(person: Caller, email = person.email): Promise<Answer> {
    const { text } = await mailTo(email, 'Verify')
    return person.call('POST', '/api/auth/verify', { token: /\/verify-email#token=(\S+)/.exec(text)?.[1] })
  }

  return {
    app,
    db,
    superuserUrl: embedded.superuserUrl,
    dataDir,
    clock,
    aStranger,
    mailTo,
    confirm,
    async aUser(role = 'parent') {
      const person = aStranger()
      await person.call('POST', '/api/auth/sign-up', { email: person.email, password: PASSWORD, role })
      await confirm(person)
      person.id = String((await person.call('GET', '/api/v1/me')).body.id)
      person.kind = role === 'tutor' ? 'practice' : 'family'
      return person
    },
    async allJobsDone() {
      for (let tries = 0; tries < MOST_TRIES; tries++) {
        if ((await db.asSystem(waitingWork)).jobs.length === 0) return
        await new Promise((resolve) => setTimeout(resolve, TRY_MS))
      }
      throw new Error('the jobs did not finish')
    },
    async runTask(name, payload = {}) {
      await db.asSystem((tx) => queueJob(tx, name, payload, { key: `test:${name}` }))
      for (let tries = 0; tries < MOST_TRIES; tries++) {
        const { jobs } = await db.asSystem(waitingWork)
        const job = jobs.find((waiting) => waiting.task === name)
        if (!job) return
        if (job.lastError) throw new Error(job.lastError)
        await new Promise((resolve) => setTimeout(resolve, TRY_MS))
      }
      throw new Error(`the job ${name} did not finish`)
    },
    async stop() {
      // A normal close would give open connections a few seconds, so close them right away.
      app.server.closeAllConnections()
      await app.close()
      await worker.stop()
      await db.close()
      await embedded.stop()
      if (!place) removeScratch(folder)
    },
  }
}
