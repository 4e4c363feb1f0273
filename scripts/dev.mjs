// `npm run dev`: runs the app with live reload and demo accounts. Vite serves the browser code and proxies
// API calls to the server.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer as createProbe } from 'node:net'
import { environment, installSpeech, prepare, root, stop } from './prepare.mjs'

const node = prepare({ isForTests: true })
installSpeech()
const { createServer } = await import('vite')
const port = Number(process.env.PORT || 3000)
const host = process.env.HOST || '127.0.0.1'
const behind = await freePort()
const settings = {
  ...environment(),
  PORT: String(behind),
  HOST: '127.0.0.1',
  BASE_URL: process.env.BASE_URL || `http://localhost:${port}`,
}

const target = `http://127.0.0.1:${behind}`
const vite = await createServer({
  root,
  clearScreen: false,
  logLevel: 'warn',
  plugins: [{ name: 'demo', configureServer: serveDemo }],
  server: {
    port,
    host,
    strictPort: true,
    proxy: { '^/(api|mailbox|calendar|healthz|readyz)(/|\\?|$)': { target, configure: sayAway } },
  },
})
await vite.listen().catch((error) => stop(error.message))

// Restarts the server whenever one of its files changes. Node forwards signals and waits for it to exit.
const server = spawn(
  node,
  // On SIGINT, the server restarts right away, because there's no proxy to wait for.
  ['--watch', '--watch-preserve-output', '--watch-kill-signal=SIGINT', 'src/main/server.ts'],
  {
    cwd: root,
    stdio: 'inherit',
    env: settings,
  },
)
const ended = once(server, 'exit')

let demo
let isEnding = false
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => void end())
server.once('exit', () => void end())

if (await isReady()) demo = spawn(node, ['src/main/demo.ts'], { cwd: root, stdio: 'inherit', env: settings })

async function end() {
  if (isEnding) return
  isEnding = true
  server.kill('SIGINT')
  demo?.kill('SIGINT')
  await Promise.all([vite.close(), ended])
  process.exit(0)
}

async function isReady() {
  while (!isEnding) {
    if (
      await fetch(`${target}/readyz`).then(
        (answer) => answer.ok,
        () => false,
      )
    )
      return true
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return false
}

// While the server restarts, tells the browser to try again.
function sayAway(proxy) {
  proxy.on('error', (_error, _request, response) => {
    if ('writeHead' in response && !response.headersSent)
      response.writeHead(503, { 'retry-after': '1' }).end()
  })
}

// Serves demo.html for the demo and its two frames. All other pages use the app's index.html.
function serveDemo({ middlewares }) {
  middlewares.use((request, _response, next) => {
    if (/^\/demo([/?]|$)/.test(request.url ?? '')) request.url = '/demo.html'
    next()
  })
}

async function freePort() {
  const probe = createProbe().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port: found } = probe.address()
  probe.close()
  await once(probe, 'close')
  return found
}
