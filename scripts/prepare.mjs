// Runs on the machine's own Node (20.19 or newer): installs what's missing and finds the Node that the app runs on.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const stamp = join(root, 'node_modules/.tutorlog-lock')

/** Installs the lockfile's packages if they're missing, and returns the path of Node 24. */
export function prepare() {
  const lock = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== lock) {
    console.log('Installing packages...')
    const { NODE_ENV: _, ...environment } = process.env
    const { status } = spawnSync(
      'npm',
      ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error'],
      { cwd: root, stdio: 'inherit', env: environment },
    )
    if (status !== 0) stop('The packages could not be installed; npm says why above.')
    writeFileSync(stamp, lock)
  }
  const own = join(root, 'node_modules/.bin/node')
  if (existsSync(own)) return own
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath
  return stop(
    `Tutorlog runs on Node 24; this is ${process.version}, and no Node 24 package exists for ${process.platform} ${process.arch}.`,
  )
}

/** The programs of the local speech engine, and the Debian and Ubuntu packages they're in. */
const SPEECH_PROGRAMS = ['pocketsphinx_batch', 'espeak-ng', 'ffmpeg']
const SPEECH_PACKAGES = ['pocketsphinx', 'pocketsphinx-en-us', 'espeak-ng', 'ffmpeg']

/**
 * Installs the local speech engine if it can: as root on Debian and Ubuntu. Otherwise it prints the command to run. Without the
 * engine everything works except recordings, so nothing here stops the start.
 */
export function installSpeech() {
  const engine = process.env.SPEECH_ENGINE || 'auto'
  // A remote engine needs only the decoder.
  const isRemote = engine === 'remote' || (engine === 'auto' && process.env.SPEECH_URL)
  const [programs, packages] = isRemote ? [['ffmpeg'], ['ffmpeg']] : [SPEECH_PROGRAMS, SPEECH_PACKAGES]
  if (engine === 'off' || programs.every((name) => isInstalled(name))) return
  const command = `apt-get install -y --no-install-recommends ${packages.join(' ')}`
  if (!existsSync('/usr/bin/apt-get'))
    return console.log(`Voice input takes typed text only: install ${packages.join(', ')} for recordings.`)
  if (process.getuid?.() !== 0)
    return console.log(`Voice input takes typed text only. This command adds recordings: sudo ${command}`)
  console.log('Installing the speech engine (SPEECH_ENGINE=off prevents it)...')
  const quiet = {
    stdio: ['ignore', 'ignore', 'inherit'],
    timeout: 300_000,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  }
  run('apt-get', ['-qq', 'update'], quiet)
  if (run('apt-get', ['-qq', 'install', '-y', '--no-install-recommends', ...packages], quiet) !== 0)
    console.log(`The speech engine could not be installed; Tutorlog starts without it. Later: ${command}`)
}

function isInstalled(program) {
  return (process.env.PATH ?? '').split(':').some((folder) => existsSync(join(folder, program)))
}

/** The environment for programs in node_modules, with the right Node first. */
export function environment() {
  return { ...process.env, PATH: `${join(root, 'node_modules/.bin')}:${process.env.PATH}` }
}

/** Runs a command until it exits and returns its exit code. */
export function run(command, args, options = {}) {
  const { status, signal } = spawnSync(command, args, {
    cwd: root,
    stdio: 'inherit',
    env: environment(),
    ...options,
  })
  return signal ? 1 : (status ?? 1)
}

/** Exits with one line that says what's wrong. */
export function stop(line) {
  console.error(line)
  process.exit(1)
}
