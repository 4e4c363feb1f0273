import { Controller, type UseFormReturn, useWatch } from 'react-hook-form'
import { REASON_LABELS } from '#features/payments/payment-words.ts'
import { type Currency, inCurrency } from '#kernel/money.ts'
import { SelectField } from '#platform/ui/EntryField.tsx'
import { TextArea, TextField } from '#platform/ui/Field.tsx'
import { fieldIn } from '#platform/ui/form.web.ts'
import { FormAmountField } from '#platform/ui/FormEntryField.tsx'
import { SegmentedChoice } from '#platform/ui/SegmentedChoice.tsx'
import { MAX_LABEL } from './charge.ts'
import { type ChargeFields as Fields, REASONS_OF } from './charge-form.ts'

const KINDS = [
  { value: 'charge', label: 'Charge' },
  { value: 'credit', label: 'Credit' },
] as const

/** On a phone. */
const CHARACTERS_IN_A_LINE = 36

/** The fields of a charge or credit, in the app and on the emailed page. */
export function ChargeFields({ form, currency }: { form: UseFormReturn<Fields>; currency: Currency }) {
  const { control, setValue, getValues } = form
  const kind = useWatch({ control, name: 'kind' })
  const chosen = useWatch({ control, name: 'reason' })
  const label = useWatch({ control, name: 'label' })
  // A charge recorded with another reason, for example by a program, keeps it.
  const reasons = REASONS_OF[kind].includes(chosen) ? REASONS_OF[kind] : [chosen, ...REASONS_OF[kind]]
  return (
    <>
      <Controller
        control={control}
        name="kind"
        render={({ field }) => (
          <SegmentedChoice
            label="Type"
            name="charge-kind"
            value={field.value}
            options={KINDS}
            onValueChange={(next) => {
              field.onChange(next)
              const [first = 'other'] = REASONS_OF[next]
              if (!REASONS_OF[next].includes(getValues('reason'))) setValue('reason', first)
            }}
          />
        )}
      />
      <div className="pair">
        <TextField label="Date" type="date" required {...fieldIn(form, 'date')} />
        <FormAmountField
          control={control}
          name="amount"
          label={inCurrency('Amount ($)', currency)}
          required
        />
      </div>
      <SelectField label="Reason" {...fieldIn(form, 'reason')} value={chosen}>
        {reasons.map((reason) => (
          <option key={reason} value={reason}>
            {REASON_LABELS[reason]}
          </option>
        ))}
      </SelectField>
      {/* A sentence that explains a missed class is longer than a line. */}
      <TextArea
        label="What for"
        className="field-sizing-content resize-none"
        // For browsers in which a field doesn't grow by itself.
        rows={Math.ceil((label.length + 1) / CHARACTERS_IN_A_LINE)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
          event.preventDefault()
          event.currentTarget.form?.requestSubmit()
        }}
        help="Both of you can see this. For example: Reading book"
        autoComplete="off"
        maxLength={MAX_LABEL}
        {...fieldIn(form, 'label')}
      />
    </>
  )
}
