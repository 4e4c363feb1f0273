// The demo's page keeps the record of both sides; each side's frame asks it, and hears when the other changed something.
import type { Side } from '../money-model.ts'
import { type Answer, answer, type Call } from './api.ts'
import { exampleRecord } from './example.ts'

export interface Host {
  answer(side: Side, call: Call): Answer
  /** Calls back after each change that the other side made. */
  watch(side: Side, listener: () => void): void
}

declare global {
  interface Window {
    demoHost?: Host
  }
}

/** Makes the example data and answers both sides from it, until the page is closed or loaded again. */
export function openHost(): void {
  const record = exampleRecord(() => new Date())
  const listeners = new Map<Side, () => void>()
  window.demoHost ??= {
    answer(side, call) {
      const answered = answer(record, side, call)
      if (call.method !== 'GET' && answered.status < 400)
        for (const [other, listener] of listeners) if (other !== side) listener()
      return answered
    },
    watch(side, listener) {
      listeners.set(side, listener)
    },
  }
}
