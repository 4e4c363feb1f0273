// From what was heard to the manual form: only what was heard, as the form's text.
import type { SessionFields } from '#features/sessions/session-form.ts'
import { hoursInWords } from '#kernel/duration.ts'
import { plainSpelling } from './name-spelling.ts'
import type { HeardSession } from './voice.ts'

/** The five messages while a recording is processed, and how long each shows (product.md sections 2 and 9). */
export const PROCESSING_MESSAGES = [
  'Analyzing speech...',
  'Extracting session data...',
  'Matching tutors and children...',
  'Processing session details...',
  'Finalizing results...',
] as const
export const MESSAGE_MS = 2000
/** Characters of the transcript in the toast (product.md section 8). */
export const TOAST_CHARACTERS = 50

/** A session lasts quarter hours (decisions section 3); rounded to the nearest, at least one. */
export function quarterHours(hours: number): number {
  return Math.max(0.25, Math.round(hours * 4) / 4)
}

/** Hours as people say them, and what they're rounded to if they aren't quarter hours. */
export function heardDuration(hours: number): string {
  const kept = quarterHours(hours)
  if (Math.abs(kept - hours) < 0.001) return hoursInWords(hours)
  return `${Math.round(hours * 60)} min, entered as ${kept} h`
}

/** What was said, starting with a capital letter. */
export function asWritten(said: string): string {
  return said.slice(0, 1).toUpperCase() + said.slice(1)
}

/** What the user settled on a card: who it was, and what goes into the notes. */
export interface Chosen {
  studentId: string | null
  tutorId: string | null
  notes: string | null
}

/** Whether nothing that a session needs is missing, so that it can be added as it was heard. */
export function isComplete({ date, duration, is_future: isFuture }: HeardSession, chosen: Chosen): boolean {
  return Boolean(chosen.studentId && chosen.tutorId && date && duration) && !isFuture
}

/** What the form takes over; fields that weren't heard stay as they were. */
export function heardFields(result: HeardSession, chosen: Chosen): Partial<SessionFields> {
  return {
    ...(chosen.studentId ? { student_id: chosen.studentId } : {}),
    ...(chosen.tutorId ? { tutor_id: chosen.tutorId } : {}),
    ...(result.date ? { date: result.date } : {}),
    ...(result.duration === null ? {} : { duration: String(quarterHours(result.duration)) }),
    ...(result.hourly_rate === null ? {} : { hourly_rate: result.hourly_rate.toFixed(2) }),
    ...(result.subject ? { subject: asWritten(result.subject) } : {}),
    ...(result.start_time ? { start_time: result.start_time } : {}),
    ...(result.summary ? { summary: asWritten(result.summary) } : {}),
    ...(result.homework ? { homework: asWritten(result.homework) } : {}),
    ...(chosen.notes ? { notes: asWritten(chosen.notes) } : {}),
  }
}

/** People on the list who may be meant by a name that was said: those who share a beginning with it, or else all, if they are few. */
export function whoIsMeant<Person extends { name: string }>(people: Person[], said: string | null): Person[] {
  const start = plainSpelling(said ?? '')
    .trim()
    .replace(/^(mr|mrs|ms|dr|mister|missus|miss|doctor)\.? /, '')
    .slice(0, 3)
  const alike = start
    ? people.filter(({ name }) =>
        plainSpelling(name)
          .split(/\s+/)
          .some((part) => part.startsWith(start)),
      )
    : []
  return alike.length > 0 ? alike.slice(0, 4) : people.length <= 4 ? people : []
}

/** A sentence to say, with the names of people on the lists; without a tutor where it's always oneself. */
export function exampleOf(student = 'Maya', tutor?: string): string {
  const first = (name: string) => {
    const [word = name] = name.trim().split(/\s+/)
    // "Mr. Adeyemi" is known by more than the title.
    return word.endsWith('.') ? name.trim() : word
  }
  return `${first(student)} had an hour and a half of algebra${tutor ? ` with ${first(tutor)}` : ''} on Tuesday.`
}
