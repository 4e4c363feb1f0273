// Child processes with limits on time, memory and output. They're killed when nobody is waiting for them
// anymore.
import { type ChildProcess, spawn, type StdioOptions } from 'node:child_process'
import { accessSync, closeSync, constants, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'

/**
 * A memory-backed folder on Linux. Elsewhere, a temporary folder, so the files are on disk until they're
 * closed.
 */
const MEMORY_FOLDER = '/dev/shm'

/**
 * An unlinked file. It's seekable and disappears when its last reader closes it. On Linux it never touches
 * the disk (promise P4).
 */
export class UnnamedFile {
  readonly descriptor: number

  constructor(content: Uint8Array = new Uint8Array()) {
    const folder = mkdtempSync(
      join(isAccessible(MEMORY_FOLDER, constants.W_OK) ? MEMORY_FOLDER : tmpdir(), 'tutorlog-unnamed-'),
    )
    try {
      this.descriptor = openSync(join(folder, 'unnamed'), 'wx+', 0o600)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
    for (let at = 0; at < content.length;)
      at += writeSync(this.descriptor, content, at, content.length - at, at)
  }

  /**
   * Returns what another program wrote to the file.
   * @param most maximum size in bytes
   */
  read(most: number): Buffer {
    const content = Buffer.alloc(most)
    return content.subarray(0, readSync(this.descriptor, content, 0, most, 0))
  }

  close(): void {
    closeSync(this.descriptor)
  }
}

function isAccessible(path: string, mode: number): boolean {
  try {
    accessSync(path, mode)
    return true
  } catch {
    return false
  }
}

/** Returns a program's path, or undefined if it isn't installed. */
export function programPath(name: string): string | undefined {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((path) => isAccessible(path, constants.X_OK))
}

interface Limits {
  /** Maximum address space. */
  megabytes: number
  /** Maximum CPU time. */
  seconds?: number
}

interface Bounds extends Limits {
  signal: AbortSignal
  /** Maximum size of standard output. */
  outputBytes: number
}

interface Ended {
  code: number | null
  output: Buffer
  /** True if the output was cut off at the limit. */
  isCut: boolean
}

// The shell sets the limits and then execs the program, so no shell stays around. It doesn't interpret the
// arguments.
const LIMITED = 'ulimit -v "$1" 2>/dev/null; ulimit -t "$2" 2>/dev/null; ulimit -c 0; shift 2; exec "$@"'

/** Starts a program. Of the server's environment, it gets only PATH, because the rest has secrets in it. */
export function spawnLimited(
  command: readonly string[],
  { megabytes, seconds }: Limits,
  stdio: StdioOptions,
): ChildProcess {
  const limits = [String(megabytes * 1024), String(seconds ?? 'unlimited')]
  return spawn('/bin/sh', ['-c', LIMITED, 'sh', ...limits, ...command], {
    stdio,
    env: { PATH: process.env.PATH, LANG: 'C.UTF-8' },
    cwd: '/',
  })
}

interface Streams {
  /** Standard input, either as bytes or as an unlinked file that the program can open as /dev/stdin. */
  input: UnnamedFile | Uint8Array | string
  /** Standard output as a file, for programs that open /dev/stdout by name. */
  output?: UnnamedFile
  /** Additional files, which the program can open as /dev/fd/3 and up. */
  files?: UnnamedFile[]
}

/** Runs a program to completion and returns its output. */
export function runChild(
  command: string,
  args: string[],
  bounds: Bounds,
  { input, output, files = [] }: Streams,
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    if (bounds.signal.aborted) return reject(bounds.signal.reason as Error)
    const child = spawnLimited([command, ...args], bounds, [
      input instanceof UnnamedFile ? input.descriptor : 'pipe',
      output ? output.descriptor : 'pipe',
      'ignore',
      ...files.map((file) => file.descriptor),
    ])
    const chunks: Buffer[] = []
    let size = 0
    let isCut = false
    const kill = () => child.kill('SIGKILL')
    bounds.signal.addEventListener('abort', kill, { once: true })
    child.stdout?.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= bounds.outputBytes) return void chunks.push(chunk)
      chunks.push(chunk.subarray(0, Math.max(0, chunk.length - (size - bounds.outputBytes))))
      isCut = true
      kill()
    })
    // If a program exits before reading all its input, the pipe breaks. The exit code tells us why.
    child.stdin?.on('error', () => undefined)
    if (!(input instanceof UnnamedFile)) child.stdin?.end(input)
    child.on('error', (error) => {
      bounds.signal.removeEventListener('abort', kill)
      reject(error)
    })
    child.on('close', (code) => {
      bounds.signal.removeEventListener('abort', kill)
      if (bounds.signal.aborted) reject(bounds.signal.reason as Error)
      else resolve({ code, output: output ? output.read(bounds.outputBytes) : Buffer.concat(chunks), isCut })
    })
  })
}
