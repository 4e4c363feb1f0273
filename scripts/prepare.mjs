// Runs on whatever Node version the machine has (20.19 or newer). Installs missing packages and finds the
// Node version that the app runs on.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const stamp = join(root, 'node_modules/.tutorlog-lock')
/** Without a network, nothing is downloaded and an error says what's missing. */
const isOffline = process.env.OFFLINE === '1'

/**
 * What to install: either just the packages needed to build and run the app, or also the tools for tests,
 * checks and development.
 */
const SERVER = 'server'
const ALL = 'all'

/**
 * Installs any missing packages from the lockfile and returns the path of Node 24.
 * @param isForTests whether to include the tools for tests, checks and development
 */
export function prepare({ isForTests = false } = {}) {
  const lock = readFileSync(join(root, 'package-lock.json'))
  const hash = createHash('sha256').update(lock).digest('hex')
  const [had, hadExtent] = existsSync(stamp) ? readFileSync(stamp, 'utf8').split(' ') : []
  // If the tools are already installed, keeps them.
  const extent = isForTests || hadExtent === ALL ? ALL : SERVER
  if (had !== hash || (extent === ALL && hadExtent !== ALL)) {
    if (isOffline)
      stop(
        `OFFLINE is 1, but packages are missing or out of date. Run "npm ${isForTests ? 'test' : 'start'}" once without it, or bring node_modules along.`,
      )
    installPackages(JSON.parse(lock.toString()), extent, had === hash)
    writeFileSync(stamp, `${hash} ${extent}`)
  }
  const own = join(root, 'node_modules/.bin/node')
  if (existsSync(own)) return own
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath
  return stop(
    `Tutorlog runs on Node 24; this is ${process.version}, and no Node 24 package exists for ${process.platform} ${process.arch}.`,
  )
}

/**
 * Adds missing packages or reinstalls everything. It's safe to add packages while a server is running from
 * this folder.
 */
function installPackages({ packages }, extent, isMore) {
  // Skips packages for other platforms.
  const wanted = Object.entries(packages).filter(
    ([path, { os, cpu, dev }]) => path && fits(os, cpu) && (extent === ALL || !dev),
  )
  const missing = isMore ? wanted.filter(([path]) => !existsSync(join(root, path))) : wanted
  console.log(
    `Installing ${missing.length} ${missing.length === 1 ? 'package' : 'packages'} (a minute or two)...`,
  )
  const progress = spawn(
    process.execPath,
    [join(root, 'scripts/progress.mjs'), String(missing.length), String(wanted.length - missing.length)],
    { stdio: ['ignore', 'inherit', 'inherit'] },
  )
  const { NODE_ENV: _, ...environment } = process.env
  const { status } = spawnSync(
    'npm',
    [
      ...(isMore ? ['install', '--no-save'] : ['ci']),
      extent === ALL ? '--include=dev' : '--omit=dev',
      '--include=optional',
      '--no-audit',
      '--no-fund',
      '--loglevel=error',
    ],
    { cwd: root, stdio: 'inherit', env: environment },
  )
  progress.kill()
  if (status !== 0) stop('The packages could not be installed; npm says why above.')
  removeUnread()
}

/** Source maps, types, and the code for importing icons by dynamic name. */
const UNREAD_ICONS = /^(dynamic.*|dist\/.*\.(map|(prefixed|suffixed)\.d\.ts))$/
/** Styles, and font files other than WOFF in the weights of platform/pdf/type.server.ts. PDF files use no others. */
const UNREAD_FONTS = /^(?!files\/[a-z-]+-[467]00-normal\.woff$)(files\/|.*\.s?css$)/

/** Removes files that we never use, which take up most of these packages. */
function removeUnread() {
  removeFiles('lucide-react', UNREAD_ICONS)
  const fonts = join(root, 'node_modules/@fontsource')
  for (const name of existsSync(fonts) ? readdirSync(fonts) : [])
    if (name.startsWith('noto-')) removeFiles(`@fontsource/${name}`, UNREAD_FONTS)
}

function removeFiles(name, unread) {
  const folder = join(root, 'node_modules', name)
  if (!existsSync(folder)) return
  for (const path of readdirSync(folder, { recursive: true }))
    if (unread.test(path)) rmSync(join(folder, path), { force: true })
}

function fits(os, cpu) {
  return (!os || os.includes(process.platform)) && (!cpu || cpu.includes(process.arch))
}

/** The local speech engine's programs and the Debian and Ubuntu packages they're in. */
const SPEECH_PROGRAMS = ['pocketsphinx_batch', 'espeak-ng', 'ffmpeg']
const SPEECH_PACKAGES = ['pocketsphinx', 'pocketsphinx-en-us', 'espeak-ng', 'ffmpeg']

/**
 * Installs the local speech engine if possible, which requires root on Debian or Ubuntu. Otherwise, prints
 * the command to run. Only recordings need the engine, so a failure here doesn't keep the server from
 * starting.
 */
export function installSpeech() {
  const engine = process.env.SPEECH_ENGINE || 'auto'
  // A remote engine needs only the decoder to be installed.
  const isRemote = engine === 'remote' || (engine === 'auto' && process.env.SPEECH_URL)
  const [programs, packages] = isRemote ? [['ffmpeg'], ['ffmpeg']] : [SPEECH_PROGRAMS, SPEECH_PACKAGES]
  if (engine === 'off' || programs.every((name) => isInstalled(name))) return
  const command = `apt-get install -y --no-install-recommends ${packages.join(' ')}`
  if (!existsSync('/usr/bin/apt-get'))
    return console.log(`Voice input takes typed text only: install ${packages.join(', ')} for recordings.`)
  if (isOffline)
    return console.log(`Voice input takes typed text only: OFFLINE is 1. This adds recordings: ${command}`)
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

/**
 * Downloads the second speech engine's model (28 MB) once, while the server is already running. Without a
 * network, the server runs without that engine, and the next start tries again. Returns the download's
 * process group, if there is one.
 */
export function fetchVoiceModel(node) {
  const { SPEECH_ENGINE, SPEECH_URL, SPEECH_MODEL_DIR, DATA_DIR } = process.env
  const isWanted =
    !isOffline && (SPEECH_ENGINE === 'local' || ((SPEECH_ENGINE || 'auto') === 'auto' && !SPEECH_URL))
  const folder = resolve(root, SPEECH_MODEL_DIR || join(DATA_DIR || 'data', 'models'))
  if (!isWanted || !isInstalled('ffmpeg') || existsSync(join(folder, 'moonshine'))) return undefined
  const child = spawn(node, ['src/main/admin.ts', 'voice-model', 'install'], {
    cwd: root,
    stdio: 'ignore',
    env: environment(),
    // Runs in a separate process group, so that its child processes stop too.
    detached: true,
  })
  child.on('error', () => undefined)
  child.unref()
  return child.pid
}

function isInstalled(program) {
  return (process.env.PATH ?? '').split(':').some((folder) => existsSync(join(folder, program)))
}

/**
 * The environment for programs in node_modules. Puts the right Node first in PATH and caches compiled code
 * for the next start.
 */
export function environment() {
  return {
    NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/tutorlog/compiled'),
    ...process.env,
    PATH: `${join(root, 'node_modules/.bin')}:${process.env.PATH}`,
  }
}

/** Runs a command to completion and returns its exit code. */
export function run(command, args, options = {}) {
  const { status, signal } = spawnSync(command, args, {
    cwd: root,
    stdio: 'inherit',
    env: environment(),
    ...options,
  })
  return signal ? 1 : (status ?? 1)
}

/** Prints a single line that says what's wrong, then exits. */
export function stop(line) {
  console.error(line)
  process.exit(1)
}
