import { useEffect } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { useMakeUps } from '#features/terms/client.web.ts'
import { offerText } from '#features/terms/make-up-text.ts'
import type { MakeUp } from '#features/terms/make-ups.ts'
import type { SessionFields } from './session-form.ts'

/** The make-ups that are owed to a form's child and tutor on its day, the first to lapse first. */
function owedTo(fields: SessionFields, makeUps: readonly MakeUp[]): MakeUp[] {
  const { student_id: student, tutor_id: tutor, date, connection_id: family, schedule_id: schedule } = fields
  // A planned class is a class of its own.
  if (schedule) return []
  return makeUps.filter(
    (one) =>
      one.student_id === student &&
      one.tutor_id === tutor &&
      (!family || one.connection_id === family) &&
      (one.until === null || one.until >= date) &&
      (one.state === 'owed' || date <= (one.until ?? '')),
  )
}

/** The fields as they're priced: a make-up for a class that's paid for costs nothing. */
export function usePriced() {
  const makeUps = useMakeUps().data?.make_ups ?? []
  return (fields: SessionFields): SessionFields =>
    makeUps.some(({ id, is_free: isFree }) => isFree && id === fields.makes_up)
      ? { ...fields, hourly_rate: '0' }
      : fields
}

interface MakeUpOfferProps {
  form: UseFormReturn<SessionFields>
  fields: SessionFields
  /** Whether the session already waits on this device. It keeps its make-up until that's unticked. */
  isWaiting: boolean
}

/** Offers to use a make-up, if one is owed to the two. */
export function MakeUpOffer({ form, fields, isWaiting }: MakeUpOfferProps) {
  const { setValue } = form
  const list = useMakeUps()
  const owed = owedTo(fields, list.data?.make_ups ?? [])
  const chosen = fields.makes_up
  const isStale = Boolean(chosen) && !isWaiting && list.isSuccess && !owed.some(({ id }) => id === chosen)
  useEffect(() => {
    if (isStale) setValue('makes_up', '')
  }, [isStale, setValue])
  const error = form.formState.errors.makes_up?.message
  if (owed.length === 0 && !(chosen && isWaiting) && !error) return null
  const [first] = owed
  const choose = (isChosen: boolean) => {
    setValue('makes_up', isChosen ? (first?.id ?? '') : '', { shouldDirty: true })
    form.clearErrors('makes_up')
    // One that waits was priced when it was saved.
    if (!isChosen && isWaiting && fields.hourly_rate === '0') setValue('hourly_rate', '')
  }
  return (
    <div className="lg:col-span-2">
      {(first || (chosen && isWaiting)) && (
        <label className="flex min-h-11 items-center gap-3">
          <input
            type="checkbox"
            className="size-5 accent-accent"
            checked={Boolean(chosen)}
            onChange={({ target }) => choose(target.checked)}
          />
          <span className="num">{first ? offerText(owed) : 'Use a make-up'}</span>
        </label>
      )}
      {error && (
        <p role="alert" className="err">
          {error}
        </p>
      )}
    </div>
  )
}
