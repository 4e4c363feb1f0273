// Limits heavy work to one task per lane, plus a fixed number of waiting tasks.
export class Lanes {
  readonly #lanes: number
  readonly #places: number
  #running = 0
  readonly #waiting: { start: () => void }[] = []

  constructor(lanes: number, places: number) {
    this.#lanes = lanes
    this.#places = places
  }

  /**
   * Runs the work once a lane is free. Returns undefined right away if all lanes are busy and the queue is
   * full. Throws the signal's reason if nobody is waiting anymore.
   */
  async run<Value>(signal: AbortSignal, work: () => Promise<Value>): Promise<{ value: Value } | undefined> {
    if (this.#running >= this.#lanes) {
      if (this.#waiting.length >= this.#places) return undefined
      await this.#turn(signal)
    } else this.#running += 1
    try {
      signal.throwIfAborted()
      return { value: await work() }
    } finally {
      // Gives the lane to the next task in line. If there isn't one, frees the lane.
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
