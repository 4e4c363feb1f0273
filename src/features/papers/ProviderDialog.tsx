import { useForm, type UseFormReturn, useWatch } from 'react-hook-form'
import { SelectField } from '#platform/ui/EntryField.tsx'
import { useEntryForm } from '#platform/ui/entry-form.web.ts'
import { TextArea, TextField } from '#platform/ui/Field.tsx'
import { checkedBy, fieldIn } from '#platform/ui/form.web.ts'
import { inFormBoundary } from '#platform/ui/FormBoundary.tsx'
import { withDraft } from '#platform/ui/draft.web.ts'
import { FormButtons } from '#platform/ui/FormButtons.tsx'
import { FormDialog } from '#platform/ui/FormDialog.tsx'
import { fieldsOfProvider, type ProviderFields, toProvider } from './paper-form.ts'
import {
  type ProviderDetails,
  ProviderInput,
  QUALIFICATION_WORDS,
  QUALIFICATIONS,
  TAX_KINDS,
} from './provider.ts'

const DRAFT = 'paper-provider'
const TAX_LABELS: Record<(typeof TAX_KINDS)[number], string> = {
  none: 'Nothing',
  small_business: 'A small-business note',
  vat: 'Prices include VAT',
  text: 'Your own words',
}

interface ProviderDialogProps {
  provider: ProviderDetails
  onSave: (details: ReturnType<typeof toProvider>) => Promise<unknown>
  /** What saving does besides, if it does; otherwise just "Save". */
  label?: string
  success?: string
  onClose: () => void
}

/** The details that every receipt and invoice shows, typed once. */
export const ProviderDialog = inFormBoundary(ProviderForm, () => DRAFT)

function ProviderForm({
  provider,
  onSave,
  label = 'Save',
  success = 'Your details are saved',
  onClose,
}: ProviderDialogProps) {
  const form = useForm<ProviderFields>({
    resolver: checkedBy<ProviderFields>(ProviderInput, toProvider),
    defaultValues: withDraft(DRAFT, fieldsOfProvider(provider)),
  })
  const { submit, close, problem, isDirty } = useEntryForm(form, {
    draft: DRAFT,
    save: (fields) => onSave(toProvider(fields)),
    success,
    failure: 'Failed to save your details',
    onDone: onClose,
  })
  const text = (name: keyof ProviderFields, title: string, more: object = {}) => (
    <TextField label={title} autoComplete="off" {...more} {...fieldIn(form, name)} />
  )
  return (
    <FormDialog
      title="Your details"
      isDirty={isDirty}
      onClose={close}
      problem={problem}
      footer={
        <FormButtons form="provider" label={label} isBusy={form.formState.isSubmitting} onCancel={close} />
      }
    >
      <form id="provider" className="grid gap-4" noValidate onSubmit={(event) => void submit(event)}>
        <p className="text-ink-2">Every receipt and invoice shows these. Leave out what you don’t need.</p>
        {text('legal_name', 'Legal name', { maxLength: 120, autoComplete: 'organization', required: true })}
        <TextArea
          label="Address"
          required
          maxLength={300}
          autoComplete="street-address"
          {...fieldIn(form, 'address')}
        />
        <div className="pair">
          {text('tax_number', 'Tax number', { maxLength: 60 })}
          {text('registration_number', 'Registration number', { maxLength: 60 })}
        </div>
        {text('credential', 'Credential', {
          maxLength: 160,
          help: 'Such as a teaching certificate or a degree.',
        })}
        <div className="pair">
          {text('credential_number', 'Credential number', { maxLength: 60 })}
          {text('instructor_name', 'Who teaches', { maxLength: 120, help: 'If it isn’t the name above.' })}
        </div>
        <SelectField label="What qualifies you" {...fieldIn(form, 'qualification')}>
          <option value="">Not stated</option>
          {QUALIFICATIONS.map((one) => (
            <option key={one} value={one}>
              {QUALIFICATION_WORDS[one].replace(/^./, (letter) => letter.toUpperCase())}
            </option>
          ))}
        </SelectField>
        <TaxFields form={form} />
      </form>
    </FormDialog>
  )
}

function TaxFields({ form }: { form: UseFormReturn<ProviderFields> }) {
  const kind = useWatch({ control: form.control, name: 'tax_kind' })
  return (
    <>
      <SelectField label="What papers say about tax" {...fieldIn(form, 'tax_kind')}>
        {TAX_KINDS.map((one) => (
          <option key={one} value={one}>
            {TAX_LABELS[one]}
          </option>
        ))}
      </SelectField>
      {(kind === 'small_business' || kind === 'text') && (
        <TextArea
          label="Tax note"
          required
          maxLength={300}
          help={kind === 'small_business' ? 'Such as "No VAT is charged, under section 19 UStG."' : undefined}
          {...fieldIn(form, 'tax_text')}
        />
      )}
      {kind === 'vat' && (
        <div className="pair">
          <TextField
            label="VAT number"
            required
            maxLength={40}
            autoComplete="off"
            {...fieldIn(form, 'vat_number')}
          />
          <TextField
            label="VAT rate (%)"
            required
            inputMode="decimal"
            autoComplete="off"
            {...fieldIn(form, 'vat_rate')}
          />
        </div>
      )}
    </>
  )
}
