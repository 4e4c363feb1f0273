// Text about a session's status and both sides' answers, from the reader's point of view.
import { type CalendarDay, dayIn, formatDay } from '#kernel/calendar-day.ts'
import { hoursInWords } from '#kernel/duration.ts'
import { formatAmount } from '#kernel/money.ts'
import {
  answerDue,
  type Asked,
  askedSince,
  isToConfirm,
  isUnanswered,
  standingOf,
} from '#features/agreements/answer.ts'
import { UNKNOWN_STUDENT } from '#features/students/student.ts'
import type { Session } from './session.ts'

type Reader = 'parent' | 'tutor'

/** The session fields used for the status text. */
export type Answers = Pick<Session, 'own_confirmation' | 'other_confirmation' | 'deletion_asked_by'> & Asked

/** Identifies a session in the labels of its buttons, for example "Maya, Nov 17". */
export function sessionName({ student_name: name, date }: Named): string {
  return `${name ?? UNKNOWN_STUDENT}, ${formatDay(date as CalendarDay, { month: 'short', day: 'numeric' })}`
}

/** What a session was and costs, for example "Maya, Nov 17 · 1.5 h · $67.50". */
export function sessionLine(session: Named & Pick<Session, 'duration'> & Priced): string {
  // A line never breaks within the hours.
  const hours = hoursInWords(session.duration).replaceAll(' ', '\u00a0')
  return [sessionName(session), hours, amountIn(session)].filter(Boolean).join(' · ')
}

/** The question before the other side is asked to delete a session: "Ask Ingrid to delete Nov 3, $67.50?". */
export function deletionQuestion(session: Pick<Session, 'date'> & Priced, other: string): string {
  const facts = [
    formatDay(session.date as CalendarDay, { month: 'short', day: 'numeric' }),
    amountIn(session),
  ]
  return `Ask ${other} to delete ${facts.filter(Boolean).join(', ')}?`
}

type Named = Pick<Session, 'student_name' | 'date'>
type Priced = Pick<Session, 'total_amount' | 'currency'>

/** Empty if there's no rate, or if the reader doesn't see amounts. */
function amountIn({ total_amount: amount, currency }: Priced): string {
  return amount === null ? '' : formatAmount(amount, currency)
}

/** How to refer to the other side within a sentence: the tutor's name, "the tutor" or "the family". */
export function otherSide(reader: Reader, tutorName?: string | null): string {
  return reader === 'parent' ? (tutorName ?? 'the tutor') : 'the family'
}

/** Capitalizes the first letter. */
export function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** For example, "Nov 3". Adds the year if it isn't the current one. */
export function shortDay(day: CalendarDay, now: Date): string {
  const isThisYear = day.slice(0, 4) === dayIn(now).slice(0, 4)
  return formatDay(day, { month: 'short', day: 'numeric', ...(isThisYear ? {} : { year: 'numeric' }) })
}

/** For example, "since Nov 3". Undefined until the deadline for an answer has passed. */
export function silence(asked: Asked, now: Date): string | undefined {
  const since = askedSince(asked)
  return since && isUnanswered(asked, now) ? `since ${shortDay(since, now)}` : undefined
}

/**
 * Describes the status of the reader's request to delete a session: the other side's deadline or, once it has
 * passed, a note that there was no answer.
 */
export function deletionNote(
  session: Answers,
  reader: Reader,
  tutorName: string | null,
  now = new Date(),
): string | undefined {
  const due = answerDue(session, now)
  if (session.deletion_asked_by !== 'you' || !due) return undefined
  const silent = silence(session, now)
  if (silent) return `No answer ${silent}`
  return `${capital(otherSide(reader, tutorName))} has until ${shortDay(dayIn(due), now)} to answer`
}

/**
 * A shared session's status line: who has confirmed it and who hasn't answered. Shows a badge instead if the
 * session was sent back or marked for deletion.
 */
export function sidesOf(
  session: Answers,
  reader: Reader,
  tutorName?: string | null,
  now = new Date(),
): { words: string; by: Reader[]; badge?: 'warn' | 'danger' } {
  const { own_confirmation: own, other_confirmation: other } = session
  const standing = standingOf({ ...session, is_shared: true })
  const by = (['parent', 'tutor'] as const).filter((side) => (side === reader ? own : other) === 'confirmed')
  if (standing === 'leaving')
    return {
      by,
      badge: 'warn',
      words:
        session.deletion_asked_by === 'you'
          ? 'You asked to delete it'
          : `${capital(otherSide(reader, tutorName))} asked to delete it`,
    }
  if (standing === 'disputed')
    return { by, badge: 'danger', words: own === 'disputed' ? 'You said not right' : 'Not right' }
  if (standing === 'verified') return { by, words: 'Agreed' }
  const silent = silence(session, now)
  if (isToConfirm(session)) return { by, words: silent ? `Waiting for you ${silent}` : 'Waiting for you' }
  if (silent) return { by, words: `No answer ${silent}` }
  return { by, words: reader === 'parent' ? 'Waiting for tutor' : 'Waiting for the family' }
}

/**
 * Each side's answer to a session that is or was shared. The reader's side comes first.
 * @param canAnswer whether the reader may answer for their side
 */
export function answersOf(
  session: Pick<Answers, 'own_confirmation' | 'other_confirmation'>,
  reader: Reader,
  tutorName: string | null,
  canAnswer: boolean,
): { side: Reader; who: string; says: string; isConfirmed: boolean }[] {
  const self = canAnswer ? 'You' : reader === 'parent' ? 'Your family' : 'Your practice'
  const line = (side: Reader, who: string, word: Answers['own_confirmation']) => {
    const isConfirmed = word === 'confirmed'
    return {
      side,
      who,
      isConfirmed,
      says: isConfirmed ? 'Confirmed' : word === 'disputed' ? 'Said not right' : 'Not confirmed yet',
    }
  }
  return [
    line(reader, self, session.own_confirmation),
    line(
      reader === 'parent' ? 'tutor' : 'parent',
      capital(otherSide(reader, tutorName)),
      session.other_confirmation,
    ),
  ]
}
