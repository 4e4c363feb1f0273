// Child processes with limits on time, memory and output. They're killed when nobody is waiting for them
// anymore.
import { spawn } from 'node:child_process'
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
      join(isWritable(MEMORY_FOLDER) ? MEMORY_FOLDER : tmpdir(), 'tutorlog-unnamed-'),
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

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK)
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
    .find((path) => {
      try {
        accessSync(path, constants.X_OK)
        return true
      } catch {
        return false
      }
    })
}

interface Bounds {
  signal: AbortSignal
  /** Maximum address space. */
  megabytes: number
  /** Maximum CPU time. */
  seconds: number
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
    const child = spawn(
      '/bin/sh',
      ['-c', LIMITED, 'sh', String(bounds.megabytes * 1024), String(bounds.seconds), command, ...args],
      {
        stdio: [
          input instanceof UnnamedFile ? input.descriptor : 'pipe',
          output ? output.descriptor : 'pipe',
          'ignore',
          ...files.map((file) => file.descriptor),
        ],
        env: { PATH: process.env.PATH, LANG: 'C.UTF-8' },
        cwd: '/',
      },
    )
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
