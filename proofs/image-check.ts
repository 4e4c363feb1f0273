// The program that proofs/image-check.mjs runs. It executes the Containerfile's own steps, so the two can't
// diverge. Instead of the base image, it uses a Debian installed by debootstrap, with the Node version from
// package.json. Instead of a container, it uses namespaces: a read-only root folder, one volume, no network
// except loopback, and the Containerfile's user without any capabilities.
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, matchesGlob, resolve } from 'node:path'
import { until } from '#main/testing/process.server.ts'
import { type Stage, stagesOf, type Step } from '../scripts/containerfile.ts'

/** The time limits in the Containerfile (start-period) and in compose.yaml (stop_grace_period). */
const START_MS = 60_000
const STOP_MS = 30_000
const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
/**
 * The certificates this machine trusts, and the path they're copied to in a root folder while packages are
 * downloaded.
 */
const TRUSTED = process.env.NODE_EXTRA_CA_CERTS ?? '/etc/ssl/certs/ca-certificates.crt'
const CERTIFICATES = '/tmp/certificates.pem'

/** A root folder that's being built, with its path and the settings from the steps so far. */
interface Root {
  folder: string
  workdir: string
  env: Record<string, string>
}

interface Container {
  process: ChildProcess
  said(): string
  /** Runs a program inside the container as the container's user. Returns its exit code and output. */
  ask(args: string[]): { code: number | null; said: string }
  /** Stops the container with its STOPSIGNAL and returns the exit code. */
  stop(): Promise<number | null>
}

const place = mkdtempSync(join(tmpdir(), 'tutorlog-image-'))
chmodSync(place, 0o755)

async function check(given: Record<string, string>): Promise<void> {
  if (process.getuid?.() !== 0 || process.platform !== 'linux')
    throw new Error('Roots and namespaces are made as root on Linux.')
  const stages = stagesOf(readFileSync('Containerfile', 'utf8'))
  const roots = new Map<string, Root>()
  for (const stage of stages)
    roots.set(
      stage.name,
      timed(`stage ${stage.name}`, () => build(stage, roots, given)),
    )
  const last = stages.at(-1)
  const root = roots.get(last?.name ?? '')
  if (!last || !root) throw new Error('The Containerfile has no stage.')
  console.log(
    `size: ${megabytes(root.folder)} MB, of which ${root.workdir}: ${megabytes(join(root.folder, root.workdir))} MB`,
  )
  checkParts(join(root.folder, root.workdir))
  await start(last, root)
}

/** Checks that the list of packages in the image names each one that's installed there. */
function checkParts(folder: string): void {
  const read = (file: string) => JSON.parse(readFileSync(join(folder, file), 'utf8'))
  const { components } = read('sbom.cdx.json') as { components: { name: string; version: string }[] }
  const listed = new Set(components.map(({ name, version }) => `${name}@${version}`))
  const { packages } = read('node_modules/.package-lock.json') as {
    packages: Record<string, { version: string }>
  }
  const installed = Object.entries(packages).map(
    ([path, { version }]) => `${path.replace(/^.*node_modules\//, '')}@${version}`,
  )
  const missing = installed.filter((one) => !listed.has(one))
  if (installed.length === 0 || missing.length > 0)
    throw new Error(`sbom.cdx.json lacks: ${missing.join(', ')}`)
  console.log(`sbom.cdx.json: ${listed.size} packages, among them all ${installed.length} that are installed`)
}

// Building.

function build(stage: Stage, roots: Map<string, Root>, given: Record<string, string>): Root {
  const folder = join(place, stage.name)
  copy(baseOf(stage.base), folder)
  const root: Root = { folder, workdir: '/', env: { PATH, HOME: '/root' } }
  // Build arguments apply only to the build and don't become part of the image.
  const args: Record<string, string> = {}
  for (const step of stage.steps) {
    if (step.name === 'ARG') Object.assign(args, argumentOf(step, given))
    else STEPS[step.name](root, step.words, roots, args)
  }
  return root
}

type Doing = (root: Root, words: string, roots: Map<string, Root>, args: Record<string, string>) => void

const STEPS: Record<Exclude<Step['name'], 'ARG'>, Doing> = {
  WORKDIR(root, words) {
    root.workdir = resolve(root.workdir, words)
    mkdirSync(join(root.folder, root.workdir), { recursive: true })
  },
  ENV(root, words) {
    for (const [, name = '', value = ''] of words.matchAll(/(\w+)=(\S*)/g)) root.env[name] = value
  },
  COPY(root, words, roots) {
    const [, from, what = ''] = /^(?:--from=(\S+) )?(.*)$/.exec(words) ?? []
    const sources = what.split(' ')
    const target = sources.pop() ?? ''
    const to = join(root.folder, resolve(root.workdir, target))
    for (const source of sources) {
      const isInto = sources.length > 1 || target.endsWith('/') || target === '.'
      if (from === undefined) copyContext(source, to, isInto)
      else copyAcross(join(roots.get(from)?.folder ?? '', source), to, isInto)
    }
  },
  RUN(root, words, _roots, args) {
    const { folder, workdir, env } = root
    lendNetwork(folder)
    const certificates = existsSync(join(folder, CERTIFICATES))
      ? { NODE_EXTRA_CA_CERTS: CERTIFICATES, npm_config_cafile: CERTIFICATES }
      : {}
    const { status } = spawnSync(
      'unshare',
      [
        '--mount',
        '--pid',
        '--fork',
        '--kill-child',
        'sh',
        '-ec',
        ENTER,
        'sh',
        folder,
        workdir,
        'sh',
        '-c',
        words,
      ],
      {
        stdio: ['ignore', 'inherit', 'inherit'],
        env: { ...env, ...args, ...certificates, DEBIAN_FRONTEND: 'noninteractive' },
      },
    )
    rmSync(join(folder, CERTIFICATES), { force: true })
    rmSync(join(folder, 'etc/resolv.conf'), { force: true })
    if (status !== 0) throw new Error(`This step ended with ${status}: RUN ${words}`)
  },
}

/**
 * In a root folder, mounts what every container has, then makes that folder the root. The mounts disappear
 * with the namespace.
 */
const ENTER = `
mount --make-rprivate /
mount --bind "$1" "$1"
mount -t proc proc "$1/proc"
mount -t tmpfs -o mode=755 dev "$1/dev"
for device in null zero full random urandom; do touch "$1/dev/$device"; mount --bind "/dev/$device" "$1/dev/$device"; done
ln -s /proc/self/fd "$1/dev/fd"
mkdir "$1/dev/shm"
mount -t tmpfs -o mode=1777,size=64m shm "$1/dev/shm"
if [ -n "$VOLUME" ]; then
  mount --bind "$VOLUME" "$1$VOLUME_AT"
  mount -t tmpfs -o mode=1777 tmp "$1/tmp"
  mount -o remount,bind,ro "$1"
  ip link set lo up
fi
root="$1" folder="$2"; shift 2
unset VOLUME VOLUME_AT
exec chroot "$root" sh -c 'cd "$0" && exec "$@"' "$folder" "$@"`

function argumentOf({ words }: Step, given: Record<string, string>): Record<string, string> {
  const [, name = '', value = ''] = /^(\w+)=?"?(.*?)"?$/.exec(words) ?? []
  return { [name]: given[name] ?? value }
}

/**
 * The Debian release with the same Node version and user as the named image. Created the first time it's
 * needed.
 */
function baseOf(image: string): string {
  const [, version, release = ''] = /\/node:([\d.]+)-(\w+)-slim$/.exec(image) ?? []
  const own = `v${version}`
  if (process.version !== own) throw new Error(`${image} has Node ${own}, this is ${process.version}.`)
  const folder = join(place, `base-${release}`)
  if (existsSync(folder)) return folder
  timed(`Debian ${release}`, () => {
    const program = execFileSync(process.execPath, ['scripts/operator-tools.mjs', 'debootstrap'], {
      encoding: 'utf8',
    }).trim()
    execFileSync('sh', [program, '--variant=minbase', release, folder], {
      env: { ...process.env, DEBOOTSTRAP_DIR: join(dirname(program), '../share/debootstrap') },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    rmSync(join(folder, 'var/cache/apt/archives'), { recursive: true, force: true })
    execFileSync('chroot', [folder, 'useradd', '--uid', '1000', '--create-home', 'node'], { env: { PATH } })
    cpSync(realpathSync(process.execPath), join(folder, 'usr/local/bin/node'))
    copy(npmOf(), join(folder, 'usr/local/lib/node_modules/npm'))
    execFileSync('ln', ['-s', '../lib/node_modules/npm/bin/npm-cli.js', join(folder, 'usr/local/bin/npm')])
  })
  return folder
}

// Replaces the image's npm with the one on this machine.
function npmOf(): string {
  const command = execFileSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).trim()
  return join(dirname(realpathSync(command)), '..')
}

// Build steps may use the machine's network.
function lendNetwork(folder: string): void {
  cpSync(realpathSync('/etc/resolv.conf'), join(folder, 'etc/resolv.conf'))
  if (existsSync(TRUSTED)) cpSync(realpathSync(TRUSTED), join(folder, CERTIFICATES))
}

/** Files that aren't ignored by git or excluded by .dockerignore. */
function contextFiles(): string[] {
  const ignored = readFileSync('.dockerignore', 'utf8').trim().split('\n')
  return execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .filter((file) => existsSync(file))
    .filter(
      (file) => !ignored.some((pattern) => matchesGlob(file, pattern) || file.startsWith(`${pattern}/`)),
    )
}

function copyContext(source: string, to: string, isInto: boolean): void {
  const files = contextFiles()
  if (files.includes(source))
    return cpSync(source, isInto ? join(to, source.split('/').at(-1) ?? '') : to, { recursive: true })
  const under = source === '.' ? '' : `${source}/`
  const found = files.filter((file) => file.startsWith(under))
  if (found.length === 0) throw new Error(`There is nothing to copy: ${source}`)
  for (const file of found) cpSync(file, join(to, file.slice(under.length)), { recursive: true })
}

function copyAcross(source: string, to: string, isInto: boolean): void {
  if (statSync(source).isDirectory()) copy(source, to)
  else cpSync(source, isInto ? join(to, source.split('/').at(-1) ?? '') : to)
}

function copy(from: string, to: string): void {
  mkdirSync(to, { recursive: true })
  execFileSync('cp', ['-a', '--reflink=auto', `${from}/.`, to])
}

// Running.

async function start(stage: Stage, root: Root): Promise<void> {
  const [volumeAt = '', ...others] = stage.volumes
  if (others.length > 0 || stage.user === 'root')
    throw new Error('One volume, and not as root, is what this checks.')
  // A new volume starts out as a copy of the image's folder.
  const volume = join(place, 'volume')
  copy(join(root.folder, volumeAt), volume)
  execFileSync('cp', ['-a', '--attributes-only', join(root.folder, volumeAt), `${volume}.made`])
  execFileSync('chown', ['--reference', join(root.folder, volumeAt), volume])
  execFileSync('chmod', ['--reference', join(root.folder, volumeAt), volume])
  const before = filesOf(root.folder)
  for (const which of ['first', 'second']) {
    const began = performance.now()
    const container = run(stage, root, volume, volumeAt)
    await until(
      'the health check is answered',
      async () => {
        if (container.process.exitCode !== null) throw new Error(container.said())
        return container.ask(stage.health).code === 0
      },
      START_MS,
    )
    const seconds = (performance.now() - began) / 1000
    for (const [path, words] of [
      ['/readyz', 'ready'],
      ['/', 'Tutorlog'],
    ] as const) {
      const { code, said } = container.ask([
        'node',
        '-e',
        `fetch('http://127.0.0.1:3000${path}').then((answer) => answer.text()).then(console.log)`,
      ])
      if (code !== 0 || !said.includes(words)) throw new Error(`${path} answered: ${said}`)
    }
    const { said: who } = container.ask([
      'sh',
      '-c',
      'id -un; touch /srv/tutorlog/x 2>&1; touch /data/x && echo written',
    ])
    if (!new RegExp(`^${stage.user}\\n.*Read-only file system\\nwritten`).test(who))
      throw new Error(`inside it says: ${who}`)
    const code = await container.stop()
    if (code !== 0) throw new Error(`${stage.stopSignal} ended it with ${code}: ${container.said()}`)
    console.log(
      `${which} start: healthy after ${seconds.toFixed(1)} s as ${stage.user}; ended by ${stage.stopSignal} in order`,
    )
  }
  if (filesOf(root.folder) !== before) throw new Error('The image has changed while it ran.')
}

function run(stage: Stage, root: Root, volume: string, volumeAt: string): Container {
  const asUser = [
    'setpriv',
    '--reuid',
    stage.user,
    '--regid',
    stage.user,
    '--clear-groups',
    '--no-new-privs',
    '--bounding-set=-all',
    '--inh-caps=-all',
  ]
  const env = { ...root.env, HOME: `/home/${stage.user}` }
  const child = spawn(
    'unshare',
    [
      '--mount',
      '--pid',
      '--net',
      '--ipc',
      '--fork',
      '--kill-child',
      'sh',
      '-ec',
      ENTER,
      'sh',
      root.folder,
      root.workdir,
      ...asUser,
      ...stage.command,
    ],
    { stdio: ['ignore', 'pipe', 'pipe'], env: { ...env, VOLUME: volume, VOLUME_AT: volumeAt } },
  )
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
  const ended = once(child, 'exit') as Promise<[number | null]>
  // The PID of the container's first process, as seen from outside the container.
  const first = () => readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim()
  return {
    process: child,
    said: () => output,
    ask(args) {
      const { status, stdout, stderr } = spawnSync(
        'nsenter',
        ['--target', first(), '--mount', '--pid', '--net', '--root', '--wd', ...asUser, ...args],
        { encoding: 'utf8', env, timeout: 10_000 },
      )
      return { code: status, said: `${stdout}${stderr}`.trim() }
    },
    async stop() {
      process.kill(Number(first()), stage.stopSignal)
      const giveUp = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
      const [code] = await ended
      clearTimeout(giveUp)
      return code
    },
  }
}

function filesOf(folder: string): string {
  return execFileSync('find', [folder, '-xdev', '-printf', '%P %s %T@\\n'], {
    encoding: 'utf8',
    maxBuffer: 1024 ** 3,
  })
}

function megabytes(folder: string): number {
  return Number(execFileSync('du', ['-sm', folder], { encoding: 'utf8' }).split('\t')[0])
}

function timed<Made>(what: string, work: () => Made): Made {
  const began = performance.now()
  const made = work()
  console.log(`${what}: ${Math.round((performance.now() - began) / 1000)} s`)
  return made
}

try {
  await check(Object.fromEntries(process.argv.slice(2).map((word) => word.split(/=(.*)/s))))
} finally {
  rmSync(place, { recursive: true, force: true })
}
