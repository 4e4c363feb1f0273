// A second server on a test server's database, behind a proxy that counts round trips.
import type { FastifyInstance } from 'fastify'
import { buildServer } from '#main/services.server.ts'
import type { Caller, TestServer } from '#main/testing.server.ts'
import { readConfig } from '#platform/config.server.ts'
import { openDb } from '#features/access/db.server.ts'
import { roleUrls } from '#platform/db/migrate.server.ts'
import { startWire, type Wire } from './wire.server.ts'

export interface WiredServer {
  app: FastifyInstance
  wire: Wire
  stop(): Promise<void>
}

/** Starts the server with a single connection, so that every statement goes through it. */
export async function startWiredServer(server: TestServer): Promise<WiredServer> {
  const config = readConfig({ DATA_DIR: server.dataDir, LOG_LEVEL: 'silent' })
  const wire = await startWire(server.superuserUrl)
  const db = openDb(await roleUrls(wire.url), 1)
  const app = buildServer(config, db, () => server.clock.now)
  return {
    app,
    wire,
    async stop() {
      await app.close()
      await db.close()
      wire.stop()
    },
  }
}

/** The same caller on another server that uses the same database. */
export function onServer(server: TestServer, app: FastifyInstance, caller: Caller): Caller {
  const other = server.aStranger(app)
  for (const [name, value] of caller.cookies) other.cookies.set(name, value)
  return other
}
