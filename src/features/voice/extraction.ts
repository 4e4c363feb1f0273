// What one spoken or typed sentence says about a session; the same text and the same lists always give the same answer.
import type { CalendarDay } from '#kernel/calendar-day.ts'
import type { Minutes } from '#kernel/duration.ts'
import type { Cents } from '#kernel/money.ts'

export interface ExtractionInput {
  transcript: string
  /** The speaker's own date, which 'yesterday' counts from. */
  today: CalendarDay
  students: { id: string; name: string }[]
  /** `rate` is the tutor's default for an hour. */
  tutors: { id: string; name: string; rate: Cents | null; subjects: string[] }[]
}

/** The session that was heard; null wherever nothing was said, or nothing that fits one meaning alone. */
export interface Extraction {
  studentId: string | null
  tutorId: string | null
  /** A name that was said and is nobody's on the list, or more than one person's. */
  suggestedStudentName: string | null
  suggestedTutorName: string | null
  day: CalendarDay | null
  minutes: Minutes | null
  /** For an hour; a total that was said is divided by the time. Zero where the lesson was free. */
  rate: Cents | null
  subject: string | null
  notes: string | null
  confidence: 'high' | 'medium' | 'low'
  /** How many sessions one breath held; the fields are those of the first. */
  sessionsHeard: number
  isFuture: boolean
  /** Whether the text speaks of a session at all; where not, every field is null. */
  isSession: boolean
}

/** What is answered for a text that speaks of no session. */
export const NO_SESSION: Extraction = {
  studentId: null, tutorId: null, suggestedStudentName: null, suggestedTutorName: null, day: null, minutes: null, rate: null, subject: null, notes: null,
  confidence: 'low', sessionsHeard: 0, isFuture: false, isSession: false,
}

/** Reads the session out of a transcript. */
export function extractSession(input: ExtractionInput): Extraction {
  return input.transcript.trim() === '' ? NO_SESSION : { ...NO_SESSION, isSession: true, sessionsHeard: 1, notes: input.transcript.trim() }
}
