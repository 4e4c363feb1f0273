// Fills in the manual form from a voice result. Includes only recognized values, converted to the strings the
// form uses.
import { amountInDigits, type Currency } from '#kernel/money.ts'
import type { ChargeBeside } from '#features/charges/charge-form.ts'
import type { SessionFields } from '#features/sessions/session-form.ts'
import { hoursInWords } from '#kernel/duration.ts'
import { plainSpelling } from '#kernel/plain-spelling.ts'
import { newId } from '#kernel/id.ts'
import { calendarDay } from '#kernel/calendar-day.ts'
import type { Correcting } from './correction.ts'
import type { Heard, HeardPeople } from './learned-name.ts'
import type { ProposedCharge, ProposedSession, VoiceResult } from './voice.ts'

/**
 * The five messages shown while a recording is processed, and how long each is shown (docs/product.md,
 * sections 2 and 9).
 */
export const PROCESSING_MESSAGES = [
  'Analyzing speech...',
  'Extracting session data...',
  'Matching tutors and children...',
  'Processing session details...',
  'Finalizing results...',
] as const
export const MESSAGE_MS = 2000
/** How many characters of the transcript the toast shows (docs/product.md, section 8). */
export const TOAST_CHARACTERS = 50

/**
 * Rounds to the nearest quarter hour, with a minimum of one. Session lengths are multiples of a quarter hour
 * (docs/product-decisions.md, section 3).
 */
export function quarterHours(hours: number): number {
  return Math.max(0.25, Math.round(hours * 4) / 4)
}

/** Hours as plain text. If they aren't a multiple of a quarter hour, includes the rounded value too. */
export function durationInWords(hours: number): string {
  const kept = quarterHours(hours)
  if (Math.abs(kept - hours) < 0.001) return hoursInWords(hours)
  return `${Math.round(hours * 60)} min, entered as ${kept} h`
}

/** Capitalizes the first letter. */
export function asWritten(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}

/** What the user chose on a card: the people, and what to add to the notes. */
export interface Chosen {
  studentId: string | null
  tutorId: string | null
  notes: string | null
  /** The words that named the people, which can be learned. */
  heard: HeardPeople
}

/** What's on a card before the user chooses anything. */
export function chosenIn({ childId, tutorId, notes, ...session }: ProposedSession): Chosen {
  return {
    studentId: childId,
    tutorId,
    notes,
    heard: {
      child: { words: session.child_words ?? null, id: childId },
      tutor: { words: session.tutor_words ?? null, id: tutorId },
    },
  }
}

/** The words that named the people, with whom the card has said that they mean. */
export function toldOf({ studentId, tutorId, heard }: Chosen): HeardPeople {
  return { child: { ...heard.child, told: studentId }, tutor: { ...heard.tutor, told: tutorId } }
}

/** The session as it stands on its card, to be corrected. */
export function toCorrect(
  { child_words: _child, tutor_words: _tutor, ...session }: ProposedSession,
  { studentId, tutorId, notes }: Chosen,
): Correcting {
  const date = session.date === null ? null : (calendarDay(session.date) ?? null)
  return { ...session, childId: studentId, tutorId, notes, date }
}

/**
 * What's on a card after a correction. Words that named nobody can still be learned; whoever else was named may not have
 * been there at all.
 */
export function chosenAfter(session: ProposedSession, { studentId, tutorId, notes, heard }: Chosen): Chosen {
  const kept = (one: Heard, before: string | null, now: string | null): Heard =>
    before === now || (before === null && now !== null) ? one : { words: null, id: now }
  return {
    studentId: session.childId,
    tutorId: session.tutorId,
    notes,
    heard: {
      child: kept(heard.child, studentId, session.childId),
      tutor: kept(heard.tutor, tutorId, session.tutorId),
    },
  }
}

/** Whether a recognized session is complete enough to add as is. */
export function isComplete(
  { date, duration, is_future: isFuture }: ProposedSession,
  chosen: Chosen,
): boolean {
  return Boolean(chosen.studentId && chosen.tutorId && date && duration) && !isFuture
}

/**
 * The form values. Fields that weren't mentioned stay as they are, except for a lesson's day: if it's unclear, it's
 * asked for, because the form's own day is today.
 */
export function proposedFields(
  result: ProposedSession,
  chosen: Chosen,
  currency: Currency,
  isLesson = true,
): Partial<SessionFields> {
  return {
    ...(chosen.studentId ? { student_id: chosen.studentId } : {}),
    ...(chosen.tutorId ? { tutor_id: chosen.tutorId } : {}),
    ...(isLesson ? { date: result.date ?? '' } : {}),
    ...(result.duration === null ? {} : { duration: String(quarterHours(result.duration)) }),
    ...(result.hourly_rate === null ? {} : { hourly_rate: amountInDigits(result.hourly_rate, currency) }),
    ...(result.subject ? { subject: asWritten(result.subject) } : {}),
    ...(result.start_time ? { start_time: result.start_time } : {}),
    ...(result.summary ? { summary: asWritten(result.summary) } : {}),
    ...(result.homework ? { homework: asWritten(result.homework) } : {}),
    ...(chosen.notes ? { notes: asWritten(chosen.notes) } : {}),
  }
}

/** A charge or a payment that was said, and whether to add it with the session. */
export interface HeardCharge {
  charge: ChargeBeside
  /** Undefined for a payment, which is in the account's currency, as prices are. */
  unit?: ProposedCharge['unit']
  isSure: boolean
  isPicked: boolean
}

/** The charges of a result, and the payment. Only certain charges are picked; a payment is offered. */
export function heardCharges({ charges, paid }: Pick<VoiceResult, 'charges' | 'paid'>): HeardCharge[] {
  const heard = charges.map(({ amount, unit, reason, label, is_sure: isSure }) => ({
    charge: { key: newId(), amount, reason, label: asWritten(label) },
    unit,
    isSure,
    isPicked: isSure,
  }))
  if (paid === null) return heard
  const payment = { key: newId(), amount: paid, reason: null, label: null }
  return [...heard, { charge: payment, isSure: true, isPicked: false }]
}

/**
 * The people a spoken name may refer to: those on the list whose names start similarly, or everyone if the
 * list is short.
 */
export function whoIsMeant<Person extends { name: string }>(
  people: Person[],
  spokenName: string | null,
): Person[] {
  const start = plainSpelling(spokenName ?? '')
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

/** An example sentence with names from the lists. Doesn't mention the tutor if that's the user. */
export function exampleOf(student = 'Maya', tutor?: string): string {
  const first = (name: string) => {
    const [word = name] = name.trim().split(/\s+/)
    // Keeps "Mr. Adeyemi" in full, because the first word is only a title.
    return word.endsWith('.') ? name.trim() : word
  }
  return `${first(student)} had an hour and a half of algebra${tutor ? ` with ${first(tutor)}` : ''} on Tuesday.`
}
