// A long-running program that starts on first use, responds to each request with one line, and exits after a
// while without requests.
import type { ChildProcess } from 'node:child_process'
import { Socket } from 'node:net'
import { spawnLimited } from './child.server.ts'

/**
 * Maximum address space. Most of it is only reserved by Node.js; a 120 s recording actually uses 420 MB of
 * memory.
 */
const MEGABYTES = 4096
/** Maximum response length. A two-minute transcript is about 2 kB. */
const MOST_CHARACTERS = 64 * 1024

/** A child process that handles one request at a time. Other requests wait in a queue. */
export class IdleChild {
  readonly #command: string[]
  readonly #idleMs: number
  #child: ChildProcess | undefined
  #idle: NodeJS.Timeout | undefined
  #last: Promise<unknown> = Promise.resolve()

  /** @param idleMs how long the process may be idle before it exits, in milliseconds */
  constructor(program: string, args: string[], idleMs: number) {
    this.#command = [program, ...args]
    this.#idleMs = idleMs
  }

  get isRunning(): boolean {
    return this.#child !== undefined
  }

  /**
   * Sends a request and returns the program's response line, or undefined if the program exits first. If
   * nobody is waiting anymore, kills the program and throws the signal's reason.
   */
  ask(question: Uint8Array, signal: AbortSignal): Promise<string | undefined> {
    const answer = this.#last.then(() => this.#askNow(question, signal))
    this.#last = answer.catch(() => undefined)
    return answer
  }

  end(): void {
    clearTimeout(this.#idle)
    this.#child?.kill('SIGKILL')
    this.#child = undefined
  }

  #askNow(question: Uint8Array, signal: AbortSignal): Promise<string | undefined> {
    signal.throwIfAborted()
    clearTimeout(this.#idle)
    const child = (this.#child ??= this.#start())
    hold(child, true)
    return new Promise((resolve, reject) => {
      let output = ''
      const stop = (settle: () => void, isOver: boolean) => {
        signal.removeEventListener('abort', leave)
        child.stdout?.removeListener('data', listen)
        child.removeListener('close', gone)
        child.removeListener('error', gone)
        hold(child, false)
        if (isOver) this.end()
        else this.#idle = setTimeout(() => this.end(), this.#idleMs).unref()
        settle()
      }
      const leave = () => stop(() => reject(signal.reason as Error), true)
      const gone = () => stop(() => resolve(undefined), true)
      const listen = (chunk: Buffer) => {
        output += chunk.toString('utf8')
        if (output.length > MOST_CHARACTERS) return gone()
        const end = output.indexOf('\n')
        if (end >= 0) stop(() => resolve(output.slice(0, end)), false)
      }
      signal.addEventListener('abort', leave, { once: true })
      child.stdout?.on('data', listen)
      child.on('close', gone)
      child.on('error', gone)
      child.stdin?.write(question)
    })
  }

  #start(): ChildProcess {
    const child = spawnLimited(this.#command, { megabytes: MEGABYTES }, ['pipe', 'pipe', 'ignore'])
    // If the program exits before reading all its input, the pipe breaks. The 'close' event reports the exit.
    child.stdin?.on('error', () => undefined)
    child.on('close', () => {
      if (this.#child === child) this.end()
    })
    return child
  }
}

/** The server process stays alive for a busy program, but not for an idle one. */
function hold(child: ChildProcess, isAtWork: boolean): void {
  const way = isAtWork ? 'ref' : 'unref'
  child[way]()
  for (const stream of [child.stdin, child.stdout]) if (stream instanceof Socket) stream[way]()
}
