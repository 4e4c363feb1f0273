// `npm start`: starts the database, runs migrations, and starts the jobs and the HTTP server. On shutdown,
// stops them in order.
import type { FastifyInstance } from 'fastify'
import { type Config, readConfig } from '#platform/config.server.ts'
import { makeDataFolder, refuseFullDisk, startFailure } from '#platform/data-folder.server.ts'
import { isPooled } from '#platform/db/connection.server.ts'
import type { Db, DbUrls } from '#platform/db/db.server.ts'
import { openDb } from '#features/access/db.server.ts'
import { preparePageKeys } from '#features/months/key-commands.server.ts'
import { clearUp } from '#platform/db/beside.server.ts'
import { type EmbeddedDatabase, startEmbeddedDatabase } from '#platform/db/embedded.server.ts'
import { backUpBeforeUpgrade, plainBackups } from '#platform/db/kept-backups.server.ts'
import { migrate } from '#platform/db/migrate.server.ts'
import type { Worker } from '#platform/jobs/queue.server.ts'
import { refusePlainMail } from '#platform/mail/mail-tls.server.ts'
import { whyUnsealed } from '#platform/pdf/seal.server.ts'
import { within } from '#platform/timeout.server.ts'
import { tlsFailure } from '#platform/tls.server.ts'
import { openRestoring } from './restoring.server.ts'
import { buildServer, startJobs } from './services.server.ts'

/**
 * How long after SIGTERM the server keeps responding while /readyz fails, so that proxies can switch to
 * another server.
 */
const NOTICE_MS = 5000
/**
 * How long requests in progress may take once NOTICE_MS has elapsed. From that point, shutting down takes
 * less than 10 s (promise F14).
 */
const GRACE_MS = 4500
const END_MS = 9500

interface Started {
  embedded?: EmbeddedDatabase
  db?: Db
  worker?: Worker
  app?: FastifyInstance
  restoring?: ReturnType<typeof openRestoring>
}

const log = (event: string, details: object = {}) =>
  console.log(JSON.stringify({ level: 30, time: Date.now(), msg: event, ...details }))

async function start(started: Started): Promise<void> {
  const config = readConfig(process.env)
  for (const warning of config.warnings) console.error(warning)
  const unsealed = whyUnsealed(config.seal, new Date())
  if (unsealed) log(unsealed, { level: 40 })
  makeDataFolder(config.dataDir)
  if (!config.databaseUrl) refuseFullDisk(config.dataDir)
  if (config.mail?.isTlsRequired) await refusePlainMail(config.mail.smtpUrl)
  started.embedded = config.databaseUrl
    ? undefined
    : await startEmbeddedDatabase({ dataDir: config.dataDir, log }).catch((error: unknown) => {
        throw startFailure(error, config.dataDir)
      })
  const ownUrl = started.embedded?.superuserUrl
  if (ownUrl !== undefined) {
    await clearUp(ownUrl, new Date())
    const unencrypted = plainBackups(config)
    if (unencrypted) log(unencrypted, { level: 40 })
    const serving = { stop: () => stopServing(started), startAgain: () => serve(started, config) }
    started.restoring = openRestoring(config, ownUrl, serving, log)
  }
  await serve(started, config)
  console.log(`Tutorlog is ready at ${config.baseUrl}`)
  // Whatever the public URL is, only this machine may read the mailbox.
  if (!config.mail) console.log(`Emails go to http://localhost:${config.port}/mailbox`)
}

/** Opens the database, runs jobs and listens. In maintenance, takes over from the server that answered meanwhile. */
async function serve(started: Started, config: Config): Promise<void> {
  if (ending) return
  const ownUrl = started.embedded?.superuserUrl
  const urls = await migrate(config.databaseDirectUrl ?? ownUrl ?? '', {
    servedUrl: config.databaseUrl,
    log,
    async beforeUpgrade() {
      if (ownUrl === undefined) return
      log('the tables are those of an earlier version: a backup is written before they change')
      log('backed up', { file: await backUpBeforeUpgrade(ownUrl, config, new Date()) })
    },
  }).catch((error: unknown) => {
    throw (config.isDatabaseTlsRequired && tlsFailure('DATABASE_TLS', 'the database', error)) || error
  })
  const named = await mayName(config, urls)
  const db = (started.db = openDb(urls, config.databasePool, named.requests))
  const signed = await preparePageKeys(db, new Date())
  if (signed > 0) log('pages from before they were signed are signed now', { pages: signed })
  started.worker = startJobs(config, db, urls.direct.system, log, undefined, named.jobs, ownUrl)
  const before = started.app
  const app = buildServer(config, db, undefined, () => isLeaving, started.restoring)
  await app.ready()
  if (before) {
    const closed = before.close()
    before.server.closeAllConnections()
    await closed
  }
  started.app = app
  await listen(app, config)
}

/** Ends jobs and connections. The app stays, to answer that there's maintenance. */
async function stopServing(started: Started): Promise<void> {
  const { worker, db } = started
  started.worker = started.db = undefined
  await worker?.stop()
  // Waits for the requests that are still being answered.
  if (db) await within(GRACE_MS, db.close())
}

// Behind a pooler in transaction mode, each transaction may get a different connection, which doesn't have
// this server's named statements.
async function mayName(config: Config, urls: DbUrls): Promise<{ requests: boolean; jobs: boolean }> {
  if (!config.databaseUrl) return { requests: true, jobs: true }
  const isAsked = config.databaseNamed === 'on'
  const jobs = !(await isPooled(urls.direct.system))
  if (!jobs)
    console.error(
      'DATABASE_URL points to a connection pooler. Set DATABASE_DIRECT_URL to the database behind it; ' +
        'otherwise people see changes by others only when they return to a page.',
    )
  if (config.databaseNamed !== 'auto') return { requests: isAsked, jobs: isAsked || jobs }
  // If DATABASE_DIRECT_URL is set, DATABASE_URL is treated as a pooler, even if it looks like plain
  // PostgreSQL.
  const isPast = config.databaseDirectUrl !== config.databaseUrl
  return { requests: !isPast && !(await isPooled(urls.server)), jobs }
}

async function listen(app: FastifyInstance, { port, host }: Config): Promise<void> {
  try {
    await app.listen({ port, host })
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException
    const reasons: Record<string, string> = {
      EADDRINUSE: `PORT is taken: another program is listening on ${port}. Stop it, or set PORT to a different port.`,
      EACCES: `PORT is not allowed: ${port} needs root privileges. Set PORT to 1024 or higher.`,
    }
    throw new Error(
      reasons[code] ??
        `HOST is not valid: "${host}" is not an address on this machine (${code}). Correct it or leave it out.`,
      { cause: error },
    )
  }
}

/**
 * Shuts down in order: stops accepting connections, lets the requests in progress finish, and then stops
 * jobs, database connections and the database.
 */
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
  // Proxies don't send requests to a server that's still starting.
  if (!started.app?.server.listening) return stop()
  if (isLeaving) return
  isLeaving = true
  log('stopping: /readyz now fails, and requests are still served for 5 seconds')
  setTimeout(stop, NOTICE_MS)
}

function stop(): void {
  if (ending) return
  ending = isLeaving = true
  // The embedded database stops when this process does, however it exits: see keepRunning.
  setTimeout(() => process.exit(1), END_MS).unref()
  end(started).then(() => process.exit(0), fail)
}

function fail(error: unknown): void {
  console.error(error instanceof Error ? error.message : String(error))
  process.exit(1)
}

// Registered before anything starts, because otherwise a signal during startup would leave a database
// running. In a terminal (SIGINT, or SIGHUP when the terminal closes), there's no proxy to wait for.
process.on('SIGTERM', leave)
for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, stop)
// A single unhandled rejection, in a job for example, must not stop the server for everyone (promise F13).
process.on('unhandledRejection', (reason) =>
  log('unhandled promise rejection', {
    reason: reason instanceof Error ? reason.stack : String(reason),
  }),
)

start(started).catch(async (error: unknown) => {
  if (ending) return
  await started.worker?.stop()
  await started.embedded?.stop()
  fail(error)
})
