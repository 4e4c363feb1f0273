// A second server on a test server's database that records its work: SQL statements without their values, and
// password hashes. Jobs run on the first server, so they don't count.
import { createHook } from 'node:async_hooks'
import type { FastifyInstance } from 'fastify'
import type { KyselyPlugin } from 'kysely'
import { readConfig } from '#platform/config.server.ts'
import { openDb } from '#features/access/db.server.ts'
import type { Tx } from '#platform/db/db.server.ts'
import { roleUrls } from '#platform/db/migrate.server.ts'
import { buildServer } from '../services.server.ts'
import type { TestServer } from '../testing.server.ts'

export interface WatchedServer {
  app: FastifyInstance
  /** The work since the last call. */
  takeWork(): { statements: string[]; hashes: number }
  stop(): Promise<void>
}

export async function startWatchedServer(
  server: TestServer,
  settings: Record<string, string> = {},
): Promise<WatchedServer> {
  const db = openDb(await roleUrls(server.superuserUrl), 2)
  let statements: string[] = []
  let hashes = 0
  const recorded = (tx: Tx): Tx => {
    const record: KyselyPlugin = {
      transformQuery: ({ node, queryId }) => {
        statements.push(tx.getExecutor().compileQuery(node, queryId).sql)
        return node
      },
      transformResult: async ({ result }) => result,
    }
    return tx.withPlugin(record) as Tx
  }
  const { asSystem, readAsSystem, asMember } = db
  db.asSystem = (work) => asSystem((tx) => work(recorded(tx)))
  db.readAsSystem = (work) => readAsSystem((tx) => work(recorded(tx)))
  db.asMember = (speaker, work, options) => asMember(speaker, (tx) => work(recorded(tx)), options)
  const hook = createHook({
    init(_id, type) {
      if (type === 'ARGON2REQUEST') hashes += 1
    },
  }).enable()
  const config = readConfig({ DATA_DIR: server.dataDir, LOG_LEVEL: 'silent', ...settings })
  const app = buildServer(config, db, () => server.clock.now)
  await app.ready()
  return {
    app,
    takeWork() {
      const work = { statements, hashes }
      statements = []
      hashes = 0
      return work
    },
    async stop() {
      hook.disable()
      await app.close()
      await db.close()
    },
  }
}
