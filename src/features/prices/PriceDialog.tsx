import { useState } from 'react'
import { useForm, type UseFormReturn, useWatch } from 'react-hook-form'
import { useMe } from '#features/accounts/client.web.ts'
import { dayIn } from '#kernel/calendar-day.ts'
import { inCurrency } from '#kernel/money.ts'
import { Button } from '#platform/ui/Button.tsx'
import { withDraft } from '#platform/ui/draft.web.ts'
import { useEntryForm } from '#platform/ui/entry-form.web.ts'
import { SelectField } from '#platform/ui/EntryField.tsx'
import { TextField } from '#platform/ui/Field.tsx'
import { checkedBy, fieldIn } from '#platform/ui/form.web.ts'
import { FormAmountField } from '#platform/ui/FormEntryField.tsx'
import { inFormBoundary } from '#platform/ui/FormBoundary.tsx'
import { FormButtons } from '#platform/ui/FormButtons.tsx'
import { FormDialog } from '#platform/ui/FormDialog.tsx'
import { SegmentedChoice } from '#platform/ui/SegmentedChoice.tsx'
import { useToast } from '#platform/ui/Toast.tsx'
import { useDeletePrice, useSavePrice } from './client.web.ts'
import type { Pair } from './PricesCard.tsx'
import { fieldsOf, pairOf, type PriceFields, toPrice } from './price-form.ts'
import { pairPriceName } from './price-words.ts'
import { type ListedPrice, NewPrice } from './price.ts'

interface PriceDialogProps {
  pairs: readonly Pair[]
  price?: ListedPrice
  onClose: () => void
}

/** Sets a pair's price from a day on, or changes or deletes one. */
export const PriceDialog = inFormBoundary(PriceForm, draftOf)

function draftOf({ price, pairs }: PriceDialogProps): string {
  return `price:${price?.id ?? pairs.map(pairOf).join()}`
}

function PriceForm({ pairs, price, onClose }: PriceDialogProps) {
  const draft = draftOf({ pairs, ...(price ? { price } : {}), onClose })
  const { currency } = useMe()
  const save = useSavePrice(price)
  const form = useForm<PriceFields>({
    resolver: checkedBy(NewPrice, toPrice, { currency, fields: ['amount'] }),
    defaultValues: withDraft<PriceFields>(
      draft,
      fieldsOf(price, pairs.map(pairOf), dayIn(new Date()), currency),
    ),
  })
  const { submit, close, problem, isDirty } = useEntryForm(form, {
    draft,
    save: (fields, idempotencyKey) => save.mutateAsync({ fields, idempotencyKey }),
    onDone: onClose,
    success: 'Price saved',
    failure: 'Failed to save the price',
  })
  const pair = useWatch({ control: form.control, name: 'pair' })
  const people = pairs.find((one) => pairOf(one) === pair)
  return (
    <FormDialog
      title={people ? pairPriceName(people) : 'Set a price'}
      isDirty={isDirty}
      onClose={close}
      problem={problem}
      footer={<FormButtons form="price" label="Save" isBusy={save.isPending} onCancel={close} />}
    >
      <form id="price" className="grid gap-4" onSubmit={submit} noValidate>
        {pairs.length > 1 && !price && <PairField form={form} pairs={pairs} />}
        <PriceFieldset form={form} />
      </form>
      {price && <DeleteButton price={price} onDone={close} />}
    </FormDialog>
  )
}

function PairField({ form, pairs }: { form: UseFormReturn<PriceFields>; pairs: readonly Pair[] }) {
  const error =
    form.formState.errors.pair?.message ??
    (form.formState.isSubmitted && !form.getValues('pair') ? 'Choose whose price it is' : undefined)
  return (
    <SelectField label="Whose price" required error={error} {...form.register('pair')}>
      <option value="">Choose</option>
      {pairs.map((one) => (
        <option key={pairOf(one)} value={pairOf(one)}>
          {pairPriceName(one)}
        </option>
      ))}
    </SelectField>
  )
}

function PriceFieldset({ form }: { form: UseFormReturn<PriceFields> }) {
  const { currency } = useMe()
  const { control, setValue } = form
  const per = useWatch({ control, name: 'per' })
  return (
    <>
      <TextField
        label="From"
        type="date"
        required
        help="Sessions you’ve already logged keep their price."
        {...fieldIn(form, 'from')}
      />
      <FormAmountField control={control} name="amount" label={inCurrency('Price ($)', currency)} required />
      <SegmentedChoice
        label="For"
        name="price-per"
        value={per}
        onValueChange={(value) => setValue('per', value, { shouldDirty: true })}
        options={[
          { value: 'hour', label: 'An hour' },
          { value: 'lesson', label: 'A lesson' },
        ]}
      />
      {per === 'lesson' && (
        <TextField
          label="Length of a lesson (minutes)"
          inputMode="numeric"
          required
          help="A longer or shorter one costs that much more or less."
          {...fieldIn(form, 'lesson_minutes')}
        />
      )}
    </>
  )
}

function DeleteButton({ price, onDone }: { price: ListedPrice; onDone: () => void }) {
  const toast = useToast()
  const remove = useDeletePrice()
  const [isAsking, setIsAsking] = useState(false)
  const send = () =>
    remove.mutate(price, {
      onSuccess: () => {
        toast.success('Price deleted')
        onDone()
      },
      onError: () => toast.error('Error', 'Failed to delete the price'),
    })
  return isAsking ? (
    <div className="mt-4 flex flex-wrap items-center gap-3">
      <p className="flex-1">Delete this price? Logged sessions keep it.</p>
      <Button tone="secondary" size="small" onClick={() => setIsAsking(false)}>
        Keep
      </Button>
      <Button tone="danger" size="small" busy={remove.isPending} busyText="Deleting..." onClick={send}>
        Delete
      </Button>
    </div>
  ) : (
    <Button tone="quiet" className="mt-4 -ml-3" onClick={() => setIsAsking(true)}>
      Delete this price
    </Button>
  )
}
