import { useState } from 'react'
import { inCurrency } from '#kernel/money.ts'
import { CallFailed } from '#platform/api.web.ts'
import { forgetDraft, keepDraft, withDraft } from '#platform/ui/draft.web.ts'
import { AmountField } from '#platform/ui/EntryField.tsx'
import { TextArea, TextField } from '#platform/ui/Field.tsx'
import { fieldErrorsOf } from '#platform/ui/form.web.ts'
import { inFormBoundary } from '#platform/ui/FormBoundary.tsx'
import { FormButtons } from '#platform/ui/FormButtons.tsx'
import { FormDialog } from '#platform/ui/FormDialog.tsx'
import type { DisputeWords } from './client.web.ts'
import {
  otherAmountFields,
  type OtherAmountFields,
  saidOfAmount,
  type SaidOfAmount,
  type WithAmount,
} from './other-amount.ts'

interface OtherAmountDialogProps {
  entry: WithAmount
  words: DisputeWords
  onSend: (said: SaidOfAmount) => Promise<unknown>
  onClose: () => void
}

/** Asks what isn't right about an entry with an amount: another amount or day that the other side can accept, or a note. */
export const OtherAmountDialog = inFormBoundary(Content, ({ words }: OtherAmountDialogProps) => words.draft)

function Content({ entry, words, onSend, onClose }: OtherAmountDialogProps) {
  const own = otherAmountFields(entry)
  const [fields, setFields] = useState(() => withDraft(words.draft, own))
  const [errors, setErrors] = useState<Partial<Record<keyof OtherAmountFields, string>>>({})
  const [isBusy, setIsBusy] = useState(false)
  const set = (change: Partial<OtherAmountFields>) => {
    setFields({ ...fields, ...change })
    setErrors({})
    keepDraft(words.draft, { ...fields, ...change })
  }
  const close = () => {
    forgetDraft(words.draft)
    onClose()
  }
  const send = async () => {
    if (isBusy) return
    const said = saidOfAmount(fields, entry)
    if (!said) return setErrors({ note: `${words.missing}, or change the amount or the date` })
    if ('problem' in said) return setErrors({ amount: said.problem })
    setIsBusy(true)
    try {
      await onSend(said)
      close()
    } catch (error) {
      const known = fieldErrorsOf(error).flatMap(({ field, message }) => {
        const [name] = (['amount', 'date'] as const).filter((one) => field.endsWith(one))
        return name ? [[name, message] as const] : []
      })
      const told = error instanceof CallFailed ? error.problem.title : words.failure
      setErrors(known.length > 0 ? Object.fromEntries(known) : { note: told })
    } finally {
      setIsBusy(false)
    }
  }
  return (
    <FormDialog
      title={words.title}
      isDirty={fields.note !== '' || fields.amount !== own.amount || fields.date !== own.date}
      onClose={close}
      footer={
        <FormButtons
          label={words.send}
          isBusy={isBusy}
          busyText="Sending..."
          onSubmit={() => void send()}
          onCancel={close}
        />
      }
    >
      <p className="mb-4 text-ink-2">
        {words.name && (
          <>
            <b className="num text-ink">{words.name}</b>
            <br />
          </>
        )}
        {words.facts}
      </p>
      <div className="grid gap-4">
        <div className="pair">
          <TextField
            label="Right date"
            type="date"
            value={fields.date}
            error={errors.date}
            onChange={(event) => set({ date: event.target.value })}
          />
          <AmountField
            label={inCurrency('Right amount ($)', entry.currency)}
            value={fields.amount}
            error={errors.amount}
            onValueChange={(amount) => set({ amount })}
          />
        </div>
        <TextArea
          label={`${words.label} (optional)`}
          help={words.help}
          maxLength={words.maxLength}
          value={fields.note}
          error={errors.note}
          onChange={(event) => set({ note: event.target.value })}
        />
      </div>
    </FormDialog>
  )
}
