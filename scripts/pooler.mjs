// `node scripts/pooler.mjs`: prints the path of PgBouncer, for the tests. If the machine doesn't have it,
// extracts Debian's package into a cache folder without installing anything.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { root, stop } from './prepare.mjs'

const place = join(root, 'node_modules/.cache/tutorlog/pgbouncer')
const own = join(place, 'usr/sbin/pgbouncer')
const found = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer', '/usr/local/bin/pgbouncer', own].find((path) =>
  existsSync(path),
)
console.log(found ?? download())

/** @returns {string} */
function download() {
  if (!existsSync('/usr/bin/apt-get'))
    return stop('The tests of poolers need PgBouncer: install the package pgbouncer.')
  const unfinished = `${place}.${process.pid}`
  mkdirSync(unfinished, { recursive: true })
  const run = (command, ...args) =>
    execFileSync(command, args, { cwd: unfinished, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  try {
    if (process.getuid?.() === 0) run('apt-get', '-qq', 'update')
    // Dependencies that may be missing on a minimal system. Their names differ between releases.
    const libraries = run('apt-cache', 'depends', 'pgbouncer').match(/\blib(event|c-ares)[\w.-]*/g) ?? []
    run('apt-get', '-qq', 'download', 'pgbouncer', ...libraries)
    for (const file of readdirSync(unfinished)) run('dpkg-deb', '--extract', file, '.')
    renameSync(unfinished, place)
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true })
    if (!existsSync(own))
      return stop(
        `The tests of poolers need PgBouncer, which could not be fetched: install the package pgbouncer (${error.message}).`,
      )
  }
  return own
}
