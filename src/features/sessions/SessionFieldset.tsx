import { type ReactNode, useState } from 'react'
import { type UseFormReturn, useWatch } from 'react-hook-form'
import { useMe, useSeesAmounts, useSide } from '#features/accounts/client.web.ts'
import type { CalendarDay } from '#kernel/calendar-day.ts'
import { isolated } from '#kernel/isolate.ts'
import { type Currency, formatAmount, inCurrency } from '#kernel/money.ts'
import { formatTime } from '#kernel/wall-clock.ts'
import { priceAt } from '#features/prices/price.ts'
import { type PricedPeople, priceExplained } from '#features/prices/price-words.ts'
import { type ListedStudent, UNKNOWN_STUDENT } from '#features/students/student.ts'
import { type Tutor, UNKNOWN_TUTOR } from '#features/tutors/tutor.ts'
import { Disclosure } from '#platform/ui/Disclosure.tsx'
import { TextArea, TextField } from '#platform/ui/Field.tsx'
import { fieldIn } from '#platform/ui/form.web.ts'
import { FormAmountField, FormDurationField } from '#platform/ui/FormEntryField.tsx'
import { type FetchedList, ListField } from '#platform/ui/ListField.tsx'
import { DayButtons } from './DayButtons.tsx'
import { FamilyField } from './FamilyField.tsx'
import { LESSON_WORDS, LONGEST_WORDS, WORDS_FIELDS, type WordsField } from './lesson-words.ts'
import { type KeptSession, type SessionFields, type UsualPrice, usualPriceOf } from './session-form.ts'
import { SessionTotal, useCovered } from './SessionTotal.tsx'

interface SessionFieldsetProps {
  form: UseFormReturn<SessionFields>
  students: FetchedList<ListedStudent>
  tutors: FetchedList<Tutor>
  /** The label of the first select: 'Child' for parents, otherwise 'Student'. */
  studentLabel: 'Child' | 'Student'
  /** Whether the student or the tutor was deleted. Choosing a replacement is optional. */
  unknown?: { student: boolean; tutor: boolean }
  /** The session being edited. Needed because a session keeps its rate. */
  kept?: KeptSession
  /** The currency of the session being edited. Defaults to the workspace's. */
  currency?: Currency
  /** Whether the user can change only the private notes. */
  isReadOnly?: boolean
  /** The latest day on which the chosen two usually have a lesson. */
  usualDay?: CalendarDay | undefined
  /** The choice of other students in the lesson. */
  others?: ReactNode
  /** Whether the total is shown elsewhere. */
  hasOwnTotal?: boolean
  /**
   * The session's student and tutor. They can be selected even if archived, and their names show before the
   * lists have loaded.
   */
  chosen?: { student?: Listed; tutor?: Listed }
}

interface Listed {
  id: string
  name: string
}

/** The fields and the total, for logging or editing a session. */
export function SessionFieldset({
  form,
  students,
  tutors,
  studentLabel,
  unknown,
  kept,
  currency: stored,
  isReadOnly = false,
  usualDay,
  others,
  hasOwnTotal = false,
  chosen,
}: SessionFieldsetProps) {
  const { control } = form
  const side = useSide()
  const own = useMe().currency
  const currency = stored ?? own
  const seesAmounts = useSeesAmounts()
  const fields = useWatch({ control }) as SessionFields
  const [isWriting, setIsWriting] = useState(false)
  const usual = usualPriceOf(fields, students.data ?? [], tutors.data ?? [], kept)
  const isCovered = useCovered(fields) !== undefined && !(kept && usual)
  const why =
    usual && !isCovered && fields.hourly_rate.trim() === ''
      ? priceExplained(usual, peopleIn(fields, students.data, tutors.data), currency, new Date())
      : undefined

  return (
    <>
      <fieldset className="contents" disabled={isReadOnly}>
        <PeopleFields {...{ form, students, tutors, studentLabel, unknown, currency, chosen }} />
        <FamilyField form={form} students={students.data ?? []} kept={kept?.student_id} />
        {others}
        <div className="pair">
          <TextField label="Date" type="date" required {...fieldIn(form, 'date')} />
          <FormDurationField
            control={control}
            name="duration"
            label="Duration (hours)"
            required
            step={0.25}
            least={0}
          />
        </div>
        <DayButtons
          day={fields.date}
          usualDay={usualDay}
          onChoose={(day) =>
            form.setValue('date', day, { shouldDirty: true, shouldTouch: true, shouldValidate: true })
          }
        />
      </fieldset>
      <div className="lines col-span-full">
        <fieldset className="contents" disabled={isReadOnly}>
          <TextField label="Subject" autoComplete="off" {...fieldIn(form, 'subject')} />
          {seesAmounts && (
            <FormAmountField
              control={control}
              name="hourly_rate"
              label={inCurrency('Rate Override ($/hour)', currency)}
              placeholder="Leave blank to use tutor's default rate"
              help={why}
            />
          )}
        </fieldset>
        <TextArea
          label="Notes"
          // Once focused, the field stays tall, so that nothing moves when you tap a button.
          rows={isWriting || form.formState.errors.notes ? 3 : 1}
          onFocus={() => setIsWriting(true)}
          help={`Only your ${side === 'parent' ? 'family' : 'practice'} can see this`}
          {...fieldIn(form, 'notes')}
        />
      </div>
      <fieldset className="contents" disabled={isReadOnly}>
        <More form={form} fields={fields} other={studentLabel === 'Child' ? 'tutor' : 'family'} />
      </fieldset>
      {!hasOwnTotal && (
        <div className="col-span-full">
          <SessionTotal fields={fields} usual={usual} currency={currency} isKept={kept !== undefined} />
        </div>
      )}
    </>
  )
}

/** Who was taught, and by whom. */
function PeopleFields({
  form,
  students,
  tutors,
  studentLabel,
  unknown,
  currency,
  chosen,
}: Pick<SessionFieldsetProps, 'form' | 'students' | 'tutors' | 'studentLabel' | 'unknown' | 'chosen'> & {
  currency: Currency
}) {
  const plural = studentLabel === 'Child' ? 'children' : 'students'
  const [student_id, date] = useWatch({ control: form.control, name: ['student_id', 'date'] })
  const pairPrice = (tutor_id: string) => {
    const price = usualPriceOf({ student_id, tutor_id, date }, students.data ?? [], tutors.data ?? [])
    return price?.source === 'pair' ? price : null
  }
  return (
    <>
      <ListField
        label={studentLabel}
        required={!unknown?.student}
        list={students}
        plural={plural}
        prompt={unknown?.student ? UNKNOWN_STUDENT : `Select a ${studentLabel.toLowerCase()}`}
        offers={({ archived, id }) => !archived || id === chosen?.student?.id}
        chosen={chosen?.student}
        {...fieldIn(form, 'student_id')}
      />
      <ListField
        label="Tutor"
        required={!unknown?.tutor}
        list={tutors}
        plural="tutors"
        prompt={unknown?.tutor ? UNKNOWN_TUTOR : 'Select a tutor'}
        offers={({ archived, id }) => !archived || id === chosen?.tutor?.id}
        chosen={chosen?.tutor}
        nameOf={(tutor) => nameAndRate(tutor, currency, pairPrice(tutor.id))}
        {...fieldIn(form, 'tutor_id')}
      />
    </>
  )
}

/** The summary needs no label, since it's the first of the texts and the only one that people always write. */
const labeled = (field: WordsField, text: string) =>
  text && field !== 'summary' ? `${LESSON_WORDS[field].label}: ${text}` : text

/** Rarely used fields: start time, summary and so on. When collapsed, shows what's been entered. */
function More({
  form,
  fields,
  other,
}: {
  form: UseFormReturn<SessionFields>
  fields: SessionFields
  other: 'tutor' | 'family'
}) {
  const { errors } = form.formState
  const held = [
    fields.start_time && formatTime(fields.start_time),
    ...WORDS_FIELDS.map((field) => labeled(field, fields[field].trim())),
  ].filter((part) => part !== '')
  return (
    <Disclosure
      className="col-span-full min-w-0"
      mustShow={Boolean(errors.start_time ?? WORDS_FIELDS.some((field) => errors[field]))}
      title={
        <span className="min-w-0 flex-1 truncate">
          <b className="font-semibold">More</b>
          {held.length > 0 && <span className="text-ink-2"> · {held.map(isolated).join(' · ')}</span>}
        </span>
      }
    >
      <div className="mt-2 grid gap-4 lg:grid-cols-2">
        <div className="max-w-48 lg:col-span-2">
          <TextField label="Start time" type="time" {...fieldIn(form, 'start_time')} />
        </div>
        {WORDS_FIELDS.map((field) => (
          <TextArea
            key={field}
            label={LESSON_WORDS[field].asked}
            placeholder={LESSON_WORDS[field].placeholder}
            help={`The ${other} can see this too`}
            maxLength={LONGEST_WORDS}
            {...fieldIn(form, field)}
          />
        ))}
      </div>
    </Disclosure>
  )
}

/** Who a price is about. */
function peopleIn(
  { student_id, tutor_id }: SessionFields,
  students: readonly ListedStudent[] = [],
  tutors: readonly Tutor[] = [],
): PricedPeople {
  const tutor = tutors.find(({ id }) => id === tutor_id)
  return {
    student: students.find(({ id }) => id === student_id)?.name ?? UNKNOWN_STUDENT,
    tutor: tutor?.is_self ? undefined : (tutor?.name ?? UNKNOWN_TUTOR),
  }
}

function nameAndRate(tutor: Tutor, currency: Currency, pair: UsualPrice): string {
  const own = tutor.hourly_rate === null ? '' : ` (${formatAmount(tutor.hourly_rate, currency)}/hour)`
  const rate = pair ? ` (${priceAt(pair, currency)}${pair.lesson_minutes === null ? '/hour' : ''})` : own
  return (tutor.is_self ? 'You' : isolated(tutor.name)) + rate
}
