// A server of this version on what an earlier one left behind.
import { execFile } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { removeScratch, scratchFolder, startTestServer, type TestServer } from '../testing.server.ts'

const execute = promisify(execFile)

/** Starts this version's server on a data folder that `fill` prepares, at the time when that was left behind. */
export async function withServerOf(
  clock: string,
  fill: (dataDir: string) => Promise<unknown>,
  work: (server: TestServer) => Promise<void>,
): Promise<void> {
  const folder = scratchFolder()
  try {
    const dataDir = join(folder, 'data')
    mkdirSync(dataDir)
    await fill(dataDir)
    const server = await startTestServer({}, folder)
    server.clock.now = new Date(clock)
    await work(server).finally(() => server.stop())
  } finally {
    removeScratch(folder)
  }
}

/** Restores a backup the way an operator does, and returns what the command printed. */
export async function restoreInto(dataDir: string, backup: string): Promise<string> {
  const env = { ...process.env, DATA_DIR: dataDir, DATABASE_URL: '' }
  const { stdout } = await execute(process.execPath, ['src/main/admin.ts', 'restore', backup], { env })
  return stdout
}
