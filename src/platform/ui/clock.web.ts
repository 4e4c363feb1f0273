// Values that change with the clock while a page stays open.
import { useSyncExternalStore } from 'react'

const MINUTE_MS = 60_000

function onMinute(changed: () => void): () => void {
  let timer: ReturnType<typeof setTimeout>
  const wait = () => {
    timer = setTimeout(
      () => {
        changed()
        wait()
      },
      MINUTE_MS - (Date.now() % MINUTE_MS),
    )
  }
  wait()
  // Timers of a tab in the background may be late.
  document.addEventListener('visibilitychange', changed)
  return () => {
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', changed)
  }
}

/** Reads a value such as the local time, and renders again when it changes, at the latest a minute later. */
export function useClock(read: () => string): string {
  return useSyncExternalStore(onMinute, read)
}
