import { eachWords, LESSON_WORDS } from '#features/sessions/lesson-words.ts'
import { useStudents } from '#features/students/client.web.ts'
import { useTutors } from '#features/tutors/client.web.ts'
import { type Currency, formatAmount } from '#kernel/money.ts'
import { Figure } from '#platform/ui/Card.tsx'
import { SelectField } from '#platform/ui/EntryField.tsx'
import { SegmentedChoice } from '#platform/ui/SegmentedChoice.tsx'
import { type Choices, type Field, FIELDS_OF, type Kind, type Preview } from './import.ts'

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
  reason: 'Reason',
  label: 'What it’s for',
  currency: 'Currency',
}
/** The columns without which nothing can be imported. A family's charge may be for no child in particular. */
function isNeeded(kind: Kind, field: Field, isParent: boolean): boolean {
  if (field === 'student') return kind === 'sessions' || !isParent
  return field === 'date' || field === 'tutor' || (field === 'amount' && kind === 'charges')
}
const EXISTING: Record<Kind, string> = {
  sessions: 'Skip sessions that are already in your log',
  charges: 'Skip charges that are already recorded',
}

/**
 * Shows how the file is interpreted, with controls to correct the columns, the date order and the lines to
 * leave out. Also shows the result.
 */
export function ImportChoices({ preview, isParent, isCalendar, choices, onChange }: ImportChoicesProps) {
  const { kind, columns } = preview
  const fields: readonly Field[] = FIELDS_OF[kind]
  const assign = (field: Field, value: string) => {
    const { [field]: _, ...rest } = columns
    const person = FOR_ALL.exec(value)?.[1]
    onChange({
      kind,
      columns: value === '' || person ? rest : { ...rest, [field]: Number(value) },
      ...(field === 'student' || field === 'tutor' ? { [`${field}_id`]: person } : {}),
    })
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
          <div className="mt-3 md:max-w-xl">
            <SegmentedChoice
              label="Each line is a"
              name="kind"
              value={kind}
              onValueChange={(next) => onChange({ kind: next, columns: undefined })}
              options={[
                { value: 'sessions', label: 'Session' },
                { value: 'charges', label: 'Charge or credit' },
              ]}
            />
          </div>
          <div className="mt-4 grid grid-cols-2 gap-3 md:grid-cols-3 lg:grid-cols-4">
            {fields
              .filter((field) => isParent || field !== 'tutor')
              .map((field) => (
                <ColumnField
                  key={field}
                  field={field}
                  preview={preview}
                  isParent={isParent}
                  onChoose={(value) => assign(field, value)}
                />
              ))}
          </div>
          {kind === 'charges' && (
            <p className="help mt-3">
              A negative amount is a credit. A reason in other words becomes what it’s for.
            </p>
          )}
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
          label={EXISTING[kind]}
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
      <dl
        className={`card figures mt-5 ${kind === 'charges' ? 'lg:grid-cols-3' : 'lg:grid-cols-4'}`}
        aria-live="polite"
      >
        {kind === 'sessions' ? (
          <>
            <div>
              <dt className="k">Sessions</dt>
              <Figure>{preview.sessions}</Figure>
            </div>
            <div>
              <dt className="k">Hours</dt>
              <Figure>{preview.hours.toFixed(1)}</Figure>
            </div>
          </>
        ) : (
          <div>
            <dt className="k">Charges</dt>
            <Figure>{preview.charges}</Figure>
          </div>
        )}
        <div>
          <dt className="k">Amount</dt>
          <Figure>
            {preview.currency ? formatAmount(preview.amount, preview.currency as Currency) : '–'}
          </Figure>
        </div>
        <div className={kind === 'charges' ? 'max-lg:col-span-full' : ''}>
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

/** The value of an option that says who all lines are for. */
const FOR_ALL = /^all:(.+)$/

interface ColumnFieldProps {
  field: Field
  preview: Preview
  isParent: boolean
  onChoose: (value: string) => void
}

/** Where a field comes from: a column or, for people, the same one for all lines. */
function ColumnField({ field, preview, isParent, onChoose }: ColumnFieldProps) {
  const students = useStudents().data ?? []
  const tutors = useTutors().data ?? []
  const needed = isNeeded(preview.kind, field, isParent)
  const people = field === 'student' ? students : field === 'tutor' ? tutors : []
  const forAll = field === 'student' || field === 'tutor' ? preview[`${field}_id`] : null
  const at = preview.columns[field]
  return (
    <SelectField
      label={isParent && field === 'student' ? 'Child' : LABELS[field]}
      required={needed}
      value={at ?? (forAll ? `all:${forAll}` : '')}
      onChange={(event) => onChoose(event.target.value)}
    >
      <option value="">{needed ? 'Choose a column' : 'Not in this file'}</option>
      {preview.header.map((name, place) => (
        <option key={place} value={place}>
          {name}
        </option>
      ))}
      {people.length > 0 && (
        <optgroup label="The same for all lines">
          {people.map(({ id, name }) => (
            <option key={id} value={`all:${id}`}>
              {name}
            </option>
          ))}
        </optgroup>
      )}
    </SelectField>
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
