// How a reading of a sentence is scored against its label.
import type { CalendarDay } from '#kernel/calendar-day.ts'
import { cents, type Cents } from '#kernel/money.ts'
import type { Extraction, ExtractionInput } from '#features/voice/extraction.ts'
import { type Heard, sessionHeard } from '#features/voice/heard-session.ts'

export interface Labelled {
  id: string
  today: string
  children: { id: string; name: string }[]
  /** Dollars an hour. */
  tutors: { id: string; name: string; hourly_rate: number | null; subjects?: string[] }[]
  transcript: string
  expect: {
    childId: string | null
    childId_accept?: (string | null)[]
    tutorId: string | null
    tutorId_accept?: (string | null)[]
    suggested_child_name?: string | null
    suggested_tutor_name?: string | null
    date: string | null
    /** Hours. */
    duration: number | null
    hourly_rate: number | null
    subject?: string | null
    subject_accept?: string[]
    notes_contains?: string[]
    sessions?: unknown[]
  }
  tags: string[]
}

export const SLOTS = ['child', 'tutor', 'date', 'duration', 'rate'] as const
export type Slot = (typeof SLOTS)[number]

export interface Score {
  case: Labelled
  got: Extraction
  wrong: Slot[]
  /** Of those, the ones that were filled in. */
  wrongFilled: Slot[]
  subjectRight: boolean
  notesRight: boolean
  countRight: boolean
  milliseconds: number
}

export const isNonSession = (labelled: Labelled): boolean => labelled.tags.includes('non-session')

/** A labelled sentence as the rules take it. */
export function inputOf(labelled: Labelled): ExtractionInput {
  return {
    transcript: labelled.transcript,
    today: labelled.today as CalendarDay,
    students: labelled.children,
    tutors: labelled.tutors.map(({ id, name, hourly_rate, subjects }) => ({
      id,
      name,
      rate: hourly_rate === null ? null : centsOf(hourly_rate),
      subjects: subjects ?? [],
    })),
  }
}

/** Reads one labelled sentence, or what was heard of it, and compares. */
export function scoreOf(labelled: Labelled, heard: Heard = { text: labelled.transcript }): Score {
  const input = inputOf(labelled)
  const start = performance.now()
  const { found: got } = sessionHeard(heard, input)
  const milliseconds = performance.now() - start
  const { expect } = labelled
  const right: Record<Slot, boolean> = {
    child: (expect.childId_accept ?? [expect.childId]).includes(got.studentId),
    tutor: (expect.tutorId_accept ?? [expect.tutorId]).includes(got.tutorId),
    date:
      got.day === expect.date ||
      (expect.date === null && !isNonSession(labelled) && (got.day === null || got.day === labelled.today)),
    duration:
      expect.duration === null
        ? got.minutes === null
        : got.minutes !== null && Math.abs(got.minutes / 60 - expect.duration) <= 0.011,
    rate:
      expect.hourly_rate === null
        ? got.rate === null
        : got.rate !== null && Math.abs(got.rate / 100 - expect.hourly_rate) <= 0.011,
  }
  const filled: Record<Slot, boolean> = {
    child: got.studentId !== null,
    tutor: got.tutorId !== null,
    date: got.day !== null,
    duration: got.minutes !== null,
    rate: got.rate !== null,
  }
  const wrong = SLOTS.filter((slot) => !right[slot])
  const subjects = (expect.subject_accept ?? [expect.subject ?? null]).map(
    (subject) => subject?.toLowerCase() ?? null,
  )
  return {
    case: labelled,
    got,
    wrong,
    wrongFilled: wrong.filter((slot) => filled[slot]),
    milliseconds,
    subjectRight: expect.subject === undefined || subjects.includes(got.subject?.toLowerCase() ?? null),
    notesRight: (expect.notes_contains ?? []).every((part) =>
      got.notes?.toLowerCase().includes(part.toLowerCase()),
    ),
    countRight: got.sessionsHeard === (isNonSession(labelled) ? 0 : (expect.sessions?.length ?? 1)),
  }
}

function centsOf(dollars: number): Cents {
  return cents(Math.round(dollars * 100))
}

/** Whether anything at all was filled in for a text that is no session; notes count too. */
export function isFilled({ got }: Score): boolean {
  return [
    got.studentId,
    got.tutorId,
    got.suggestedStudentName,
    got.suggestedTutorName,
    got.day,
    got.minutes,
    got.rate,
    got.subject,
  ].some((value) => value !== null)
}

/** The counts of a set of sentences, one line each. */
export function report(name: string, scores: Score[]): string[] {
  const sessions = scores.filter((score) => !isNonSession(score.case))
  const others = scores.filter((score) => isNonSession(score.case))
  const of = (part: number, whole: number): string =>
    `${part} of ${whole}${whole === 0 ? '' : ` (${((100 * part) / whole).toFixed(1)} %)`}`
  const right = sessions.filter(({ wrong }) => wrong.length === 0)
  const high = sessions.filter(({ got }) => got.confidence === 'high')
  const times = scores.map(({ milliseconds }) => milliseconds).sort((one, other) => one - other)
  return [
    `${name}: ${scores.length} texts`,
    `  all five right        ${of(right.length, sessions.length)}`,
    ...SLOTS.map(
      (slot) =>
        `  ${slot.padEnd(21)} ${of(sessions.filter(({ wrong }) => !wrong.includes(slot)).length, sessions.length)}`,
    ),
    `  subject               ${of(sessions.filter(({ subjectRight }) => subjectRight).length, sessions.length)}`,
    `  notes                 ${of(sessions.filter(({ notesRight }) => notesRight).length, sessions.length)}`,
    `  sessions counted      ${of(sessions.filter(({ countRight }) => countRight).length, sessions.length)}`,
    `  wrong but filled in   ${of(sessions.filter(({ wrongFilled }) => wrongFilled.length > 0).length, sessions.length)}`,
    `  'high' is right       ${of(high.filter(({ wrong }) => wrong.length === 0).length, high.length)}; said of ${of(high.length, sessions.length)}`,
    `  no session, filled in ${of(others.filter(isFilled).length, others.length)}`,
    `  a sentence takes      ${(times[Math.floor(times.length * 0.95)] ?? 0).toFixed(2)} ms at the 95th of a hundred`,
  ]
}
