import { eachWords, LESSON_WORDS } from '#features/sessions/lesson-words.ts'
import { useMoney } from '#platform/ui/money.web.ts'
import { Figure } from '#platform/ui/Card.tsx'
import { SelectField } from '#platform/ui/EntryField.tsx'
import { SegmentedChoice } from '#platform/ui/SegmentedChoice.tsx'
import { type Choices, type Field, FIELDS, type Preview } from './import.ts'

interface ImportChoicesProps {
  preview: Preview
  isParent: boolean
  /** Whether the lines come from a calendar, whose columns and dates are certain. */
  isCalendar: boolean
  choices: Choices
  onChange: (change: Partial<Choices>) => void
}

const LABELS: Record<Field, string> = {
  date: 'Date',
  student: 'Student',
  tutor: 'Tutor',
  duration: 'Duration in hours',
  minutes: 'Duration in minutes',
  subject: 'Subject',
  rate: 'Rate per hour',
  amount: 'Amount',
  start_time: 'Start time',
  end_time: 'End time',
  ...eachWords((field) => LESSON_WORDS[field].asked),
  notes: 'Notes',
}
const NEEDED = new Set<Field>(['date', 'student', 'tutor'])

/**
 * Shows how the file is interpreted, with controls to correct the columns, the date order and the lines to
 * leave out. Also shows the result.
 */
export function ImportChoices({ preview, isParent, isCalendar, choices, onChange }: ImportChoicesProps) {
  const money = useMoney()
  const { columns } = preview
  const assign = (field: Field, at: string) => {
    const { [field]: _, ...rest } = columns
    onChange({ columns: at === '' ? rest : { ...rest, [field]: Number(at) } })
  }
  const people = (names: string[], one: string, many: string) =>
    names.length > 0 &&
    `${names.length} new ${names.length === 1 ? one : many}: ${names.slice(0, 8).join(', ')}${names.length > 8 ? ', …' : ''}`
  const added = [
    people(preview.new_students, isParent ? 'child' : 'student', isParent ? 'children' : 'students'),
    people(preview.new_tutors, 'tutor', 'tutors'),
  ].filter((text): text is string => Boolean(text))
  return (
    <>
      {!isCalendar && (
        <section className="mt-6" aria-labelledby="columns">
          <h2 id="columns">Columns</h2>
          <div className="mt-3 grid grid-cols-2 gap-3 md:grid-cols-3 lg:grid-cols-4">
            {FIELDS.filter((field) => isParent || field !== 'tutor').map((field) => (
              <SelectField
                key={field}
                label={isParent && field === 'student' ? 'Child' : LABELS[field]}
                required={NEEDED.has(field)}
                value={columns[field] ?? ''}
                onChange={(event) => assign(field, event.target.value)}
              >
                <option value="">{NEEDED.has(field) ? 'Choose a column' : 'Not in this file'}</option>
                {preview.header.map((name, at) => (
                  <option key={at} value={at}>
                    {name}
                  </option>
                ))}
              </SelectField>
            ))}
          </div>
        </section>
      )}
      <div className="mt-4 grid gap-4 md:max-w-xl">
        {!isCalendar && (
          <SegmentedChoice
            label="Dates like 3/4/2026 are"
            name="date-order"
            value={preview.date_order}
            onValueChange={(order) => onChange({ date_order: order })}
            options={[
              { value: 'mdy', label: 'March 4' },
              { value: 'dmy', label: 'April 3' },
            ]}
          />
        )}
        <Check
          label="Skip sessions that are already in your log"
          count={preview.existing}
          isOn={choices.skip_existing}
          onToggle={(isOn) => onChange({ skip_existing: isOn })}
        />
        <Check
          label={isCalendar ? 'Skip duplicate events' : 'Skip duplicate lines'}
          count={preview.repeats}
          isOn={choices.skip_repeats}
          onToggle={(isOn) => onChange({ skip_repeats: isOn })}
        />
      </div>
      <dl className="card figures mt-5 lg:grid-cols-4" aria-live="polite">
        <div>
          <dt className="k">Sessions</dt>
          <Figure>{preview.sessions}</Figure>
        </div>
        <div>
          <dt className="k">Hours</dt>
          <Figure>{preview.hours.toFixed(1)}</Figure>
        </div>
        <div>
          <dt className="k">Amount</dt>
          <Figure>{money(preview.amount)}</Figure>
        </div>
        <div>
          <dt className="k">{isCalendar ? 'With errors' : 'Lines with errors'}</dt>
          <dd className={`figure mt-1 ${preview.refused ? 'text-danger' : ''}`}>{preview.refused}</dd>
        </div>
        {added.length > 0 && (
          <div className="col-span-full text-small text-ink-2">
            <dt className="sr-only">Will be added</dt>
            {added.map((text) => (
              <dd key={text}>{text}</dd>
            ))}
          </div>
        )}
      </dl>
    </>
  )
}

function Check({
  label,
  count,
  isOn,
  onToggle,
}: {
  label: string
  count: number
  isOn: boolean
  onToggle: (isOn: boolean) => void
}) {
  return (
    <label className="flex min-h-11 items-center gap-3">
      <input
        type="checkbox"
        className="size-5 accent-accent"
        checked={isOn}
        onChange={(event) => onToggle(event.target.checked)}
      />
      <span>
        {label}
        {count > 0 && <span className="text-ink-2"> ({count} left out)</span>}
      </span>
    </label>
  )
}
