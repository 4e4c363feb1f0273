import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { standingOf } from '#features/agreements/answer.ts'
import { DeletionDialog, DisputeDialog } from '#features/agreements/AnswerDialogs.tsx'
import { AnswerLink } from '#features/agreements/AnswerRow.tsx'
import { useAnswers } from '#features/agreements/client.web.ts'
import { nameOfPayment } from '#features/payments/payment-words.ts'
import { dayIn } from '#kernel/calendar-day.ts'
import { newId } from '#kernel/id.ts'
import type { Currency } from '#kernel/money.ts'
import { CallFailed } from '#platform/api.web.ts'
import { AddAnyway } from '#platform/ui/AddAnyway.tsx'
import { Button } from '#platform/ui/Button.tsx'
import { Disclosure } from '#platform/ui/Disclosure.tsx'
import { forgetDraft, readDraft, useDraft, withDraft } from '#platform/ui/draft.web.ts'
import { useFailure } from '#platform/ui/entry-form.web.ts'
import { checkedBy, fieldErrorsOf } from '#platform/ui/form.web.ts'
import { FormAlert } from '#platform/ui/FormAlert.tsx'
import type { Side } from '#platform/ui/Ticks.tsx'
import { NewCharge, type SharedCharge } from './charge.ts'
import { type ChargeFields as Fields, emptyCharge, factsToSend, fieldsOf } from './charge-form.ts'
import { ChargeFields } from './ChargeFields.tsx'
import { ChargeRow } from './ChargeRow.tsx'
import { chargeKind, saveCharge } from './client.web.ts'

const newDraft = (reader: Side) => `charge-by-mail:${reader}`
const editDraft = (id: string) => `charge-by-mail:${id}`

interface EmailedChargesSectionProps {
  charges: SharedCharge[]
  reader: Side
  /** What to call the other side within a sentence. */
  other: string
  currency: Currency
}

/** Charges and credits on an emailed page: those that need an answer, and a way to add one. */
export function EmailedChargesSection({ charges, reader, other, currency }: EmailedChargesSectionProps) {
  const kind = chargeKind(reader, other)
  const answers = useAnswers<SharedCharge>(kind, true)
  const [disputed, setDisputed] = useState<SharedCharge>()
  const [deleted, setDeleted] = useState<SharedCharge>()
  const [edited, setEdited] = useState<SharedCharge | 'new' | undefined>(
    () =>
      charges.find(({ id }) => readDraft(editDraft(id)) !== undefined) ??
      (readDraft(newDraft(reader)) === undefined ? undefined : 'new'),
  )
  const isOpen = (charge: SharedCharge) => standingOf(charge) !== 'verified' || answers.isFresh(charge)
  const settled = charges.filter((one) => !isOpen(one))
  const row = (charge: SharedCharge) => {
    const isOwnReport = standingOf(charge) !== 'verified' && charge.own_confirmation === 'confirmed'
    return (
      <ChargeRow
        key={charge.id}
        charge={charge}
        reader={reader}
        other={other}
        answers={answers}
        onDispute={() => setDisputed(charge)}
        onDelete={() => setDeleted(charge)}
      >
        {isOwnReport && (
          <>
            <AnswerLink label="Edit" name={nameOfPayment(charge)} onClick={() => setEdited(charge)} />
            <AnswerLink
              label="Delete"
              name={nameOfPayment(charge)}
              className="text-right"
              onClick={() => setDeleted(charge)}
            />
          </>
        )}
      </ChargeRow>
    )
  }
  return (
    <section className="mt-8" aria-labelledby="emailed-charges">
      <h3 id="emailed-charges">Other charges</h3>
      {charges.some(isOpen) && (
        <ul className="card list mt-3 overflow-hidden" aria-label="Other charges">
          {charges.filter(isOpen).map(row)}
        </ul>
      )}
      {edited ? (
        <EmailedChargeForm
          key={edited === 'new' ? 'new' : edited.id}
          charge={edited === 'new' ? undefined : edited}
          reader={reader}
          currency={currency}
          other={other}
          onDone={() => setEdited(undefined)}
        />
      ) : (
        <Button tone="secondary" className="mt-3 max-sm:w-full" onClick={() => setEdited('new')}>
          Add a charge
        </Button>
      )}
      {settled.length > 0 && (
        <Disclosure
          className="mt-4"
          title={settled.length === 1 ? '1 confirmed charge' : `${settled.length} confirmed charges`}
        >
          <ul className="card list mt-3 overflow-hidden">{settled.map(row)}</ul>
        </Disclosure>
      )}
      {deleted && <DeletionDialog answers={answers} entry={deleted} onClose={() => setDeleted(undefined)} />}
      {disputed && <DisputeDialog kind={kind} entry={disputed} onClose={() => setDisputed(undefined)} />}
    </section>
  )
}

interface EmailedChargeFormProps extends Omit<EmailedChargesSectionProps, 'charges'> {
  charge: SharedCharge | undefined
  onDone: () => void
}

function EmailedChargeForm({ charge, reader, currency, other, onDone }: EmailedChargeFormProps) {
  const draft = charge ? editDraft(charge.id) : newDraft(reader)
  const form = useForm<Fields>({
    resolver: checkedBy<Fields>(NewCharge, factsToSend, { currency, fields: ['amount'] }),
    defaultValues: withDraft(draft, charge ? fieldsOf(charge) : emptyCharge(dayIn(new Date()))),
  })
  useDraft(draft, form)
  const failure = useFailure()
  const [key] = useState(newId)
  const [isBusy, setIsBusy] = useState(false)
  const [isTwice, setIsTwice] = useState(false)
  const close = () => {
    forgetDraft(draft)
    onDone()
  }
  const send = async (fields: Fields, isAnother = false) => {
    if (isBusy) return
    setIsBusy(true)
    setIsTwice(false)
    failure.clear()
    try {
      await saveCharge(
        { ...factsToSend(fields), ...(isAnother ? { is_another: true } : {}) },
        { charge, idempotencyKey: isAnother ? `${key}-2` : key },
      )
      close()
    } catch (error) {
      if (error instanceof CallFailed && error.problem.code === 'same_charge') return setIsTwice(true)
      for (const { field, message } of fieldErrorsOf(error)) form.setError(field as keyof Fields, { message })
      failure.fail(error, 'The charge could not be saved. Please try again.')
    } finally {
      setIsBusy(false)
    }
  }
  return (
    <form
      className="card mt-3 grid gap-4 p-5"
      aria-label={charge ? `Edit charge, ${nameOfPayment(charge)}` : 'Add a charge'}
      noValidate
      onSubmit={form.handleSubmit((fields) => send(fields))}
    >
      {isTwice && (
        <AddAnyway
          doubt="The same charge is already recorded."
          question="Is this another one?"
          yes="Add anyway"
          busy={isBusy}
          busyText="Saving..."
          onYes={() => void form.handleSubmit((fields) => send(fields, true))()}
        />
      )}
      <ChargeFields form={form} currency={currency} />
      <p className="help">It counts once {other} confirms it.</p>
      {failure.problem && <FormAlert text={failure.problem} />}
      <div className="flex gap-2">
        <Button tone="secondary" onClick={close}>
          Cancel
        </Button>
        <Button type="submit" className="flex-1" busy={isBusy} busyText="Saving...">
          {charge ? 'Save' : 'Add'}
        </Button>
      </div>
    </form>
  )
}
