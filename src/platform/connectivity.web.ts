// Whether the last call reached the server. We don't rely on the browser's own online status.
import { useSyncExternalStore } from 'react'

let isReachable = true
const listeners = new Set<() => void>()

export function noteReachable(found: boolean): void {
  if (found === isReachable) return
  isReachable = found
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

export function useIsReachable(): boolean {
  return useSyncExternalStore(watchReachable, isServerReachable, () => true)
}
