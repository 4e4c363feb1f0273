// Back closes what lies on top of the page: a dialog, a sheet, a menu. While something does, the history holds one entry more for it.
import { useEffect, useRef } from 'react'

interface Layer {
  onBack: () => void
}

/** What lies on top of the page, the topmost last. */
const layers: Layer[] = []
let timer: ReturnType<typeof setTimeout> | undefined
/** Whether an entry is being given back: going there takes a moment, and is nobody's Back. */
let isReturning = false

/** How many of its entries lie between the page and where the history stands. */
function entries(): number {
  return Number((history.state as { layers?: number } | null)?.layers ?? 0)
}

// One dialog that follows another keeps the entry, so the history is brought in line only once both are settled.
function settle(): void {
  clearTimeout(timer)
  timer = setTimeout(() => {
    // It is settled once the way back is done.
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

/** How long giving back an entry may take at most; the browser does it in a few milliseconds. */
const PATIENCE_MS = 1000
const LOOK_MS = 10

/** Resolves once nothing lies on top of the page and no entry is left of it: going elsewhere before that would be undone. */
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
  // Forward, or back from another page, to what was closed long ago: there is nothing to see there.
  if (entries() > layers.length) return settle()
  for (const layer of layers.slice(entries()).toReversed()) layer.onBack()
  // Whoever stayed, to ask about what was typed, gets its entry back.
  settle()
}

if (typeof window !== 'undefined') {
  addEventListener('popstate', onPopState)
  // A reload takes away what lay on top, but not its entry.
  if (entries() > 0) settle()
}

/** Calls when the user goes back while this lies on top of the page; the page itself stays. */
export function useBackGesture(onBack: () => void, isOpen = true): void {
  const newest = useRef(onBack)
  useEffect(() => {
    newest.current = onBack
  })
  useEffect(() => {
    if (!isOpen) return
    const layer: Layer = { onBack: () => newest.current() }
    layers.push(layer)
    settle()
    return () => {
      layers.splice(layers.indexOf(layer), 1)
      settle()
    }
  }, [isOpen])
}
