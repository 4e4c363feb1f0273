import { useId, useState } from 'react'
import { type CalendarDay, formatDay } from '#kernel/calendar-day.ts'
import { formatHours, type Minutes } from '#kernel/duration.ts'
import { inOneLine } from '#kernel/isolate.ts'
import { Button } from '#platform/ui/Button.tsx'
import { SelectField } from '#platform/ui/EntryField.tsx'
import { TextField } from '#platform/ui/Field.tsx'
import { type Answer, missingIn, needsLength, type Pattern } from './pattern.ts'

interface PatternRowProps {
  pattern: Pattern
  answer: Answer
  people: Record<'students' | 'tutors', readonly string[]>
  isPractice: boolean
  onAnswer: (answer: Answer) => void
}

/** Events with one title: whether they're lessons and, if so, whose. */
export function PatternRow({ pattern, answer, people, isPractice, onAnswer }: PatternRowProps) {
  const [isOpen, setIsOpen] = useState(false)
  const summaryId = useId()
  const isIncomplete = missingIn(pattern, answer, isPractice) !== undefined
  const whose = inOneLine([...answer.students, isPractice ? null : answer.tutor])
  return (
    <li className="px-4 py-2">
      <label className="flex min-h-11 items-center gap-3">
        <input
          type="checkbox"
          className="size-5 shrink-0 accent-accent"
          aria-describedby={summaryId}
          checked={answer.isLesson}
          onChange={(event) => onAnswer({ ...answer, isLesson: event.target.checked })}
        />
        <bdi className="min-w-0 font-semibold [overflow-wrap:anywhere]">{pattern.title || 'No title'}</bdi>
      </label>
      <p id={summaryId} className="pl-8 text-small text-ink-2">
        {inOneLine([timesText(pattern), lengthText(pattern, answer), answer.isLesson ? whose : null])}
      </p>
      {answer.isLesson && !isOpen && !isIncomplete && (
        <div className="pl-4">
          <Button
            size="small"
            tone="quiet"
            aria-label={`Change ${pattern.title}`}
            onClick={() => setIsOpen(true)}
          >
            Change
          </Button>
        </div>
      )}
      {answer.isLesson && (isOpen || isIncomplete) && (
        <WhoseLessons
          pattern={pattern}
          answer={answer}
          people={people}
          isPractice={isPractice}
          onAnswer={(next) => {
            // Otherwise the choices would go away with the last one.
            setIsOpen(true)
            onAnswer(next)
          }}
        />
      )}
    </li>
  )
}

const LENGTHS = [15, 30, 45, 60, 75, 90, 105, 120, 150, 180, 240]

function WhoseLessons({ pattern, answer, people, isPractice, onAnswer }: PatternRowProps) {
  const setStudent = (at: number, name: string) =>
    onAnswer({ ...answer, students: answer.students.map((one, other) => (other === at ? name : one)) })
  const who = isPractice ? 'Student' : 'Child'
  return (
    <div className="grid gap-3 pt-3 pb-2 pl-8 md:grid-cols-3">
      {answer.students.map((name, at) => (
        <PersonChoice
          key={at}
          label={at === 0 ? who : `${who} ${at + 1}`}
          name={name}
          names={people.students}
          onName={(next) => setStudent(at, next)}
        />
      ))}
      {!isPractice && (
        <PersonChoice
          label="Tutor"
          name={answer.tutor}
          names={people.tutors}
          onName={(tutor) => onAnswer({ ...answer, tutor })}
        />
      )}
      <SelectField
        label="Length"
        value={answer.minutes ?? ''}
        onChange={(event) =>
          onAnswer({ ...answer, minutes: event.target.value === '' ? undefined : Number(event.target.value) })
        }
      >
        <option value="">{needsLength(pattern) ? 'Choose a length' : 'As in the calendar'}</option>
        {LENGTHS.map((minutes) => (
          <option key={minutes} value={minutes}>
            {formatHours(minutes as Minutes)} h
          </option>
        ))}
      </SelectField>
      {answer.students.every(Boolean) && (
        <div className="self-end">
          <Button
            size="small"
            tone="secondary"
            onClick={() => onAnswer({ ...answer, students: [...answer.students, ''] })}
          >
            {isPractice ? 'Another student' : 'Another child'}
          </Button>
        </div>
      )}
    </div>
  )
}

const NEW = 'new'

/** Chooses someone from a list, or types a new name. */
function PersonChoice({
  label,
  name,
  names,
  onName,
}: {
  label: string
  name: string
  names: readonly string[]
  onName: (name: string) => void
}) {
  const [typed, setTyped] = useState<string>()
  return (
    <>
      <SelectField
        label={label}
        value={typed === undefined ? (names.includes(name) ? `=${name}` : '') : NEW}
        onChange={({ target: { value } }) => {
          setTyped(value === NEW ? '' : undefined)
          onName(value === NEW ? '' : value.slice(1))
        }}
      >
        <option value="">Choose a name</option>
        {names.map((one) => (
          <option key={one} value={`=${one}`}>
            {one}
          </option>
        ))}
        <option value={NEW}>Someone new</option>
      </SelectField>
      {typed !== undefined && (
        <TextField
          label={`${label}’s name`}
          maxLength={120}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          onBlur={() => {
            if (typed.trim() === '') return
            setTyped(undefined)
            onName(typed.trim())
          }}
        />
      )}
    </>
  )
}

function timesText({ occurrences }: Pattern): string {
  const last = occurrences.at(-1)?.day as CalendarDay
  const day = formatDay(last, { month: 'short', day: 'numeric', year: 'numeric' })
  return occurrences.length === 1 ? `Once, ${day}` : `${occurrences.length} times, last ${day}`
}

function lengthText({ minutes: usual, occurrences }: Pattern, { minutes }: Answer): string {
  if (minutes !== undefined) return `${formatHours(minutes as Minutes)} h each`
  const isSame = occurrences.every((one) => one.minutes === usual)
  const length = usual % 15 === 0 ? `${formatHours(usual as Minutes)} h` : `${usual} min`
  return isSame ? length : `usually ${length}`
}
