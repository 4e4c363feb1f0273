// The demo's page keeps the record that both sides share. Each side's frame calls the page, and is notified
// when the other side changes something.
import { type Answer, answer, type Call } from './api.ts'
import { exampleRecord } from './example.ts'
import type { Side } from './record.ts'

export interface Host {
  answer(side: Side, call: Call): Answer
  /** Runs a callback after each change made by the other side. */
  watch(side: Side, listener: () => void): void
}

declare global {
  interface Window {
    demoHost?: Host
  }
}

/** Creates the example data, and then responds to calls from both frames until the page is closed or reloaded. */
export async function openHost(): Promise<void> {
  const record = await exampleRecord(() => new Date())
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
