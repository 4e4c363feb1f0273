// The inactivity rule: two hours without activity end the login, a warning comes 15 minutes before (product.md section 9).

export const TIMEOUT_MS = 2 * 60 * 60 * 1000
export const WARNING_MS = 15 * 60 * 1000

export type Inactivity =
  { phase: 'active' } | { phase: 'warning'; secondsLeft: number } | { phase: 'expired' }

/** What holds at an instant, from the clock alone: a computer that wakes after the deadline is past it at once. */
export function inactivityAt(now: number, lastActivity: number): Inactivity {
  const left = lastActivity + TIMEOUT_MS - now
  if (left <= 0) return { phase: 'expired' }
  return left <= WARNING_MS ? { phase: 'warning', secondsLeft: Math.ceil(left / 1000) } : { phase: 'active' }
}

/** Seconds as m:ss. */
export function formatCountdown(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
