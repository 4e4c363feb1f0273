import { useForm } from 'react-hook-form'
import { useMe } from '#features/accounts/client.web.ts'
import { inCurrency } from '#kernel/money.ts'
import { Button } from '#platform/ui/Button.tsx'
import { withDraft } from '#platform/ui/draft.web.ts'
import { useEntryForm } from '#platform/ui/entry-form.web.ts'
import { FormAlert } from '#platform/ui/FormAlert.tsx'
import { FormAmountField } from '#platform/ui/FormEntryField.tsx'
import { FormBoundary } from '#platform/ui/FormBoundary.tsx'
import { checkedBy } from '#platform/ui/form.web.ts'
import { useOwnTutor, useSetOwnRate } from './client.web.ts'
import { OwnRate, type OwnRateFields, toOwnRate } from './own-rate.ts'

const DRAFT = 'own-rate'

/**
 * Asks tutors for their hourly rate until they set it.
 * @param isMissing true if the rate is known to be missing before the tutors have loaded. The card then
 * appears right away, so that nothing moves later
 */
export function OwnRateCard({
  isMissing = false,
  className = '',
}: {
  isMissing?: boolean
  className?: string
}) {
  const self = useOwnTutor()
  if (self ? self.hourly_rate !== null : !isMissing) return null
  return (
    <FormBoundary draft={DRAFT}>
      <OwnRateForm className={className} />
    </FormBoundary>
  )
}

function OwnRateForm({ className }: { className: string }) {
  const { currency } = useMe()
  const save = useSetOwnRate()
  const form = useForm<OwnRateFields>({
    resolver: checkedBy(OwnRate, (fields) => fields, { currency, fields: ['hourly_rate'] }),
    defaultValues: withDraft<OwnRateFields>(DRAFT, { hourly_rate: '' }),
  })
  const { submit, problem } = useEntryForm(form, {
    draft: DRAFT,
    save: (fields) => save.mutateAsync(toOwnRate(fields)),
    onDone: () => undefined,
    success: 'Hourly rate saved',
    failure: 'Failed to save your hourly rate',
  })
  return (
    <section className={`card p-5 ${className}`} aria-labelledby="own-rate">
      <h2 id="own-rate">Your hourly rate</h2>
      <p className="mt-1 text-ink-2">
        It applies to sessions you log from now on. You can set a different rate for each student.
      </p>
      <form className="mt-3 flex items-start gap-3" onSubmit={submit} noValidate>
        <div className="min-w-0 flex-1">
          <FormAmountField
            control={form.control}
            name="hourly_rate"
            label={inCurrency('Hourly rate ($/hour)', currency)}
          />
        </div>
        <Button type="submit" className="mt-[1.625rem]" busy={save.isPending} busyText="Saving...">
          Save
        </Button>
      </form>
      <FormAlert text={problem} className="mt-3" />
    </section>
  )
}
