import { useEffect, useMemo, useState } from 'react'
import { useMe } from '#features/accounts/client.web.ts'
import { useStudents } from '#features/students/client.web.ts'
import { useTutors } from '#features/tutors/client.web.ts'
import { addDays, dayIn } from '#kernel/calendar-day.ts'
import { formatCount } from '#kernel/reader.ts'
import { Button } from '#platform/ui/Button.tsx'
import { Disclosure } from '#platform/ui/Disclosure.tsx'
import { SelectField } from '#platform/ui/EntryField.tsx'
import { TextField } from '#platform/ui/Field.tsx'
import { Notice } from '#platform/ui/Notice.tsx'
import { LoadingCards } from '#platform/ui/Skeleton.tsx'
import { useCalendarReading } from './client.web.ts'
import { MAX_LINES } from './import.ts'
import type { Reading } from './occurrence.ts'
import {
  type Answer,
  answerFor,
  lineCount,
  type Missing,
  missingIn,
  type Pattern,
  patternsOf,
  tableOf,
} from './pattern.ts'
import { PatternRow } from './PatternRow.tsx'
import type { Roster } from './title.ts'

export const ANSWERS_DRAFT = 'draft:import-calendar'
const DAYS_BACK = [
  { days: 31, label: 'Last month' },
  { days: 92, label: 'Last 3 months' },
  { days: 365, label: 'Last year' },
  { days: 3 * 366, label: 'Last 3 years' },
]
const UNREADABLE = {
  not_a_calendar: 'This isn’t a calendar file.',
  no_events: 'There are no events in this calendar.',
  too_many: 'There are more than 200,000 events in this time. Choose a shorter time.',
}
const MISSING: Record<Missing, (what: string) => string> = {
  student: (title) => `Choose who “${title}” is for.`,
  tutor: (title) => `Choose who teaches “${title}”.`,
  minutes: (title) => `Choose how long “${title}” is.`,
}

interface CalendarLessonsProps {
  text: string
  /** Shows the lessons' preview, or hides it. */
  onPreview: (table: string | undefined) => void
  isPreviewed: boolean
}

/** A calendar's events, grouped by title. Asks which are lessons, and whose. */
export function CalendarLessons({ text, onPreview, isPreviewed }: CalendarLessonsProps) {
  const me = useMe()
  const [daysBack, setDaysBack] = useState(365)
  const range = useMemo(() => {
    const now = new Date()
    const zone = me.time_zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone
    return { zone, now, from: addDays(dayIn(now, zone), -daysBack), email: me.email }
  }, [me.time_zone, me.email, daysBack])
  const reading = useCalendarReading(text, range)
  const roster = useRoster()
  return (
    <section className="mt-6" aria-labelledby="calendar-lessons">
      <h2 id="calendar-lessons">Lessons in your calendar</h2>
      <div className="mt-3 md:max-w-xs">
        <SelectField
          label="How far back"
          value={daysBack}
          onChange={(event) => {
            onPreview(undefined)
            setDaysBack(Number(event.target.value))
          }}
        >
          {DAYS_BACK.map(({ days, label }) => (
            <option key={days} value={days}>
              {label}
            </option>
          ))}
        </SelectField>
      </div>
      {(typeof reading === 'number' || !roster) && (
        <div className="mt-4">
          <progress
            className="w-full accent-accent"
            aria-label="Reading the calendar"
            value={typeof reading === 'number' ? reading : 1}
          />
          <LoadingCards count={1} label="Reading the calendar..." />
        </div>
      )}
      {typeof reading === 'string' && (
        <div className="mt-4" role="alert">
          <Notice>{UNREADABLE[reading]}</Notice>
        </div>
      )}
      {typeof reading === 'object' && roster && (
        <Patterns
          reading={reading}
          zone={range.zone}
          roster={roster}
          onPreview={onPreview}
          isPreviewed={isPreviewed}
        />
      )}
    </section>
  )
}

/** Undefined while loading. */
function useRoster(): Roster | undefined {
  const isPractice = useMe().role !== 'parent'
  const [students, tutors] = [useStudents().data, useTutors().data]
  return useMemo(
    () =>
      students &&
      tutors && {
        isPractice,
        students: students.map(({ name }) => name),
        tutors: tutors.filter((tutor) => !isPractice || tutor.is_self),
      },
    [isPractice, students, tutors],
  )
}

interface PatternsProps extends Pick<CalendarLessonsProps, 'onPreview' | 'isPreviewed'> {
  reading: Reading
  zone: string
  roster: Roster
}

function Patterns({ reading, zone, roster, onPreview, isPreviewed }: PatternsProps) {
  const { isPractice } = roster
  const patterns = useMemo(() => patternsOf(reading.groups, roster), [reading, roster])
  const [answers, setAnswers] = useState(readAnswers)
  useEffect(() => sessionStorage.setItem(ANSWERS_DRAFT, JSON.stringify(answers)), [answers])
  const answerOf = (pattern: Pattern) => answers[pattern.key] ?? answerFor(pattern)
  // People who are new are offered for other events, too.
  const typed = Object.values(answers).filter((answer) => answer.isLesson)
  const people = {
    students: namesOf(
      roster.students,
      typed.flatMap((answer) => answer.students),
    ),
    tutors: namesOf(
      roster.tutors.map(({ name }) => name),
      typed.map(({ tutor }) => tutor),
    ),
  }
  const rows = (some: readonly Pattern[]) => (
    <ul className="card list mt-2.5">
      {some.map((pattern) => (
        <PatternRow
          key={pattern.key}
          pattern={pattern}
          answer={answerOf(pattern)}
          people={people}
          isPractice={isPractice}
          onAnswer={(answer) => {
            onPreview(undefined)
            setAnswers((now) => ({ ...now, [pattern.key]: answer }))
          }}
        />
      ))}
    </ul>
  )
  const [sure, likely, others] = (['sure', 'likely', 'unlikely'] as const).map((certainty) =>
    patterns.filter(({ guess }) => guess.certainty === certainty),
  ) as [Pattern[], Pattern[], Pattern[]]
  const count = lineCount(patterns, answerOf)
  return (
    <>
      <LeftOut reading={reading} zone={zone} />
      {patterns.length === 0 && (
        <p className="mt-4">There are no events with a time in this period. Choose a longer one.</p>
      )}
      {sure.length > 0 && (
        <section className="mt-5" aria-labelledby="sure">
          <h3 id="sure">These look like lessons</h3>
          {rows(sure)}
        </section>
      )}
      {likely.length > 0 && (
        <section className="mt-5" aria-labelledby="likely">
          <h3 id="likely">Which of these are lessons?</h3>
          {rows(likely)}
        </section>
      )}
      {others.length > 0 && (
        <Others
          patterns={others}
          isOnly={sure.length + likely.length === 0}
          answerOf={answerOf}
          rows={rows}
        />
      )}
      {patterns.length > 0 && (
        <div className="mt-5">
          <Button
            tone={isPreviewed ? 'secondary' : 'primary'}
            className="max-md:w-full"
            blockedReason={whyNot(patterns, answerOf, isPractice, count)}
            onClick={() => onPreview(tableOf(patterns, answerOf, isPractice))}
          >
            {count === 1 ? 'Preview 1 session' : `Preview ${count} sessions`}
          </Button>
        </div>
      )}
    </>
  )
}

function whyNot(
  patterns: readonly Pattern[],
  answerOf: (pattern: Pattern) => Answer,
  isPractice: boolean,
  count: number,
): string | undefined {
  for (const pattern of patterns) {
    const missing = missingIn(pattern, answerOf(pattern), isPractice)
    if (missing) return MISSING[missing](pattern.title)
  }
  if (count === 0) return 'Choose which events are lessons.'
  return count > MAX_LINES.sessions
    ? `You can import ${formatCount(MAX_LINES.sessions)} sessions at once. Choose a shorter time.`
    : undefined
}

function namesOf(known: readonly string[], typed: readonly string[]): string[] {
  return [...new Set([...known, ...typed.map((name) => name.trim()).filter(Boolean)])]
}

/** More rows would make the page slow. */
const SHOWN_OTHERS = 40

/** Events that are probably something else. */
function Others({
  patterns,
  isOnly,
  answerOf,
  rows,
}: {
  patterns: readonly Pattern[]
  /** Whether no other events are shown. */
  isOnly: boolean
  answerOf: (pattern: Pattern) => Answer
  rows: (some: readonly Pattern[]) => React.ReactNode
}) {
  const [words, setWords] = useState('')
  const found = patterns.filter(({ title }) => title.toLowerCase().includes(words.trim().toLowerCase()))
  const shown = found.slice(0, SHOWN_OTHERS)
  return (
    <Disclosure
      className="mt-5"
      title={<h3>{patterns.length === 1 ? '1 other event' : `${patterns.length} other events`}</h3>}
      mustShow={isOnly || patterns.some((pattern) => answerOf(pattern).isLesson)}
    >
      <p className="help">These stay out unless you choose them.</p>
      {patterns.length > 10 && (
        <div className="mt-2.5 md:max-w-xs">
          <TextField label="Find an event" value={words} onChange={(event) => setWords(event.target.value)} />
        </div>
      )}
      {shown.length > 0 && rows(shown)}
      {shown.length < found.length && (
        <p className="help mt-2">
          Showing {shown.length} of {found.length}. Find others by their title.
        </p>
      )}
    </Disclosure>
  )
}

/** Says what isn't shown as it's in the file. */
function LeftOut({ reading, zone }: { reading: Reading; zone: string }) {
  const { canceled, declined, unread, unreadRules, unknownZones } = reading
  const leftOut = [
    counted(canceled, 'canceled event'),
    counted(declined, 'event you declined', 'events you declined'),
  ]
  const notes = [
    unread > 0 && `${counted(unread, 'event')} couldn’t be read.`,
    unreadRules > 0 &&
      (unreadRules === 1
        ? '1 event repeats in a way we can’t read. Only its first date counts.'
        : `${unreadRules} events repeat in a way we can’t read. Only their first dates count.`),
    ...unknownZones
      .slice(0, 3)
      .map(
        (name) =>
          `We don’t know the time zone “${name}”. Its events count as if they were in yours, ${zone}.`,
      ),
  ].filter((note) => note !== false)
  const left = leftOut.filter(Boolean).join(' and ')
  return (
    <>
      <p className="help mt-3">
        {reading.events === 1 ? '1 event' : `${formatCount(reading.events)} events`} in this file.
        {left && ` Left out: ${left}.`} Nothing is saved yet.
      </p>
      {notes.length > 0 && (
        <div className="mt-3">
          <Notice>
            {notes.map((note) => (
              <p key={note}>{note}</p>
            ))}
          </Notice>
        </div>
      )}
    </>
  )
}

function counted(count: number, one: string, many = `${one}s`): string {
  if (count === 0) return ''
  return count === 1 ? `1 ${one}` : `${formatCount(count)} ${many}`
}

function readAnswers(): Record<string, Answer> {
  try {
    return JSON.parse(sessionStorage.getItem(ANSWERS_DRAFT) ?? '{}') as Record<string, Answer>
  } catch {
    return {}
  }
}
