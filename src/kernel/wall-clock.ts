// A time of day on the wall clock where the lesson happens, HH:MM. No time zone applies to it.

/** A wall-clock time as it's sent and typed: 16:30. */
export const WALL_CLOCK = /^([01]\d|2[0-3]):[0-5]\d$/

/** A wall-clock time as screens show it: 16:30 is "4:30 PM". */
export function formatTime(time: string): string {
  const hour = Number(time.slice(0, 2))
  return `${hour % 12 || 12}:${time.slice(3, 5)} ${hour < 12 ? 'AM' : 'PM'}`
}

/** A time from the database as it's sent: 16:30:00 is 16:30. */
export function wallClock(time: string | null): string | null {
  return time?.slice(0, 5) ?? null
}
