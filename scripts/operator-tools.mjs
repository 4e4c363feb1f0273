// `node scripts/operator-tools.mjs nginx` (or another program below): prints the path of a program that reads
// files in deploy/. Used by the tests. If the machine doesn't have the program, extracts Debian's packages
// into a cache folder without installing anything.
import { execFileSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { root, stop } from './prepare.mjs'

const TOOLS = {
  nginx: { program: 'usr/sbin/nginx', packages: ['nginx', 'libpcre2-8-0'] },
  debootstrap: { program: 'usr/sbin/debootstrap', packages: ['debootstrap'] },
  haproxy: {
    program: 'usr/sbin/haproxy',
    packages: ['haproxy', 'libpcre2-8-0', 'liblua5.3-0', 'libopentracing-c-wrapper0', 'libopentracing1'],
  },
  promtool: { program: 'usr/bin/promtool', packages: ['prometheus'] },
  'systemd-analyze': { program: 'usr/bin/systemd-analyze', packages: ['systemd', 'libsystemd-shared'] },
}

const [name = ''] = process.argv.slice(2)
const tool = TOOLS[name] ?? stop(`Usage: node scripts/operator-tools.mjs ${Object.keys(TOOLS).join('|')}`)
const place = join(root, 'node_modules/.cache/tutorlog', name)
const own = join(place, tool.program)
console.log([join('/', tool.program), own].find((path) => existsSync(path)) ?? download())

/** @returns {string} */
function download() {
  if (!existsSync('/usr/bin/apt-get')) return stop(`The tests of deploy/ need ${name}: install it.`)
  const unfinished = `${place}.${process.pid}`
  mkdirSync(unfinished, { recursive: true })
  const run = (command, ...args) =>
    execFileSync(command, args, { cwd: unfinished, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  try {
    if (process.getuid?.() === 0) run('apt-get', '-qq', 'update')
    // On some Debian releases, the library is in a separate package. On others, it's in the program's
    // package.
    for (const one of tool.packages)
      if (run('apt-cache', 'policy', one).includes('Candidate:')) run('apt-get', '-qq', 'download', one)
    for (const file of readdirSync(unfinished).filter((found) => found.endsWith('.deb')))
      run('dpkg-deb', '--extract', file, '.')
    // The caller sets LD_LIBRARY_PATH so that the libraries next to the program are found.
    if (globSync(join(unfinished, tool.program)).length === 0)
      throw new Error('the package holds no such program')
    renameSync(unfinished, place)
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true })
    if (!existsSync(own))
      return stop(
        `The tests of deploy/ need ${name}, which could not be fetched: install it (${error.message}).`,
      )
  }
  return own
}
