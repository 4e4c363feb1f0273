// Starts the real server for the journeys, with its data in a temporary folder. Afterward, stops the server
// and deletes the folder.
import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { copyCluster } from '../src/main/testing/cluster.server.ts'
import { removeScratch, scratchFolder } from '../src/main/testing/scratch.server.ts'

export default async function startServer(): Promise<() => Promise<void>> {
  if (process.env.SERVERS === '2') return (await import('../proofs/two-servers.ts')).startTwoServers()
  return (await runServer('4173')).stop
}

/**
 * A folder for the server's PATH without a working chrt. Journeys keep all cores busy, and then a process of the idle
 * class never gets to make a file or to plan an import. Without chrt, such a process has a low priority instead.
 */
function withoutIdleClass(folder: string): string {
  const programs = join(folder, 'programs')
  mkdirSync(programs)
  writeFileSync(join(programs, 'chrt'), '#!/bin/sh\nexit 1\n', { mode: 0o755 })
  return programs
}

/** Runs another server besides the shared one, for a journey that needs different settings. */
export async function runServer(
  port: string,
  settings: Record<string, string> = {},
): Promise<{ dataDir: string; output(): string; stop(): Promise<void> }> {
  const isReady = () =>
    fetch(`http://localhost:${port}/readyz`).then(
      (answer) => answer.ok,
      () => false,
    )
  if (await isReady()) throw new Error(`another server is listening on port ${port}`)
  const folder = scratchFolder()
  const dataDir = join(folder, 'data')
  await copyCluster(dataDir)
  const server = spawn(process.execPath, ['src/main/server.ts'], {
    env: {
      ...process.env,
      PATH: [withoutIdleClass(folder), process.env.PATH].join(delimiter),
      PORT: port,
      DATA_DIR: dataDir,
      LOG_LEVEL: 'error',
      BASE_URL: '',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  server.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString()
  })
  const ended = new Promise((resolve) => server.once('exit', resolve))
  for (let tries = 0; ; tries++) {
    if (await isReady()) break
    if (tries > 300 || server.exitCode !== null) throw new Error('the server for the journeys did not start')
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return {
    dataDir,
    output: () => output,
    async stop() {
      server.kill('SIGINT')
      await ended
      removeScratch(folder)
    },
  }
}
