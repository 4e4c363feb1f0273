import { X } from 'lucide-react'
import type { UseFormReturn } from 'react-hook-form'
import { useMe, useSeesAmounts } from '#features/accounts/client.web.ts'
import type { ListedStudent } from '#features/students/student.ts'
import type { Tutor } from '#features/tutors/tutor.ts'
import { SelectField } from '#platform/ui/EntryField.tsx'
import { SegmentedChoice } from '#platform/ui/SegmentedChoice.tsx'
import { familiesToAsk } from './family-choice.ts'
import type { SessionFields } from './session-form.ts'
import { othersIn, partsInWords, partsOf } from './siblings.ts'

interface OtherStudentsProps {
  form: UseFormReturn<SessionFields>
  fields: SessionFields
  students: readonly ListedStudent[]
  tutors: readonly Tutor[]
  /** Whether the session already waits on this device. It stays one. */
  isWaiting: boolean
}

/** Other children in the same lesson, and whether each pays its price or they share one. */
export function OtherStudents({ form, fields, students, tutors, isWaiting }: OtherStudentsProps) {
  const { currency, role } = useMe()
  const seesAmounts = useSeesAmounts()
  const chosen = othersIn(fields).flatMap((id) => students.find((one) => one.id === id) ?? [])
  const left = students.filter(
    ({ id }) =>
      id !== fields.student_id && !othersIn(fields).includes(id) && familiesToAsk(students, id).length === 0,
  )
  // A planned class is a class of one student's own.
  if (
    (isWaiting && chosen.length === 0) ||
    fields.schedule_id ||
    !fields.student_id ||
    (chosen.length === 0 && left.length === 0)
  )
    return null
  const set = (ids: readonly string[]) => form.setValue('others', ids.join(' '), { shouldDirty: true })
  const offers = !isWaiting && left.length > 0 && chosen.length < MOST_OTHERS
  const words = partsInWords(partsOf(fields, students, tutors, currency), currency)
  return (
    <div className="col-span-full grid gap-3">
      {offers && (
        <SelectField
          label="Also in this lesson"
          value=""
          onChange={({ target }) => target.value && set([...othersIn(fields), target.value])}
        >
          <option value="">
            {chosen.length === 0 ? 'Nobody else' : `Add another ${role === 'parent' ? 'child' : 'student'}`}
          </option>
          {left.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
      )}
      {chosen.length > 0 && (
        <ul className="flex flex-wrap gap-2" aria-label="Also in this lesson">
          {!offers && <li className="lab self-center">Also in this lesson</li>}
          {chosen.map(({ id, name }) => (
            <li key={id}>
              <button
                type="button"
                className="chip flex items-center gap-1.5"
                aria-label={`Remove ${name} from this lesson`}
                onClick={() => set(othersIn(fields).filter((one) => one !== id))}
              >
                <bdi>{name}</bdi>
                <X className="size-4" aria-hidden="true" />
              </button>
            </li>
          ))}
        </ul>
      )}
      {chosen.length > 0 && seesAmounts && (
        <>
          <SegmentedChoice
            label="Price"
            name="price-for"
            value={fields.price_for === 'shared' ? 'shared' : 'each'}
            onValueChange={(value) => form.setValue('price_for', value, { shouldDirty: true })}
            options={[
              { value: 'each', label: 'Each pays the full price' },
              { value: 'shared', label: 'They share one price' },
            ]}
          />
          <p className="num help" aria-live="polite">
            {words}
          </p>
        </>
      )}
    </div>
  )
}

/** One request logs at most 12 sessions. */
const MOST_OTHERS = 11
