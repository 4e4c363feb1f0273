import { useState } from 'react'
import { Controller, type Resolver, useForm, useWatch } from 'react-hook-form'
import { useMe } from '#features/accounts/client.web.ts'
import { useStudents } from '#features/students/client.web.ts'
import { type Student, UNKNOWN_STUDENT } from '#features/students/student.ts'
import { useTutors } from '#features/tutors/client.web.ts'
import { type Tutor, UNKNOWN_TUTOR } from '#features/tutors/tutor.ts'
import { dayIn } from '#kernel/calendar-day.ts'
import { newId } from '#kernel/id.ts'
import { inCurrency } from '#kernel/money.ts'
import { Button } from '#platform/ui/Button.tsx'
import { forgetDraft, readDraft, useDraft, withDraft } from '#platform/ui/draft.web.ts'
import { useFailure } from '#platform/ui/entry-form.web.ts'
import { DurationField, SelectField } from '#platform/ui/EntryField.tsx'
import { TextField } from '#platform/ui/Field.tsx'
import { FormBoundary } from '#platform/ui/FormBoundary.tsx'
import { checkedBy, fieldErrorsOf } from '#platform/ui/form.web.ts'
import { FormDialog } from '#platform/ui/FormDialog.tsx'
import { ListField } from '#platform/ui/ListField.tsx'
import { SegmentedChoice } from '#platform/ui/Segmented.tsx'
import { useToast } from '#platform/ui/Toast.tsx'
import { undo, useDeletePayment, useSavePayment } from './client.web.ts'
import { type KeptWith, keptWithOf, METHODS, NewPayment, type Payment, PAYMENT_KINDS } from './payment.ts'
import {
  emptyPayment,
  fieldsOf,
  KIND_LABELS,
  METHOD_LABELS,
  type PaymentFields,
  toInput,
} from './payment-form.ts'

const UNKNOWN = { tutor: UNKNOWN_TUTOR, student: UNKNOWN_STUDENT }

type Person = Pick<Tutor & Student, 'id' | 'name' | 'archived'>

const MONEY_LABELS = { payment: 'Amount ($)', hours: 'Price of the hours ($)', opening: 'Amount owed ($)' }

interface PaymentDialogProps {
  payment?: Payment
  party?: string
  /** What a new payment probably comes to. */
  amount?: number
  onClose: () => void
}

/** Records a payment, or changes or deletes the one that is given. Everything it does can be undone in the notice that follows. */
export function PaymentDialog(props: PaymentDialogProps) {
  const draft = `payment:${props.payment?.id ?? 'new'}`
  return (
    <FormBoundary draft={draft}>
      <PaymentForm {...props} draft={draft} />
    </FormBoundary>
  )
}

function PaymentForm({ payment, party, amount, onClose, draft }: PaymentDialogProps & { draft: string }) {
  const { currency, role } = useMe()
  const keptWith = keptWithOf(role)
  const toast = useToast()
  const tutors = useTutors('all')
  const students = useStudents('all')
  const save = useSavePayment()
  const removal = useDeletePayment()
  const [idempotencyKey] = useState(newId)
  const people = keptWith === 'tutor' ? tutors : students
  const own = payment
    ? fieldsOf(payment, keptWith)
    : emptyPayment(dayIn(new Date()), party, amount?.toFixed(2))
  const form = useForm<PaymentFields>({
    resolver: check(keptWith, payment !== undefined && own.party === ''),
    reValidateMode: 'onBlur',
    defaultValues: withDraft(draft, own),
  })
  useDraft(draft, form)
  const [wasKept] = useState(() => readDraft(draft) !== undefined)
  const { problem, fail, clear } = useFailure()
  const {
    register,
    control,
    handleSubmit,
    setError,
    formState: { errors, isDirty },
  } = form
  const [kind, chosen] = useWatch({ control, name: ['kind', 'party'] })

  const tell = (title: string, done: Parameters<typeof undo>[0]) =>
    toast.success(title, undefined, {
      label: 'Undo',
      run: () =>
        void undo(done).then((worked) =>
          worked ? toast.success('Undone') : toast.error('Error', 'This could not be undone'),
        ),
    })
  const close = () => {
    forgetDraft(draft)
    onClose()
  }
  const submit = handleSubmit(async (fields) => {
    clear()
    try {
      const stored = await save.mutateAsync({ payment, input: toInput(fields, keptWith), idempotencyKey })
      close()
      tell(
        payment ? 'Payment updated successfully' : 'Payment added successfully',
        payment ? { changed: stored, before: payment } : { added: stored },
      )
    } catch (error) {
      for (const { field, message } of fieldErrorsOf(error))
        setError((field.endsWith('_id') ? 'party' : field) as keyof PaymentFields, { message })
      fail(error, payment ? 'Failed to update payment' : 'Failed to add payment')
    }
  })
  const remove = async () => {
    if (!payment) return
    try {
      await removal.mutateAsync(payment)
      close()
      tell('Payment deleted successfully', { deleted: payment })
    } catch (error) {
      fail(error, 'Failed to delete payment')
    }
  }

  return (
    <FormDialog
      title={payment ? 'Edit Payment' : 'Record a payment'}
      isDirty={isDirty || wasKept}
      onClose={close}
      problem={problem}
      footer={
        <>
          <Button tone="secondary" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" form="payment" className="flex-1" busy={save.isPending} busyText="Saving...">
            {payment ? 'Update Payment' : 'Add Payment'}
          </Button>
        </>
      }
    >
      <form id="payment" className="grid gap-4" onSubmit={submit} noValidate>
        <Controller
          control={control}
          name="kind"
          render={({ field }) => (
            <SegmentedChoice
              label="What is it?"
              name="kind"
              value={field.value}
              onValueChange={field.onChange}
              options={PAYMENT_KINDS.map((value) => ({ value, label: KIND_LABELS[value] }))}
            />
          )}
        />
        <ListField<Person>
          label={keptWith === 'tutor' ? 'Tutor' : 'Student'}
          required
          error={errors.party?.message}
          list={people}
          plural={keptWith === 'tutor' ? 'tutors' : 'students'}
          prompt={payment ? UNKNOWN[keptWith] : keptWith === 'tutor' ? 'Select a tutor' : 'Select a student'}
          none={payment ? UNKNOWN[keptWith] : undefined}
          offers={({ archived, id }) => !archived || id === chosen || id === own.party}
          {...register('party')}
          value={chosen}
        />
        <div className="pair">
          <TextField
            label={kind === 'opening' ? 'Owed since' : 'Date'}
            type="date"
            required
            error={errors.date?.message}
            {...register('date')}
          />
          <TextField
            label={inCurrency(MONEY_LABELS[kind], currency)}
            required
            className="num"
            inputMode="decimal"
            autoComplete="off"
            error={errors.amount?.message}
            {...register('amount')}
          />
        </div>
        {kind === 'hours' && (
          <Controller
            control={control}
            name="hours"
            render={({ field }) => (
              <DurationField
                label="Hours"
                required
                step={0.25}
                least={0.25}
                most={1000}
                help="Sessions from this day on draw from these hours first."
                value={field.value}
                onValueChange={field.onChange}
                onBlur={field.onBlur}
                error={errors.hours?.message}
              />
            )}
          />
        )}
        {kind !== 'opening' && (
          <SelectField label="How" error={errors.method?.message} {...register('method')}>
            <option value="">Not said</option>
            {METHODS.map((method) => (
              <option key={method} value={method}>
                {METHOD_LABELS[method]}
              </option>
            ))}
          </SelectField>
        )}
        <TextField
          label="Note"
          autoComplete="off"
          maxLength={500}
          error={errors.note?.message}
          {...register('note')}
        />
      </form>
      {payment && (
        <Button
          tone="danger-outline"
          className="mt-6 w-full"
          busy={removal.isPending}
          busyText="Deleting..."
          onClick={() => void remove()}
        >
          Delete payment
        </Button>
      )}
    </FormDialog>
  )
}

// The contract's rules, and the choice of whom it is about. The payment of someone who was deleted need not name anyone.
function check(keptWith: KeptWith, isOrphan: boolean): Resolver<PaymentFields> {
  const byContract = checkedBy<PaymentFields>(NewPayment, (fields) => toInput(fields, keptWith))
  return async (fields, context, options) => {
    const checked = await byContract(fields, context, options)
    const missing: Record<string, { type: string; message: string }> = {}
    if (!fields.party && !isOrphan)
      missing.party = {
        type: 'required',
        message: keptWith === 'tutor' ? 'Please select a tutor' : 'Please select a student',
      }
    if (fields.kind === 'hours' && !fields.hours.trim())
      missing.hours = { type: 'required', message: 'Enter the hours that were paid' }
    return Object.keys(missing).length === 0
      ? checked
      : ({ values: {}, errors: { ...checked.errors, ...missing } } as typeof checked)
  }
}
