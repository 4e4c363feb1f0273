// Back closes what's on top of the page: a dialog, a sheet, a menu. While there's something, the history has one extra entry for it.
import { useEffect, useRef } from 'react'
import { LAYER_OPENED } from './Toast.tsx'

interface Layer {
  onBack: () => void
}

/** What's on top of the page, the topmost last. */
const layers: Layer[] = []
let timer: ReturnType<typeof setTimeout> | undefined
/** Whether we're going back to drop an entry: that takes a moment, and isn't the user's Back. */
let isReturning = false

/** How many of these entries there are between the page and the current position. */
function entries(): number {
  return Number((history.state as { layers?: number } | null)?.layers ?? 0)
}

// A dialog that follows another reuses its entry, so the history is adjusted only once both have settled.
function settle(): void {
  clearTimeout(timer)
  timer = setTimeout(() => {
    // It has settled once we're back.
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

/** How long dropping an entry may take; browsers need a few milliseconds. */
const PATIENCE_MS = 1000
const LOOK_MS = 10

/** Resolves once nothing is on top of the page and its entries are gone: a navigation before that would be undone. */
export async function whenClear(): Promise<void> {
  const end = Date.now() + PATIENCE_MS
  while ((layers.length > 0 || entries() > 0 || isReturning) && Date.now() < end)
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
}

function onPopState(): void {
  if (isReturning) {
    isReturning = false
    return settle()
  }
  // Forward, or back from another page, to something closed long ago: there's nothing to show.
  if (entries() > layers.length) return settle()
  for (const layer of layers.slice(entries()).toReversed()) layer.onBack()
  // A layer that stayed open, to ask about what was typed, gets its entry back.
  settle()
}

if (typeof window !== 'undefined') {
  addEventListener('popstate', onPopState)
  // A reload removes the layers but not their entries.
  if (entries() > 0) settle()
}

/** Calls back when the user goes back while this is on top of the page; the page itself stays. */
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
