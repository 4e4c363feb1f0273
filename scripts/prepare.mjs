// Runs on the machine's own Node (20.19 or newer): installs what is missing and finds the Node that the app runs on.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const stamp = join(root, 'node_modules/.tutorlog-lock')

/** Installs the packages of the lockfile where they are not, and returns the path of Node 24. */
export function prepare() {
  const lock = createHash('sha256').update(readFileSync(join(root, 'package-lock.json'))).digest('hex')
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== lock) {
    console.log('Installing packages...')
    const { NODE_ENV: _, ...environment } = process.env
    const { status } = spawnSync('npm', ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: root, stdio: 'inherit', env: environment })
    if (status !== 0) stop('The packages could not be installed; npm says why above.')
    writeFileSync(stamp, lock)
  }
  const own = join(root, 'node_modules/.bin/node')
  if (existsSync(own)) return own
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath
  return stop(`Tutorlog runs on Node 24; this is ${process.version}, and no Node 24 package exists for ${process.platform} ${process.arch}.`)
}

/** The environment for the programs of node_modules, with the right Node first. */
export function environment() {
  return { ...process.env, PATH: `${join(root, 'node_modules/.bin')}:${process.env.PATH}` }
}

/** Runs a command to its end and returns its exit code. */
export function run(command, args, options = {}) {
  const { status, signal } = spawnSync(command, args, { cwd: root, stdio: 'inherit', env: environment(), ...options })
  return signal ? 1 : (status ?? 1)
}

/** Ends with one line that says what is wrong. */
export function stop(line) {
  console.error(line)
  process.exit(1)
}
