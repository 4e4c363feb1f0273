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
/** Writing on every mouse move would be wasteful; a second doesn't matter in two hours. */
const GRAIN_MS = 1000

let unwritten = 0

/** The instant of the last activity, in milliseconds; now if none was ever recorded. */
export function lastActivity(): number {
  const stored = Number(localStorage.getItem(KEY))
  return Number.isFinite(stored) && stored > 0 ? stored : Date.now()
}

/** Whether somebody was active here and has not signed out since. */
export function hasActivity(): boolean {
  return localStorage.getItem(KEY) !== null
}

/** Records that the user did something now. */
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

/** Records activity from now on, and reports activity during the warning; after the deadline none counts. Returns what stops it. */
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

// The warning itself moves the page, including under a mouse that isn't moving.
function isOurs(event: Event): boolean {
  return (
    event.type === 'scroll' || (event instanceof MouseEvent && event.type === 'mousemove' && isStill(event))
  )
}

function isStill({ movementX, movementY }: MouseEvent): boolean {
  return movementX === 0 && movementY === 0
}
