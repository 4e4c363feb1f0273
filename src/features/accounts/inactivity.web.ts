// The time of the user's last activity in any tab of this browser; survives reloads
// (docs/product-decisions.md, section 1).
import { inactivityAt } from './inactivity.ts'

const KEY = 'last-activity'
const EVENTS = [
  'mousemove',
  'mousedown',
  'keydown',
  'scroll',
  'wheel',
  'touchstart',
  'touchmove',
  'click',
] as const
/** Writing on every mouse move would be wasteful, and one second makes no difference over two hours. */
const GRAIN_MS = 1000

let unwritten = 0

/** The time of the last activity, in milliseconds; the current time if none has been recorded. */
export function lastActivity(): number {
  const stored = Number(localStorage.getItem(KEY))
  return Number.isFinite(stored) && stored > 0 ? stored : Date.now()
}

/** Whether there has been activity in this browser since the last sign-out. */
export function hasActivity(): boolean {
  return localStorage.getItem(KEY) !== null
}

export function noteActivity(): void {
  unwritten = Date.now()
  localStorage.setItem(KEY, String(unwritten))
}

export function activeSince(instant: number): boolean {
  return lastActivity() > instant
}

export function forgetActivity(): void {
  localStorage.removeItem(KEY)
}

/**
 * Starts recording activity, and calls onReturn if there's activity during the warning. Activity after the
 * deadline is ignored. Returns a function that stops recording.
 */
export function watchActivity(onReturn: () => void): () => void {
  if (localStorage.getItem(KEY) === null) noteActivity()
  const onActivity = (event: Event) => {
    if (Date.now() - unwritten < GRAIN_MS) return
    const { phase } = inactivityAt(Date.now(), lastActivity())
    if (phase === 'expired' || (phase === 'warning' && isOurs(event))) return
    noteActivity()
    if (phase === 'warning') onReturn()
  }
  for (const event of EVENTS) addEventListener(event, onActivity, { passive: true, capture: true })
  return () => {
    for (const event of EVENTS) removeEventListener(event, onActivity, { capture: true })
  }
}

// Opening the warning scrolls the page and fires mouse events even if the mouse isn't moving. Those events
// don't count.
function isOurs(event: Event): boolean {
  return (
    event.type === 'scroll' || (event instanceof MouseEvent && event.type === 'mousemove' && isStill(event))
  )
}

function isStill({ movementX, movementY }: MouseEvent): boolean {
  return movementX === 0 && movementY === 0
}
