import { useEffect, useRef, useState } from 'react'
import { METHOD_LABELS } from '#features/payments/payment-form.ts'
import type { SharedPayment } from '#features/payments/confirmation.ts'
import { AddPayment, type Method, METHODS, UpdatePayment } from '#features/payments/payment.ts'
import { nameOfPayment } from '#features/payments/payment-words.ts'
import { refreshed } from '#features/agreements/client.web.ts'
import { type CalendarDay, dayIn } from '#kernel/calendar-day.ts'
import { newId } from '#kernel/id.ts'
import { amountAsTyped, amountInDigits, amountProblem, type Currency, inCurrency } from '#kernel/money.ts'
import { typedNumber } from '#kernel/typed-number.ts'
import { call, CallFailed } from '#platform/api.web.ts'
import { AddAnyway } from '#platform/ui/AddAnyway.tsx'
import { Button } from '#platform/ui/Button.tsx'
import { forgetDraft, keepDraft, withDraft } from '#platform/ui/draft.web.ts'
import { AmountField, SelectField } from '#platform/ui/EntryField.tsx'
import { TextField } from '#platform/ui/Field.tsx'
import { FormAlert } from '#platform/ui/FormAlert.tsx'
import type { EmailedPage } from './emailed.ts'

interface Fields {
  amount: string
  date: string
  method: '' | Method
}

/** The key for a new payment's draft, which is kept until the payment is sent or canceled. */
export const paidDraft = (side: string) => `paid-by-mail:${side}`
/** The key for a correction's draft. */
export const editDraft = (id: string) => `payment-by-mail:${id}`

interface EmailedPaymentFormProps {
  side: EmailedPage['side']
  currency: Currency
  /** The amount to fill in for a new payment, in dollars. */
  due?: number
  /** The reference under which a new payment was made, if the page showed one. */
  reference?: string | null
  /** The payment to correct; omitted for a new one. */
  payment?: SharedPayment
  other: string
  onDone: () => void
}

/**
 * The form for reporting a payment, prefilled with the amount due and today's date, or for correcting an
 * existing one.
 */
export function EmailedPaymentForm({
  side,
  currency,
  due = 0,
  reference = null,
  payment,
  other,
  onDone,
}: EmailedPaymentFormProps) {
  const says = side === 'family' ? 'I paid' : 'I was paid'
  const draft = payment ? editDraft(payment.id) : paidDraft(side)
  const form = useRef<HTMLFormElement>(null)
  const [fields, setFields] = useState<Fields>(() =>
    withDraft(draft, payment ? fieldsOf(payment) : newFields(due, currency)),
  )
  const { send, isBusy, isTwice, problem, errors, forget } = usePaid({ payment, reference, currency }, () => {
    forgetDraft(draft)
    onDone()
  })
  useEffect(() => form.current?.querySelector('input')?.focus(), [])
  const set = (change: Partial<Fields>) => {
    setFields({ ...fields, ...change })
    forget(Object.keys(change))
    keepDraft(draft, { ...fields, ...change })
  }
  return (
    <form
      ref={form}
      className={payment ? 'mt-3 grid gap-4' : 'card mt-3 grid gap-4 p-5'}
      aria-label={payment ? `Edit payment, ${nameOfPayment(payment)}` : says}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void send(fields)
      }}
    >
      {isTwice && (
        <AddAnyway
          doubt="The same payment is already recorded."
          question="Is this another one?"
          yes="Add anyway"
          busy={isBusy}
          busyText="Saving..."
          onYes={() => void send(fields, true)}
        />
      )}
      <div className="pair">
        <AmountField
          label={inCurrency('Amount ($)', currency)}
          required
          error={errors.amount}
          value={fields.amount}
          onValueChange={(amount) => set({ amount })}
        />
        <TextField
          label="Date"
          type="date"
          required
          error={errors.date}
          value={fields.date}
          onChange={(event) => set({ date: event.target.value })}
        />
      </div>
      {payment?.kind !== 'opening' && (
        <SelectField
          label="Method"
          error={errors.method}
          value={fields.method}
          onChange={(event) => set({ method: event.target.value as Fields['method'] })}
        >
          <option value="">Not specified</option>
          {METHODS.map((method) => (
            <option key={method} value={method}>
              {METHOD_LABELS[method]}
            </option>
          ))}
        </SelectField>
      )}
      {reference && !payment && (
        <p>
          Reference <b className="num font-semibold">{reference}</b>
        </p>
      )}
      <p className="help">It counts once {other} confirms it.</p>
      {problem && <FormAlert text={problem} />}
      <div className="flex gap-2">
        <Button
          tone="secondary"
          onClick={() => {
            forgetDraft(draft)
            onDone()
          }}
        >
          Cancel
        </Button>
        <Button type="submit" className="flex-1" busy={isBusy} busyText="Saving...">
          {payment ? 'Save' : says}
        </Button>
      </div>
    </form>
  )
}

/**
 * The initial values for a new payment.
 * @param due in dollars
 */
function newFields(due: number, currency: Currency): Fields {
  return { amount: due > 0 ? amountInDigits(due, currency) : '', date: dayIn(new Date()), method: '' }
}

function fieldsOf({ amount, currency, date, method }: SharedPayment): Fields {
  return { amount: amountInDigits(amount, currency), date, method: method ?? '' }
}

type Errors = Partial<Record<keyof Fields, string>>

/** Sends a payment or a correction. Tapping repeatedly doesn't send it twice. */
function usePaid(
  {
    payment,
    reference,
    currency,
  }: Pick<EmailedPaymentFormProps, 'payment' | 'currency'> & { reference: string | null },
  onPaid: () => void,
) {
  const [key] = useState(newId)
  const [isBusy, setIsBusy] = useState(false)
  const [isTwice, setIsTwice] = useState(false)
  const [problem, setProblem] = useState<string>()
  const [errors, setErrors] = useState<Errors>({})
  const fail = (error: unknown) => {
    if (!(error instanceof CallFailed)) return setProblem('The payment could not be saved. Please try again.')
    if (error.problem.code === 'same_payment') return setIsTwice(true)
    const told = Object.fromEntries(
      (error.problem.errors ?? []).map(({ field, message }) => [field, amountProblem(message, currency)]),
    ) as Errors
    setErrors(told)
    if (Object.keys(told).length === 0) setProblem(error.problem.title)
  }
  const send = async ({ amount, date, method }: Fields, isAnother = false) => {
    if (isBusy) return
    setIsTwice(false)
    setProblem(undefined)
    const read = amountAsTyped(amount, currency)
    setErrors('problem' in read ? { amount: read.problem } : {})
    if ('problem' in read) return
    setIsBusy(true)
    try {
      const input = {
        amount: typedNumber(read.amount),
        date: date as CalendarDay,
        method: method || null,
      }
      await refreshed(
        payment
          ? call(UpdatePayment, input, { id: payment.id, version: payment.version })
          : call(
              AddPayment,
              { ...input, ...(reference && { reference }), ...(isAnother ? { is_another: true } : {}) },
              { idempotencyKey: isAnother ? `${key}-2` : key },
            ),
      )
      onPaid()
    } catch (error) {
      fail(error)
    } finally {
      setIsBusy(false)
    }
  }
  /** Removes the errors of fields that have changed since. */
  const forget = (changed: string[]) =>
    setErrors(Object.fromEntries(Object.entries(errors).filter(([field]) => !changed.includes(field))))
  return { send, isBusy, isTwice, problem, errors, forget }
}
