// Builds the browser code if its sources have changed since the last build.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { prepare, root, run, stop } from './prepare.mjs'

const stamp = join(root, 'build/sources')

export function build(node) {
  const sources = hashOfSources()
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === sources) return
  console.log('Building the pages...')
  rmSync(join(root, 'build'), { recursive: true, force: true })
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  const steps = [
    [vite, 'build', '--logLevel', 'warn'],
    [vite, 'build', '--logLevel', 'warn', '--ssr', 'src/main/prerender.tsx', '--outDir', 'build/prerender'],
    ['scripts/prerender.mjs'],
  ]
  for (const step of steps) if (run(node, step) !== 0) stop('The pages could not be built.')
  writeFileSync(stamp, sources)
}

function hashOfSources() {
  const hash = createHash('sha256')
  for (const entry of [
    'src',
    'public',
    'index.html',
    'demo.html',
    'vite.config.ts',
    'package-lock.json',
    'scripts/prerender.mjs',
    'scripts/page-checker.mjs',
    'scripts/service-worker.mjs',
    'scripts/browser-endpoints.ts',
    'scripts/browser-parts.ts',
    'scripts/browser-scripts.ts',
  ])
    add(join(root, entry))
  return hash.digest('hex')

  function add(path) {
    if (statSync(path).isDirectory()) for (const name of readdirSync(path).sort()) add(join(path, name))
    else if (!/\.(server|test)\.tsx?$/.test(path))
      hash.update(path.slice(root.length)).update(readFileSync(path))
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) build(prepare())
