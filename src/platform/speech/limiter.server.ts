// Limits heavy work to a number of tasks at once, plus a number of waiting tasks.
export class Limiter {
  readonly #most: number
  readonly #places: number
  #running = 0
  readonly #waiting: { start: () => void }[] = []

  constructor(most: number, places: number) {
    this.#most = most
    this.#places = places
  }

  /**
   * Runs the work once there's room. Returns undefined right away if it's all taken and the queue is
   * full. Throws the signal's reason if nobody is waiting anymore.
   */
  async run<Value>(signal: AbortSignal, work: () => Promise<Value>): Promise<{ value: Value } | undefined> {
    if (this.#running >= this.#most) {
      if (this.#waiting.length >= this.#places) return undefined
      await this.#turn(signal)
    } else this.#running += 1
    try {
      signal.throwIfAborted()
      return { value: await work() }
    } finally {
      // Gives the place to the next task in line. If there isn't one, frees it.
      const next = this.#waiting.shift()
      if (next) next.start()
      else this.#running -= 1
    }
  }

  #turn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const place = {
        start: () => {
          signal.removeEventListener('abort', leave)
          resolve()
        },
      }
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(place), 1)
        reject(signal.reason as Error)
      }
      signal.addEventListener('abort', leave, { once: true })
      this.#waiting.push(place)
    })
  }
}
