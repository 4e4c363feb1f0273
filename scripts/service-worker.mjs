// Builds the service worker and fills in the names of the files to cache.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vite'
import { APP_PAGES, paths } from '../src/features/site/paths.ts'
import { root } from './prepare.mjs'

/** Writes build/client/service-worker.js, which caches the pages and files in that folder. */
export async function buildServiceWorker() {
  const client = join(root, 'build/client')
  const shell = readFileSync(join(client, 'app.html'), 'utf8')
  const entry = /<script type="module"[^>]* src="([^"]+)"/.exec(shell)[1]
  const files = [
    ...readdirSync(join(client, 'assets'))
      .filter((name) => /\.(js|css|woff2)$/.test(name))
      .map((name) => `/assets/${name}`),
    '/early.js',
    '/favicon.svg',
  ]
  const hash = createHash('sha256').update(shell)
  for (const file of files)
    hash.update(file).update(file.startsWith('/assets/') ? '' : readFileSync(join(client, file)))
  const entryPages = [paths.login, paths.signup, paths.forgotPassword]
  const BUILD = {
    version: hash.digest('hex').slice(0, 12),
    entry,
    files,
    pages: [...APP_PAGES, ...entryPages],
    entryPages,
  }
  await build({
    root,
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    define: { BUILD: JSON.stringify(BUILD) },
    build: {
      outDir: client,
      emptyOutDir: false,
      target: 'es2023',
      lib: {
        entry: join(root, 'src/main/service-worker.ts'),
        formats: ['iife'],
        name: 'worker',
        fileName: () => 'service-worker.js',
      },
    },
  })
}
