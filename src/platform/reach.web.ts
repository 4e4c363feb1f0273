// Whether the server can be reached, as the last call found it; the browser's own word about its network is not asked.
import { useSyncExternalStore } from 'react'

let isReachable = true
const listeners = new Set<() => void>()

/** Notes what a call has found. */
export function noteReach(found: boolean): void {
  if (found === isReachable) return
  isReachable = found
  for (const listener of listeners) listener()
}

export function isServerReachable(): boolean {
  return isReachable
}

/** Calls the listener at each change; returns what ends that. */
export function watchReach(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useReach(): boolean {
  return useSyncExternalStore(watchReach, isServerReachable, () => true)
}
