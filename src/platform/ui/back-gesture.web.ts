// Makes Back close the topmost dialog, sheet or menu. Each of these adds a history entry.
import { useEffect, useRef } from 'react'
import { LAYER_OPENED } from './Toast.tsx'

interface Layer {
  onBack: () => void
  /** True for a form in the page. You can leave the page while it's open. */
  isInPage: boolean
}

/** The open layers, with the topmost last. */
const layers: Layer[] = []
let timer: ReturnType<typeof setTimeout> | undefined
/** True while our own code goes back to remove a history entry, as opposed to when the user presses Back. */
let isReturning = false

/** How many history entries we've added for layers, up to the current position. */
function entries(): number {
  return Number((history.state as { layers?: number } | null)?.layers ?? 0)
}

// Deferred so that a dialog that replaces another one can reuse its history entry.
function settle(): void {
  clearTimeout(timer)
  timer = setTimeout(() => {
    // onPopState calls settle() again.
    if (isReturning) return
    const missing = layers.length - entries()
    if (missing < 0) {
      isReturning = true
      history.go(missing)
    }
    for (let more = 0; more < missing; more++)
      history.pushState({ ...(history.state as object | null), layers: entries() + 1 }, '')
  }, 0)
}

/**
 * Maximum time to wait for an entry to be removed. It usually takes a browser milliseconds, but longer on a
 * busy device.
 */
const MOST_WAIT_MS = 5000
const POLL_MS = 10

/**
 * Resolves once nothing covers the page and the history entries are gone. Navigating before that would be
 * undone.
 */
export async function whenClear(): Promise<void> {
  const end = Date.now() + MOST_WAIT_MS
  const isCovered = () => {
    const inPage = layers.filter((layer) => layer.isInPage).length
    return Math.max(layers.length, entries()) > inPage || isReturning
  }
  while (isCovered() && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, POLL_MS))
}

function onPopState(): void {
  if (isReturning) {
    isReturning = false
    return settle()
  }
  // The user went forward, or back from another page, to a history entry whose layer has since been closed.
  // There's nothing to show.
  if (entries() > layers.length) return settle()
  for (const layer of layers.slice(entries()).toReversed()) layer.onBack()
  // A layer may stay open to ask about unsaved text. It then gets its history entry back.
  settle()
}

if (typeof window !== 'undefined') {
  addEventListener('popstate', onPopState)
  // A reload closes the layers but keeps their history entries.
  if (entries() > 0) settle()
}

/** Calls `onBack` when the user goes back while this layer is open. The page doesn't change. */
export function useBackGesture(onBack: () => void, isOpen = true, isInPage = false): void {
  const newest = useRef(onBack)
  useEffect(() => {
    newest.current = onBack
  })
  useEffect(() => {
    if (!isOpen) return
    const layer: Layer = { onBack: () => newest.current(), isInPage }
    layers.push(layer)
    dispatchEvent(new Event(LAYER_OPENED))
    settle()
    return () => {
      layers.splice(layers.indexOf(layer), 1)
      settle()
    }
  }, [isOpen, isInPage])
}
