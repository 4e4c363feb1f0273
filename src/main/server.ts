// `npm start`: database, migrations, jobs, HTTP; and an orderly end.
import type { FastifyInstance } from 'fastify'
import { type Config, readConfig } from '#platform/config.server.ts'
import { makeDataFolder, refuseFullDisk, startFailure } from '#platform/data-folder.server.ts'
import { isPooled } from '#platform/db/connection.server.ts'
import { type Db, type DbUrls, openDb } from '#platform/db/db.server.ts'
import { type EmbeddedDatabase, startEmbeddedDatabase } from '#platform/db/embedded.server.ts'
import { backUpBeforeUpgrade } from '#platform/db/kept-backups.server.ts'
import { migrate } from '#platform/db/migrate.server.ts'
import type { Worker } from '#platform/jobs/queue.server.ts'
import { within } from '#platform/patience.server.ts'
import { buildServer, startJobs } from './services.server.ts'

/** How long a server that was told to stop goes on serving while /readyz says no, so that proxies have turned elsewhere by then. */
const NOTICE_MS = 5000
/** How long running requests may take to finish once the server was told to stop. All of the end takes less than 10 s after the notice (promise F14). */
const GRACE_MS = 4500
const END_MS = 9500

interface Started {
  embedded?: EmbeddedDatabase
  db?: Db
  worker?: Worker
  app?: FastifyInstance
}

const log = (event: string, details: object = {}) =>
  console.log(JSON.stringify({ level: 30, time: Date.now(), msg: event, ...details }))

async function start(started: Started): Promise<void> {
  const config = readConfig(process.env)
  for (const warning of config.warnings) console.error(warning)
  makeDataFolder(config.dataDir)
  if (!config.databaseUrl) refuseFullDisk(config.dataDir)
  started.embedded = config.databaseUrl
    ? undefined
    : await startEmbeddedDatabase({ dataDir: config.dataDir, log }).catch((error: unknown) => {
        throw startFailure(error, config.dataDir)
      })
  const ownUrl = started.embedded?.superuserUrl
  const urls = await migrate(config.databaseDirectUrl ?? ownUrl ?? '', {
    servedUrl: config.databaseUrl,
    log,
    async beforeUpgrade() {
      if (ownUrl === undefined) return
      log('the tables are those of an earlier version: a backup is written before they change')
      log('backed up', { file: await backUpBeforeUpgrade(ownUrl, config.dataDir, new Date()) })
    },
  })
  const named = await mayName(config, urls)
  const db = (started.db = openDb(urls, config.databasePool, named.requests))
  started.worker = startJobs(config, db, urls.direct.system, log, undefined, named.jobs, ownUrl)
  started.app = buildServer(config, db, undefined, () => isLeaving)
  await listen(started.app, config)
  console.log(`Tutorlog is ready at ${config.baseUrl}`)
  if (!config.mail) console.log(`Mails land in ${config.baseUrl}/mailbox`)
}

// A pooler in transaction mode hands each transaction to another connection, where a query's name may be unknown.
async function mayName(config: Config, urls: DbUrls): Promise<{ requests: boolean; jobs: boolean }> {
  if (!config.databaseUrl) return { requests: true, jobs: true }
  const isAsked = config.databaseNamed === 'on'
  const jobs = !(await isPooled(urls.direct.system))
  if (!jobs)
    console.error(
      'DATABASE_URL leads to a pooler. Set DATABASE_DIRECT_URL to the database behind it, or people see what others change only when they come back to a page.',
    )
  if (config.databaseNamed !== 'auto') return { requests: isAsked, jobs: isAsked || jobs }
  // Whoever names a way past DATABASE_URL has a pooler there, also one that looks like PostgreSQL itself.
  const isPast = config.databaseDirectUrl !== config.databaseUrl
  return { requests: !isPast && !(await isPooled(urls.server)), jobs }
}

async function listen(app: FastifyInstance, { port, host }: Config): Promise<void> {
  try {
    await app.listen({ port, host })
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException
    const reasons: Record<string, string> = {
      EADDRINUSE: `PORT is taken: another program listens on ${port}. Stop it, or set PORT to another one.`,
      EACCES: `PORT is not allowed: ${port} needs more rights. Set PORT to 1024 or more.`,
    }
    throw new Error(
      reasons[code] ??
        `HOST is not valid: "${host}" is no address of this machine (${code}). Correct it or leave it out.`,
      { cause: error },
    )
  }
}

/** Ends what was started: nothing new comes in, running requests are answered, then jobs, connections and the database end. */
async function end({ app, worker, db, embedded }: Started): Promise<void> {
  if (app && !(await within(GRACE_MS, app.close()))) app.server.closeAllConnections()
  await worker?.stop()
  if (db) await within(500, db.close())
  await embedded?.stop()
}

const started: Started = {}
let isLeaving = false
let ending = false
function leave(): void {
  // A server that is only starting is known to nobody yet.
  if (!started.app?.server.listening) return stop()
  if (isLeaving) return
  isLeaving = true
  log('told to stop: readyz says no, and calls are served for some seconds more')
  setTimeout(stop, NOTICE_MS)
}

function stop(): void {
  if (ending) return
  ending = isLeaving = true
  // The database goes with the process however it ends: see keepRunning.
  setTimeout(() => process.exit(1), END_MS).unref()
  end(started).then(() => process.exit(0), fail)
}

function fail(error: unknown): void {
  console.error(error instanceof Error ? error.message : String(error))
  process.exit(1)
}

// Before anything runs: a signal during the start must not leave a database behind. Somebody at a terminal (SIGINT), or one that
// was closed (SIGHUP), waits for no proxy.
process.on('SIGTERM', leave)
for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, stop)
// One forgotten promise, of a job for instance, is no reason to end the service of everyone (promise F13).
process.on('unhandledRejection', (reason) =>
  log('a promise was rejected and nobody took notice', {
    reason: reason instanceof Error ? reason.stack : String(reason),
  }),
)

start(started).catch(async (error: unknown) => {
  if (ending) return
  await started.worker?.stop()
  await started.embedded?.stop()
  fail(error)
})
