/**
 * A process that only gets time that no other process wants may be kept for many seconds from reading an answer that
 * has come long ago, so it waits this many times longer.
 */
const IDLE_PATIENCE = 15
let patience = 1

/** Called where a process that only gets idle time starts. */
export function waitLonger(): void {
  patience = IDLE_PATIENCE
}

/** How long this process waits, in milliseconds, where one of normal priority waits for `ms`. */
export function longestWait(ms: number): number {
  return ms * patience
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/** Waits for work to finish, up to a time limit. Returns false on timeout. Rethrows whatever the work throws. */
export async function within(ms: number, work: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  try {
    return await Promise.race([
      work.then(() => true),
      new Promise<boolean>((resolve) => {
        timer = setTimeout(() => resolve(false), ms)
      }),
    ])
  } finally {
    clearTimeout(timer)
  }
}
