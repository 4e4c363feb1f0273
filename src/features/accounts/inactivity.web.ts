// When the user last did something, in any tab of this browser; it survives reloads (decisions, section 1).
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
/** Writing at every mouse move would be waste; a second does not matter in two hours. */
const GRAIN_MS = 1000

let unwritten = 0

/** The instant of the last activity, in milliseconds; now when none was ever noted. */
export function lastActivity(): number {
  const stored = Number(localStorage.getItem(KEY))
  return Number.isFinite(stored) && stored > 0 ? stored : Date.now()
}

/** Whether somebody was active here and has not signed out since. */
export function hasActivity(): boolean {
  return localStorage.getItem(KEY) !== null
}

/** Notes that the user did something now. */
export function noteActivity(): void {
  unwritten = Date.now()
  localStorage.setItem(KEY, String(unwritten))
}

/** Whether there was activity after an instant. */
export function activeSince(instant: number): boolean {
  return lastActivity() > instant
}

export function forgetActivity(): void {
  localStorage.removeItem(KEY)
}

/** Notes activity from now on, and what there was during the warning it reports too; after the end none counts. Returns what stops that. */
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

// The warning itself moves the page, and what lies under a mouse that stands still.
function isOurs(event: Event): boolean {
  return (
    event.type === 'scroll' || (event instanceof MouseEvent && event.type === 'mousemove' && isStill(event))
  )
}

function isStill({ movementX, movementY }: MouseEvent): boolean {
  return movementX === 0 && movementY === 0
}
