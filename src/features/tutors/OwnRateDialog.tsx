import { Controller, useForm } from 'react-hook-form'
import { useMe } from '#features/accounts/client.web.ts'
import { inCurrency } from '#kernel/money.ts'
import { Button } from '#platform/ui/Button.tsx'
import { withDraft } from '#platform/ui/draft.web.ts'
import { useEntryForm } from '#platform/ui/entry-form.web.ts'
import { AmountField } from '#platform/ui/EntryField.tsx'
import { checkedBy } from '#platform/ui/form.web.ts'
import { FormBoundary } from '#platform/ui/FormBoundary.tsx'
import { FormDialog } from '#platform/ui/FormDialog.tsx'
import { useSetOwnRate } from './client.web.ts'
import { type OwnRateFields, OwnRateOrNone, toOwnRate } from './own-rate.ts'
import type { Tutor } from './tutor.ts'

const DRAFT = 'own-rate-settings'

/** A dialog to change a tutor's own hourly rate. Sessions that are already logged keep their rate. */
export function OwnRateDialog(props: { self: Tutor; onClose: () => void }) {
  return (
    <FormBoundary draft={DRAFT}>
      <OwnRateForm {...props} />
    </FormBoundary>
  )
}

function OwnRateForm({ self, onClose }: { self: Tutor; onClose: () => void }) {
  const { currency } = useMe()
  const save = useSetOwnRate()
  const form = useForm<OwnRateFields>({
    resolver: checkedBy(OwnRateOrNone, toOwnRate),
    defaultValues: withDraft<OwnRateFields>(DRAFT, { hourly_rate: self.hourly_rate?.toFixed(2) ?? '' }),
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
      footer={
        <>
          <Button tone="secondary" onClick={close}>
            Cancel
          </Button>
          <Button
            type="submit"
            form="own-rate-form"
            className="flex-1"
            busy={save.isPending}
            busyText="Saving..."
          >
            Save
          </Button>
        </>
      }
    >
      <form id="own-rate-form" onSubmit={submit} noValidate>
        <Controller
          control={form.control}
          name="hourly_rate"
          render={({ field }) => (
            <AmountField
              label={inCurrency('Hourly rate ($/hour)', currency)}
              help="Sessions you’ve already logged keep their rate."
              value={field.value}
              onValueChange={field.onChange}
              onBlur={field.onBlur}
              ref={field.ref}
              error={form.formState.errors.hourly_rate?.message}
            />
          )}
        />
      </form>
    </FormDialog>
  )
}
