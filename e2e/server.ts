// Starts the real server for the journeys, with its data in a temporary folder. Afterward, stops the server
// and deletes the folder.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { copyCluster } from '../src/main/testing/cluster.server.ts'
import { removeScratch, scratchFolder } from '../src/main/testing/scratch.server.ts'

export default async function startServer(): Promise<() => Promise<void>> {
  if (process.env.SERVERS === '2') return (await import('../proofs/two-servers.ts')).startTwoServers()
  return (await runServer('4173')).stop
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
    env: { ...process.env, PORT: port, DATA_DIR: dataDir, LOG_LEVEL: 'error', BASE_URL: '', ...settings },
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
