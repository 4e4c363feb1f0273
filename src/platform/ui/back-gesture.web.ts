// Back closes what's on top of the page: a dialog, a sheet, a menu. Each gets one extra history entry.
import { useEffect, useRef } from 'react'
import { LAYER_OPENED } from './Toast.tsx'

interface Layer {
  onBack: () => void
}

/** Open layers, topmost last. */
const layers: Layer[] = []
let timer: ReturnType<typeof setTimeout> | undefined
/** True while we go back ourselves to drop an entry; that's not the user pressing Back. */
let isReturning = false

/** How many of our entries are between the page and the current position. */
function entries(): number {
  return Number((history.state as { layers?: number } | null)?.layers ?? 0)
}

// A dialog that follows another one reuses its entry, so the history changes only once both have settled.
function settle(): void {
  clearTimeout(timer)
  timer = setTimeout(() => {
    // settle() runs again once we're back.
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

/** The longest to wait for dropping an entry; browsers need a few milliseconds. */
const MOST_WAIT_MS = 1000
const POLL_MS = 10

/** Resolves once nothing is on top of the page and its history entries are gone. Navigating earlier would be undone. */
export async function whenClear(): Promise<void> {
  const end = Date.now() + MOST_WAIT_MS
  while ((layers.length > 0 || entries() > 0 || isReturning) && Date.now() < end)
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
}

function onPopState(): void {
  if (isReturning) {
    isReturning = false
    return settle()
  }
  // The user went forward, or back from another page, to a layer closed long ago; there's nothing to show.
  if (entries() > layers.length) return settle()
  for (const layer of layers.slice(entries()).toReversed()) layer.onBack()
  // A layer that stayed open to ask about unsaved text gets its entry back.
  settle()
}

if (typeof window !== 'undefined') {
  addEventListener('popstate', onPopState)
  // A reload removes layers but not their entries.
  if (entries() > 0) settle()
}

/** Calls `onBack` when the user goes back while this layer is open; the page itself stays. */
export function useBackGesture(onBack: () => void, isOpen = true): void {
  const newest = useRef(onBack)
  useEffect(() => {
    newest.current = onBack
  })
  useEffect(() => {
    if (!isOpen) return
    const layer: Layer = { onBack: () => newest.current() }
    layers.push(layer)
    dispatchEvent(new Event(LAYER_OPENED))
    settle()
    return () => {
      layers.splice(layers.indexOf(layer), 1)
      settle()
    }
  }, [isOpen])
}
