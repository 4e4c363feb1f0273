// `node scripts/progress.mjs COUNT BEFORE`: keeps printing how many of COUNT packages have been installed,
// until it's killed. BEFORE is how many packages there were at the start. This is a separate process, because
// its parent is blocked while npm runs.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './prepare.mjs'

const EVERY_MS = 1000
const [all, before] = process.argv.slice(2).map(Number)
let last = 0

setInterval(() => {
  // The parent process may have been killed.
  if (process.ppid === 1) process.exit()
  const there = Math.min(countPackages(join(root, 'node_modules')) - before, all)
  if (there > last) console.log(`  ${there} of ${all} packages`)
  last = Math.max(last, there)
}, EVERY_MS)

function countPackages(folder) {
  if (!existsSync(folder)) return 0
  return readdirSync(folder, { withFileTypes: true }).reduce((count, entry) => {
    if (!entry.isDirectory() || entry.name.startsWith('.')) return count
    if (entry.name.startsWith('@')) return count + countPackages(join(folder, entry.name))
    return count + (existsSync(join(folder, entry.name, 'package.json')) ? 1 : 0)
  }, 0)
}
