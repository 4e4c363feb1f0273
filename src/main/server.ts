// `npm start`: database, migrations, jobs, HTTP; and an orderly end.
import { mkdir } from 'node:fs/promises'
import { readConfig } from '#platform/config.server.ts'
import { openDb } from '#platform/db/db.server.ts'
import { startEmbeddedDatabase } from '#platform/db/embedded.server.ts'
import { migrate } from '#platform/db/migrate.server.ts'
import { buildServer, startJobs } from './services.server.ts'

/** How long running requests may take to finish once the server was told to stop (promise F14). */
const GRACE_MS = 8000

async function start(): Promise<void> {
  const config = readConfig(process.env)
  const log = (event: string, details: object = {}) => console.log(JSON.stringify({ level: 30, time: Date.now(), msg: event, ...details }))
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 })
  const embedded = config.databaseUrl ? undefined : await startEmbeddedDatabase({ dataDir: config.dataDir, log })
  let stopping: Promise<void> | undefined
  try {
    const urls = await migrate(config.databaseUrl ?? embedded?.superuserUrl ?? '')
    const db = openDb(urls)
    const worker = startJobs(config, db, urls.system, log)
    const app = buildServer(config, db)

    const stop = () => {
      stopping ??= (async () => {
        setTimeout(() => process.exit(1), GRACE_MS + 10_000).unref()
        await Promise.race([app.close(), new Promise((resolve) => setTimeout(resolve, GRACE_MS).unref())])
        await worker.stop()
        await db.close()
        await embedded?.stop()
        process.exit(0)
      })()
    }
    process.on('SIGINT', stop)
    process.on('SIGTERM', stop)

    await app.listen({ port: config.port, host: config.host })
    console.log(`Tutorlog is ready at ${config.baseUrl}`)
    if (!config.mail) console.log(`Mails land in ${config.baseUrl}/mailbox`)
  } catch (error) {
    await embedded?.stop()
    throw error
  }
}

start().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error))
  process.exit(1)
})
