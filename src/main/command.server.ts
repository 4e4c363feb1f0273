// What an operator's command works with: the settings, and the database of a server that runs, or one started for it.
import type { Config } from '#platform/config.server.ts'
import { makeDataFolder } from '#platform/data-folder.server.ts'
import { type Db, type DbUrls, openDb } from '#platform/db/db.server.ts'
import { runningDatabaseUrl, startEmbeddedDatabase } from '#platform/db/embedded.server.ts'
import { backUpBeforeUpgrade } from '#platform/db/kept-backups.server.ts'
import { migrate, roleUrls } from '#platform/db/migrate.server.ts'

export interface CommandDatabase {
  db: Db
  /** The URL of the role that owns the roles and the tables. */
  ownerUrl: string
  /** Whether a server of this data folder is running; unknown, and false, for an external database. */
  isServed: boolean
}

export interface CommandContext {
  config: Config
  /** Finds the database of the running server, or starts it; its tables are left as they are. */
  owner(): Promise<{ ownerUrl: string; isServed: boolean }>
  /** Opens the database when a command first needs it, with its tables as this version knows them. */
  database(): Promise<CommandDatabase>
  close(): Promise<void>
}

/** Prepares a command; nothing is opened yet. */
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
    // Beside a running server the schema is that server's; otherwise it is brought to the newest, as a start would.
    const db = openDb(await (isServed ? roleUrls(ownerUrl) : upgrade(ownerUrl)), 2)
    closing.unshift(() => db.close())
    return { db, ownerUrl, isServed }
  }

  function upgrade(ownerUrl: string): Promise<DbUrls> {
    return migrate(ownerUrl, {
      async beforeUpgrade() {
        if (!config.databaseUrl) await backUpBeforeUpgrade(ownerUrl, config.dataDir, new Date())
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
