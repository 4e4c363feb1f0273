// `node scripts/operator-tools.mjs nginx` (or another below): prints the path of a program that reads files of deploy/, for the
// tests. Where the machine has none, Debian's packages are taken apart in a folder of the cache; nothing is installed.
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
    // A library has a package of its own on some releases, and comes with the program on others.
    for (const one of tool.packages)
      if (run('apt-cache', 'policy', one).includes('Candidate:')) run('apt-get', '-qq', 'download', one)
    for (const file of readdirSync(unfinished).filter((found) => found.endsWith('.deb')))
      run('dpkg-deb', '--extract', file, '.')
    // Libraries beside the program are found by its caller: LD_LIBRARY_PATH.
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
