// Setup for an operator's command: the settings and a database. The database is either the running server's
// or one started just for the command.
import type { Config } from '#platform/config.server.ts'
import { makeDataFolder } from '#platform/data-folder.server.ts'
import type { DbUrls } from '#platform/db/db.server.ts'
import { type CallerDb, openDb } from '#features/access/db.server.ts'
import { runningDatabaseUrl, startEmbeddedDatabase } from '#platform/db/embedded.server.ts'
import { backUpBeforeUpgrade } from '#platform/db/kept-backups.server.ts'
import { migrate, roleUrls } from '#platform/db/migrate.server.ts'

interface CommandDatabase {
  db: CallerDb
  /** The connection URL for the role that owns the database's tables and manages the other roles. */
  ownerUrl: string
  /** True if a server is currently using this data folder. Always false for an external database. */
  isServed: boolean
}

export interface CommandContext {
  config: Config
  /** Connects to the running server's database, or starts a database. Doesn't migrate it. */
  owner(): Promise<{ ownerUrl: string; isServed: boolean }>
  /** The database, opened the first time a command needs it and migrated to this version. */
  database(): Promise<CommandDatabase>
  close(): Promise<void>
}

/** Prepares a command without opening the database. */
export function openContext(config: Config): CommandContext {
  const closing: (() => Promise<void>)[] = []
  let found: Promise<{ ownerUrl: string; isServed: boolean }> | undefined
  let opened: Promise<CommandDatabase> | undefined

  async function find(): Promise<{ ownerUrl: string; isServed: boolean }> {
    if (config.databaseDirectUrl) return { ownerUrl: config.databaseDirectUrl, isServed: false }
    const running = await servedUrl()
    return { ownerUrl: running ?? (await start()), isServed: running !== undefined }
  }

  async function open(): Promise<CommandDatabase> {
    const { ownerUrl, isServed } = await (found ??= find())
    // If a server is running, leaves its schema as it is. Otherwise, migrates the database, as a server does
    // at startup.
    const db = openDb(await (isServed ? roleUrls(ownerUrl) : upgrade(ownerUrl)), 2)
    closing.unshift(() => db.close())
    return { db, ownerUrl, isServed }
  }

  function upgrade(ownerUrl: string): Promise<DbUrls> {
    return migrate(ownerUrl, {
      async beforeUpgrade() {
        if (!config.databaseUrl) await backUpBeforeUpgrade(ownerUrl, config, new Date())
      },
    })
  }

  async function servedUrl(): Promise<string | undefined> {
    makeDataFolder(config.dataDir)
    return runningDatabaseUrl(config.dataDir)
  }

  async function start(): Promise<string> {
    const embedded = await startEmbeddedDatabase({ dataDir: config.dataDir, log: () => undefined })
    closing.unshift(() => embedded.stop())
    return embedded.superuserUrl
  }

  return {
    config,
    owner: () => (found ??= find()),
    database: () => (opened ??= open()),
    async close() {
      for (const end of closing) await end()
    },
  }
}
