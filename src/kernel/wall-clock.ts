// A time of day by the clock on the wall of the place, HH:MM. No zone applies to it.

/** A wall clock as it travels and as it is typed: 16:30. */
export const WALL_CLOCK = /^([01]\d|2[0-3]):[0-5]\d$/

/** A wall clock in words: 16:30 is "4:30 PM". */
export function formatTime(time: string): string {
  const hour = Number(time.slice(0, 2))
  return `${hour % 12 || 12}:${time.slice(3, 5)} ${hour < 12 ? 'AM' : 'PM'}`
}

/** A time as the database holds it, as it travels: 16:30:00 is 16:30. */
export function wallClock(time: string | null): string | null {
  return time?.slice(0, 5) ?? null
}
