// The inactivity rule: sign out after two hours without activity, with a warning 15 minutes before
// (docs/product.md, section 9).

export const TIMEOUT_MS = 2 * 60 * 60 * 1000
export const WARNING_MS = 15 * 60 * 1000

/**
 * How long the warning stays on screen after the user becomes active again, so that they can still press
 * either button.
 */
export const LINGER_MS = 3000

type Inactivity = { phase: 'active' } | { phase: 'warning'; secondsLeft: number } | { phase: 'expired' }

/**
 * The inactivity phase at a given time. It depends only on the clock, so it's correct even if the computer
 * was asleep at the deadline.
 */
export function inactivityAt(now: number, lastActivity: number): Inactivity {
  const left = lastActivity + TIMEOUT_MS - now
  if (left <= 0) return { phase: 'expired' }
  return left <= WARNING_MS ? { phase: 'warning', secondsLeft: Math.ceil(left / 1000) } : { phase: 'active' }
}

/**
 * The seconds to show in the warning; undefined if it isn't showing. Activity resets the countdown, and the
 * warning closes shortly after.
 */
export function warningAt(now: number, lastActivity: number, wasShown: boolean): number | undefined {
  const { phase } = inactivityAt(now, lastActivity)
  const lingers = phase === 'active' && wasShown && now - lastActivity < LINGER_MS
  return phase === 'warning' || lingers ? Math.ceil((lastActivity + TIMEOUT_MS - now) / 1000) : undefined
}

/** Formats seconds as m:ss. */
export function formatCountdown(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
