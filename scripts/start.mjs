// `npm start`: prepares and builds the app, then starts the server.
import { spawn } from 'node:child_process'
import { build } from './build.mjs'
import { environment, fetchVoiceModel, installSpeech, prepare, root } from './prepare.mjs'

const node = prepare()
build(node)
installSpeech()
console.log('Starting Tutorlog...')
const server = spawn(node, ['src/main/server.ts'], {
  cwd: root,
  stdio: 'inherit',
  env: { ...environment(), NODE_ENV: 'production' },
})
const model = fetchVoiceModel(node)
// Ctrl-C already reaches the server, so only signals sent directly to this process have to be forwarded. If a
// signal arrives twice, the server handles it once.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => server.kill(signal))
server.on('exit', (code, signal) => {
  try {
    if (model) process.kill(-model)
  } catch {
    // The process has already exited.
  }
  process.exit(signal ? 1 : (code ?? 1))
})
