// Whether the last call reached the server. We don't rely on the browser's own online status.
import { useSyncExternalStore } from 'react'

let isReachable = true
let isMaintained = false
const listeners = new Set<() => void>()

/** @param inMaintenance whether the server answered that it's in maintenance */
export function noteReachable(found: boolean, inMaintenance = false): void {
  if (found === isReachable && inMaintenance === isMaintained) return
  isReachable = found
  isMaintained = inMaintenance
  for (const listener of listeners) listener()
}

export function isServerReachable(): boolean {
  return isReachable
}

/** Calls the listener on each change. Returns a function that unsubscribes it. */
export function watchReachable(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Resolves as soon as a call reaches the server, or at once if the last one did. */
export async function whenReachable(): Promise<void> {
  if (isReachable) return
  await new Promise<void>((resolve) => {
    const unwatch = watchReachable(() => {
      unwatch()
      resolve()
    })
  })
}

export function useIsReachable(): boolean {
  return useSyncExternalStore(watchReachable, isServerReachable, () => true)
}

/** Whether the server is in maintenance. It then counts as one that can't be reached. */
export function useIsMaintained(): boolean {
  return useSyncExternalStore(
    watchReachable,
    () => isMaintained,
    () => false,
  )
}
