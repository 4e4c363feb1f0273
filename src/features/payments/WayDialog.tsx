import { useState } from 'react'
import { useForm, type UseFormReturn, useWatch } from 'react-hook-form'
import { useMe } from '#features/accounts/client.web.ts'
import { cents, formatMoney } from '#kernel/money.ts'
import { forgetDraft, readDraft, useDraft, withDraft } from '#platform/ui/draft.web.ts'
import { useFailure } from '#platform/ui/entry-form.web.ts'
import { SelectField } from '#platform/ui/EntryField.tsx'
import { TextArea, TextField } from '#platform/ui/Field.tsx'
import { checkedBy, fieldErrorsOf } from '#platform/ui/form.web.ts'
import { FormBoundary } from '#platform/ui/FormBoundary.tsx'
import { FormButtons } from '#platform/ui/FormButtons.tsx'
import { FormDialog } from '#platform/ui/FormDialog.tsx'
import { useToast } from '#platform/ui/Toast.tsx'
import { useSetWays, type WayInput } from './client.web.ts'
import { NewWay } from './own-ways.ts'
import { MAX_LINK, PROVIDER_NAMES } from './payment-link.ts'
import { KIND_NAMES, type OwnWays, type PaymentWay, shownWay, WAY_KINDS } from './payment-way.ts'
import { PayWay } from './PayWay.tsx'
import { fieldsOf, LINES, toInput, type WayFields } from './way-form.ts'

/** The example amount in the preview. */
const EXAMPLE = cents(10_000)

type Line = Exclude<keyof WayFields, 'kind'>

/** Each field's label, help text and maximum length. */
const FIELDS: Record<Exclude<Line, 'currency' | 'text'>, { label: string; help?: string; most: number }> = {
  url: {
    label: 'Payment link',
    help: `A link from ${PROVIDER_NAMES} that doesn’t include an amount.`,
    most: MAX_LINK,
  },
  holder: { label: 'Account holder', most: 70 },
  iban: { label: 'IBAN', most: 60 },
  bic: { label: 'BIC', help: 'Only needed for banks outside the European Economic Area.', most: 20 },
  street: { label: 'Street', most: 70 },
  building: { label: 'Number', most: 16 },
  postal_code: { label: 'Postal code', most: 16 },
  town: { label: 'City', most: 35 },
  country: { label: 'Country', help: 'Two letters, such as CH.', most: 4 },
  reference: { label: 'QR reference', help: '27 digits, only with a QR-IBAN.', most: 40 },
  message: { label: 'Message', help: 'The note on the family’s transfer, such as "Lessons".', most: 140 },
  name: { label: 'Name', most: 99 },
  address: { label: 'UPI ID', help: 'For example, name@bank.', most: 255 },
}
const OPTIONAL = new Set<Line>(['bic', 'street', 'building', 'reference', 'message'])

interface WayDialogProps {
  way?: PaymentWay
  own: OwnWays
  onClose: () => void
}

/** Adds a payment option, or changes the given one. */
export default function WayDialog(props: WayDialogProps) {
  const draft = `way:${props.way?.id ?? 'new'}`
  return (
    <FormBoundary draft={draft}>
      <WayForm {...props} draft={draft} />
    </FormBoundary>
  )
}

function WayForm({ way, own, onClose, draft }: WayDialogProps & { draft: string }) {
  const { full_name } = useMe()
  const toast = useToast()
  const set = useSetWays()
  const form = useForm<WayFields>({
    resolver: checkedBy<WayFields>(NewWay, (fields) => toInput(fields, way?.id)),
    reValidateMode: 'onBlur',
    defaultValues: withDraft(draft, fieldsOf(way, full_name ?? '')),
  })
  useDraft(draft, form)
  const [wasKept] = useState(() => readDraft(draft) !== undefined)
  const { problem, fail, clear } = useFailure()
  const close = () => {
    forgetDraft(draft)
    onClose()
  }
  const submit = form.handleSubmit(async (fields) => {
    clear()
    const input = toInput(fields, way?.id) as WayInput
    const ways: WayInput[] = way
      ? own.ways.map((one) => (one.id === way.id ? input : one))
      : [...own.ways, input]
    try {
      await set.mutateAsync({ ways, version: own.version })
      toast.success(way ? 'Payment option updated' : 'Payment option added')
      close()
    } catch (error) {
      for (const { field, message } of fieldErrorsOf(error))
        form.setError(field.split('.').at(-1) as keyof WayFields, { message })
      fail(error, 'Failed to save this payment option')
    }
  })
  return (
    <FormDialog
      title={way ? 'Edit payment option' : 'Add a payment option'}
      isDirty={form.formState.isDirty || wasKept}
      onClose={close}
      problem={problem}
      footer={<FormButtons form="way" label="Save" isBusy={set.isPending} onCancel={close} />}
    >
      <form id="way" className="grid gap-4" onSubmit={(event) => void submit(event)} noValidate>
        <SelectField label="How do you want to be paid?" {...form.register('kind')}>
          {WAY_KINDS.map((kind) => (
            <option key={kind} value={kind}>
              {KIND_NAMES[kind]}
            </option>
          ))}
        </SelectField>
        <Lines form={form} />
      </form>
      <Preview form={form} />
    </FormDialog>
  )
}

function Lines({ form }: { form: UseFormReturn<WayFields> }) {
  const kind = useWatch({ control: form.control, name: 'kind' })
  const {
    register,
    formState: { errors },
  } = form
  return LINES[kind].map((line) => {
    const error = errors[line]?.message
    if (line === 'text')
      return (
        <TextArea
          key={line}
          label="What families should know"
          help="Shown as plain text, up to 300 characters."
          maxLength={300}
          required
          error={error}
          {...register(line)}
        />
      )
    if (line === 'currency')
      return (
        <SelectField key={line} label="Account currency" error={error} {...register(line)}>
          <option value="CHF">CHF</option>
          <option value="EUR">EUR</option>
        </SelectField>
      )
    const { label, help, most } = FIELDS[line]
    return (
      <TextField
        key={line}
        label={label}
        help={help}
        maxLength={most}
        required={!OPTIONAL.has(line)}
        autoComplete="off"
        spellCheck={false}
        inputMode={line === 'url' ? 'url' : undefined}
        error={error}
        {...register(line)}
      />
    )
  })
}

/** Shows what a family will see. Renders nothing until all fields are valid. */
function Preview({ form }: { form: UseFormReturn<WayFields> }) {
  const { currency } = useMe()
  const fields = useWatch({ control: form.control }) as WayFields
  const checked = NewWay.safeParse(toInput(fields))
  if (!checked.success) return null
  const shown = shownWay({ ...checked.data, id: 'preview' } as PaymentWay, { amount: EXAMPLE, currency })
  return (
    <section className="mt-5" aria-labelledby="way-preview">
      <h3 id="way-preview" className="lab mb-1.5">
        What a family sees for {formatMoney(EXAMPLE, currency)}
      </h3>
      <div className="card">
        <PayWay shown={shown} />
      </div>
    </section>
  )
}
