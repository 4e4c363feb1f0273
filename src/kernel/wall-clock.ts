// The local time of day where the lesson takes place, as HH:MM without a time zone.

export const WALL_CLOCK = /^([01]\d|2[0-3]):[0-5]\d$/

/** Formats a time for display: "16:30" becomes "4:30 PM". */
export function formatTime(time: string): string {
  const hour = Number(time.slice(0, 2))
  return `${hour % 12 || 12}:${time.slice(3, 5)} ${hour < 12 ? 'AM' : 'PM'}`
}

/** Shortens a time from the database, 16:30:00, to 16:30. */
export function wallClock(time: string | null): string | null {
  return time?.slice(0, 5) ?? null
}
