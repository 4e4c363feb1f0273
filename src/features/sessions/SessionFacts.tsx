import { priceInShort } from '#features/prices/price.ts'
import { UNKNOWN_STUDENT } from '#features/students/student.ts'
import { UNKNOWN_TUTOR } from '#features/tutors/tutor.ts'
import { type CalendarDay, formatDay } from '#kernel/calendar-day.ts'
import { hoursInWords } from '#kernel/duration.ts'
import type { Side } from '#platform/ui/Ticks.tsx'
import { LESSON_WORDS, type LessonWords, WORDS_FIELDS } from './lesson-words.ts'
import type { Session } from './session.ts'
import { sessionMoney, sessionStart } from './SessionRow.tsx'

interface Fact {
  label: string
  value: string
  isStrong?: boolean
}

type Known = Pick<
  Session,
  'date' | 'duration' | 'start_time' | 'student_name' | 'tutor_name' | 'subject' | 'total_amount' | 'currency'
> & {
  effective_rate?: number | null
  lesson_price?: number | null
  lesson_minutes?: number | null
  makes_up?: string | null
}

/** The facts on a session's sheet, in order. Members who can't see amounts don't get the rate and amount. */
export function factsOf(
  session: Known,
  { reader, seesAmounts }: { reader: Side; seesAmounts: boolean },
): Fact[] {
  const { effective_rate: rate, currency, subject } = session
  const start = sessionStart(session)
  const facts: (Fact | null)[] = [
    session.makes_up ? { label: 'Kind', value: 'Make-up' } : null,
    { label: 'Date', value: formatDay(session.date as CalendarDay) },
    { label: 'Duration', value: hoursInWords(session.duration) },
    start === null ? null : { label: 'Start time', value: start },
    { label: reader === 'parent' ? 'Child' : 'Student', value: session.student_name ?? UNKNOWN_STUDENT },
    { label: 'Tutor', value: session.tutor_name ?? UNKNOWN_TUTOR },
    subject === null ? null : { label: 'Subject', value: subject },
    !seesAmounts || rate === undefined ? null : rateFact(session),
    !seesAmounts
      ? null
      : { label: 'Amount', value: sessionMoney(session.total_amount, currency), isStrong: true },
  ]
  return facts.filter((fact) => fact !== null)
}

function rateFact({ effective_rate: rate = null, currency, ...price }: Known): Fact {
  const isPerLesson = rate === null && price.lesson_price != null
  return {
    label: isPerLesson ? 'Price' : 'Rate',
    value: priceInShort({ ...price, rate }, currency, 'No rate'),
  }
}

/** A grid of labeled facts. */
export function FactList({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className="grid grid-cols-[repeat(auto-fill,minmax(min(9rem,100%),1fr))] gap-x-6 gap-y-3">
      {facts.map(({ label, value, isStrong }) => (
        <div key={label} className="min-w-0">
          <dt className="k">{label}</dt>
          <dd className={`num wrap-anywhere ${isStrong ? 'font-semibold' : ''}`}>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** What's written about the lesson, each text with its label. */
export function WrittenWords({ session }: { session: LessonWords }) {
  return WORDS_FIELDS.map((field) => (
    <Written key={field} label={LESSON_WORDS[field].asked} text={session[field]} />
  ))
}

/** Text with a label. Renders nothing if the text is empty. */
export function Written({
  label,
  text,
  help,
}: {
  label: string
  text: string | null | undefined
  help?: string
}) {
  if (!text) return null
  return (
    <section className="mt-5">
      <h3>{label}</h3>
      <p className="mt-0.5 wrap-anywhere whitespace-pre-line">{text}</p>
      {help && <p className="help">{help}</p>}
    </section>
  )
}
