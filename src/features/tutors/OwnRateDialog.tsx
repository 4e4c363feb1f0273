import { useForm } from 'react-hook-form'
import { useMe } from '#features/accounts/client.web.ts'
import { amountInField, inCurrency } from '#kernel/money.ts'
import { withDraft } from '#platform/ui/draft.web.ts'
import { useEntryForm } from '#platform/ui/entry-form.web.ts'
import { checkedBy } from '#platform/ui/form.web.ts'
import { FormAmountField } from '#platform/ui/FormEntryField.tsx'
import { inFormBoundary } from '#platform/ui/FormBoundary.tsx'
import { FormButtons } from '#platform/ui/FormButtons.tsx'
import { FormDialog } from '#platform/ui/FormDialog.tsx'
import { useSetOwnRate } from './client.web.ts'
import { type OwnRateFields, OwnRateOrNone, toOwnRate } from './own-rate.ts'
import type { Tutor } from './tutor.ts'

const DRAFT = 'own-rate-settings'

/** A dialog to change a tutor's own hourly rate. Sessions that are already logged keep their rate until the offer to change them, too, is accepted. */
export const OwnRateDialog = inFormBoundary(OwnRateForm, () => DRAFT)

function OwnRateForm({ self, onClose }: { self: Tutor; onClose: () => void }) {
  const { currency } = useMe()
  const save = useSetOwnRate()
  const form = useForm<OwnRateFields>({
    resolver: checkedBy(OwnRateOrNone, toOwnRate, { currency, fields: ['hourly_rate'] }),
    defaultValues: withDraft<OwnRateFields>(DRAFT, {
      hourly_rate: amountInField(self.hourly_rate, currency),
    }),
  })
  const { submit, close, problem, isDirty } = useEntryForm(form, {
    draft: DRAFT,
    save: (fields) => save.mutateAsync(toOwnRate(fields)),
    onDone: onClose,
    success: 'Hourly rate saved',
    failure: 'Failed to save your hourly rate',
  })
  return (
    <FormDialog
      title="Your hourly rate"
      isDirty={isDirty}
      onClose={close}
      problem={problem}
      footer={<FormButtons form="own-rate-form" label="Save" isBusy={save.isPending} onCancel={close} />}
    >
      <form id="own-rate-form" onSubmit={submit} noValidate>
        <FormAmountField
          control={form.control}
          name="hourly_rate"
          label={inCurrency('Hourly rate ($/hour)', currency)}
          help="Sessions you’ve already logged keep their rate, unless you change them too in the next step."
        />
      </form>
    </FormDialog>
  )
}
