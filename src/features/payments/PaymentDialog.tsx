import { type RefObject, useEffect, useRef, useState } from 'react'
import { Controller, type Resolver, useForm, type UseFormReturn, useWatch } from 'react-hook-form'
import { useMe, useSide } from '#features/accounts/client.web.ts'
import { useStudents } from '#features/students/client.web.ts'
import { type Student, UNKNOWN_STUDENT } from '#features/students/student.ts'
import { useTutors } from '#features/tutors/client.web.ts'
import { type Tutor, UNKNOWN_TUTOR } from '#features/tutors/tutor.ts'
import { isUnanswered } from '#features/agreements/answer.ts'
import { useAnswers } from '#features/agreements/client.web.ts'
import { capital } from '#features/sessions/standing-text.ts'
import { dayIn, monthOf } from '#kernel/calendar-day.ts'
import { newId } from '#kernel/id.ts'
import { amountInDigits, type Currency, inCurrency } from '#kernel/money.ts'
import { Disclosure } from '#platform/ui/Disclosure.tsx'
import { CallFailed } from '#platform/api.web.ts'
import { AddAnyway } from '#platform/ui/AddAnyway.tsx'
import { Button } from '#platform/ui/Button.tsx'
import { forgetDraft, readDraft, useDraft, withDraft } from '#platform/ui/draft.web.ts'
import { useFailure } from '#platform/ui/entry-form.web.ts'
import { SelectField } from '#platform/ui/EntryField.tsx'
import { TextField } from '#platform/ui/Field.tsx'
import { fieldIn } from '#platform/ui/form.web.ts'
import { FormAmountField, FormDurationField } from '#platform/ui/FormEntryField.tsx'
import { FormBoundary } from '#platform/ui/FormBoundary.tsx'
import { checkedBy, fieldErrorsOf } from '#platform/ui/form.web.ts'
import { FormButtons } from '#platform/ui/FormButtons.tsx'
import { FormDialog } from '#platform/ui/FormDialog.tsx'
import { type FetchedList, ListField } from '#platform/ui/ListField.tsx'
import { SegmentedChoice } from '#platform/ui/SegmentedChoice.tsx'
import { Notice } from '#platform/ui/Notice.tsx'
import { useToast } from '#platform/ui/Toast.tsx'
import type { Balance } from './balance.ts'
import { dueOf } from './balance-text.ts'
import {
  paymentAnswers,
  paymentKind,
  undo,
  useBalances,
  useDeletePayment,
  useSavePayment,
} from './client.web.ts'
import { type KeptWith, keptWithOf, METHODS, NewPayment, type Payment, PAYMENT_KINDS } from './payment.ts'
import { PaymentHistory } from './PaymentHistory.tsx'
import { standingWords } from './payment-words.ts'
import {
  accountParty,
  emptyPayment,
  fieldsOf,
  isAccount,
  KIND_LABELS,
  METHOD_LABELS,
  NEW_PAYMENT,
  type PaymentFields,
  paymentNotice,
  toInput,
} from './payment-form.ts'

const UNKNOWN = { tutor: UNKNOWN_TUTOR, student: UNKNOWN_STUDENT }

type Person = Pick<Tutor & Student, 'id' | 'name' | 'archived'>

const MONEY_LABELS = { payment: 'Amount ($)', hours: 'Total price ($)', opening: 'Amount owed ($)' }

interface PaymentDialogProps {
  payment?: Payment
  /** The account to preselect for a new payment. Its amount due is filled in, too. */
  account?: Pick<Balance, 'id' | 'connection_id' | 'name'>
  /** For a new payment to that account: the reference under which it was paid. */
  reference?: string | null | undefined
  onClose: () => void
}

/**
 * Records a new payment, or changes or deletes the given one. Each action shows a toast that offers to undo
 * it.
 */
export function PaymentDialog(props: PaymentDialogProps) {
  const draft = props.payment ? `payment:${props.payment.id}` : NEW_PAYMENT
  return (
    <FormBoundary draft={draft}>
      <PaymentForm {...props} draft={draft} />
    </FormBoundary>
  )
}

function PaymentForm({
  payment,
  account,
  reference,
  onClose,
  draft,
}: PaymentDialogProps & { draft: string }) {
  const { role, currency } = useMe()
  const balances = useBalances(monthOf(dayIn(new Date())), payment === undefined).data?.balances ?? []
  const keptWith = keptWithOf(role)
  const other = useSide() === 'parent' ? (payment?.tutor_name ?? 'the tutor') : 'the family'
  const own = payment
    ? fieldsOf(payment, keptWith)
    : emptyPayment(dayIn(new Date()), partyOf(account), reference ?? '')
  const form = useForm<PaymentFields>({
    resolver: check(
      keptWith,
      payment !== undefined && own.party === '',
      ({ party }) => payment?.currency ?? accountOf(balances, party)?.currency ?? currency,
    ),
    defaultValues: withDraft(draft, own),
  })
  useDraft(draft, form)
  const [wasKept] = useState(() => readDraft(draft) !== undefined)
  const failure = useFailure()
  const close = () => {
    forgetDraft(draft)
    onClose()
  }
  const { store, isTwice, isSaving } = useStoring({
    form,
    payment,
    keptWith,
    failure,
    party: own.party,
    onStored: close,
  })
  const { remove, isRemoving } = useRemoving({ other, failure, onRemoved: close })

  return (
    <FormDialog
      title={payment ? 'Edit Payment' : 'Record a payment'}
      isDirty={form.formState.isDirty || wasKept}
      onClose={close}
      problem={failure.problem}
      footer={
        <FormButtons
          form="payment"
          label={payment ? 'Update Payment' : 'Add Payment'}
          isBusy={isSaving}
          onCancel={close}
        />
      }
    >
      {payment && <Standing payment={payment} other={other} onKept={close} />}
      <form
        id="payment"
        className="grid gap-4"
        onSubmit={form.handleSubmit((fields) => store(fields, false))}
        noValidate
      >
        {isTwice && (
          <AddAnyway
            doubt="The same payment is already recorded."
            question="Is this another one?"
            yes="Add anyway"
            busy={isSaving}
            busyText="Saving..."
            onYes={() => void form.handleSubmit((fields) => store(fields, true))()}
          />
        )}
        <PaymentFieldset {...{ form, payment, account, keptWith, own, wasKept, other }} />
      </form>
      {payment && (
        <Disclosure className="mt-6" title={<b className="font-semibold">History</b>}>
          <div className="mt-2">
            <PaymentHistory paymentId={payment.id} other={capital(other)} />
          </div>
        </Disclosure>
      )}
      {payment && isDeletable(payment) && (
        <Button
          tone="danger-outline"
          className="mt-6 w-full"
          busy={isRemoving}
          busyText="Deleting..."
          onClick={() => void remove(payment)}
        >
          Delete payment
        </Button>
      )}
    </FormDialog>
  )
}

type PaymentFormOf = UseFormReturn<PaymentFields>
type Failure = ReturnType<typeof useFailure>

interface Storing {
  form: PaymentFormOf
  payment: Payment | undefined
  keptWith: KeptWith
  failure: Failure
  /** The form's initial account. */
  party: string
  onStored: () => void
}

/**
 * Saves the payment. If it looks like a duplicate, asks the user first, and saves it only if the user says
 * it's a different payment.
 */
function useStoring({ form, payment, keptWith, failure, party, onStored }: Storing) {
  const save = useSavePayment()
  const tell = useTellUndoable()
  const [idempotencyKey] = useState(newId)
  const [isTwice, setIsTwice] = useState(false)
  const store = async (fields: PaymentFields, isAnother: boolean) => {
    failure.clear()
    setIsTwice(false)
    try {
      // A reference belongs to one connection.
      const given = fields.party === party ? fields : { ...fields, reference: '' }
      const input = { ...toInput(given, keptWith), ...(isAnother ? { is_another: true } : {}) }
      const stored = await save.mutateAsync({
        payment,
        input,
        idempotencyKey: isAnother ? `${idempotencyKey}-2` : idempotencyKey,
      })
      onStored()
      tell(
        payment ? 'Payment updated successfully' : 'Payment added successfully',
        payment ? { changed: stored, before: payment } : { added: stored },
      )
    } catch (error) {
      if (error instanceof CallFailed && error.problem.code === 'same_payment') return setIsTwice(true)
      for (const { field, message } of fieldErrorsOf(error))
        form.setError((field.endsWith('_id') ? 'party' : field) as keyof PaymentFields, { message })
      failure.fail(error, payment ? 'Failed to update payment' : 'Failed to add payment')
    }
  }
  return { store, isTwice, isSaving: save.isPending }
}

interface Removing {
  other: string
  failure: Failure
  onRemoved: () => void
}

/** Deletes the payment, or asks the other side to agree if it's shared. */
function useRemoving({ other, failure, onRemoved }: Removing) {
  const removal = useDeletePayment()
  const toast = useToast()
  const tell = useTellUndoable()
  const remove = async (payment: Payment) => {
    try {
      const asked = await removal.mutateAsync(payment)
      onRemoved()
      if (asked)
        return toast.success('Deletion requested', `It will be deleted once ${other} agrees.`, {
          label: 'Keep it',
          run: () =>
            void paymentAnswers.keep({ id: payment.id, version: asked.version }).then(
              () => toast.success('Payment kept'),
              () => toast.error('Error', 'This could not be undone'),
            ),
        })
      // The other side keeps its copy, so undoing wouldn't bring the payment back as it was.
      if (payment.deletion_asked_by === 'you')
        return toast.success('Payment deleted successfully', `${capital(other)} keeps a copy.`)
      tell('Payment deleted successfully', { deleted: payment })
    } catch (error) {
      failure.fail(error, 'Failed to delete payment')
    }
  }
  return { remove, isRemoving: removal.isPending }
}

/** Shows a toast that says what was done and has an undo button. */
function useTellUndoable() {
  const toast = useToast()
  return (title: string, done: Parameters<typeof undo>[0]) =>
    toast.success(title, undefined, {
      label: 'Undo',
      run: () =>
        void undo(done).then((worked) =>
          worked ? toast.success('Undone') : toast.error('Error', 'This could not be undone'),
        ),
    })
}

interface PaymentFieldsetProps extends Pick<PaymentDialogProps, 'payment' | 'account'> {
  form: PaymentFormOf
  keptWith: KeptWith
  /** The form's initial values. */
  own: PaymentFields
  /** Whether the form started from a saved draft. */
  wasKept: boolean
  /** What to call the other side within a sentence. */
  other: string
}

function PaymentFieldset({ form, payment, account, keptWith, own, wasKept, other }: PaymentFieldsetProps) {
  const { currency: ownCurrency } = useMe()
  const { control } = form
  const typed = useWatch({ control }) as PaymentFields
  const { kind } = typed
  const tutors = useTutors('all')
  const students = useStudents('all')
  const people = keptWith === 'tutor' ? tutors : students
  const amountPlace = useRef<HTMLDivElement>(null)
  const balance = useDue(form, {
    isNew: payment === undefined,
    fills: !wasKept,
    people: people.data,
    place: amountPlace,
  })
  const notice = paymentNotice(typed, keptWith, {
    payment,
    isShared: payment ? payment.is_shared : typeof balance?.connection_id === 'string',
    other: balance?.name ?? other,
  })
  const kindChoice = (
    <Controller
      control={control}
      name="kind"
      render={({ field }) => (
        <SegmentedChoice
          label="Type"
          name="kind"
          value={field.value}
          onValueChange={field.onChange}
          options={PAYMENT_KINDS.map((value) => ({ value, label: KIND_LABELS[value] }))}
        />
      )}
    />
  )
  return (
    <>
      {keptWith === 'tutor' ? (
        // Most families never need the other types.
        <Disclosure title="Prepaid hours, or owed from before?" mustShow={kind !== 'payment'}>
          {kindChoice}
        </Disclosure>
      ) : (
        kindChoice
      )}
      <PartyField {...{ form, payment, account, keptWith, own, people }} />
      <div className="pair">
        <TextField
          label={kind === 'opening' ? 'Owed since' : 'Date'}
          type="date"
          required
          {...fieldIn(form, 'date')}
        />
        <div ref={amountPlace}>
          <FormAmountField
            control={control}
            name="amount"
            label={inCurrency(MONEY_LABELS[kind], payment?.currency ?? balance?.currency ?? ownCurrency)}
            required
          />
        </div>
      </div>
      {kind === 'hours' && (
        <FormDurationField
          control={control}
          name="hours"
          label="Hours"
          required
          step={0.25}
          least={0.25}
          most={1000}
          help="Sessions from this day on draw from these hours first."
        />
      )}
      {kind !== 'opening' && (
        <SelectField label="Method" {...fieldIn(form, 'method')}>
          <option value="">Not specified</option>
          {METHODS.map((method) => (
            <option key={method} value={method}>
              {METHOD_LABELS[method]}
            </option>
          ))}
        </SelectField>
      )}
      {typed.reference && typed.party === own.party && (
        <p>
          Reference <b className="num font-semibold">{typed.reference}</b>
        </p>
      )}
      <TextField
        label="Note"
        help="Only you can see this."
        autoComplete="off"
        maxLength={500}
        {...fieldIn(form, 'note')}
      />
      {notice && <p className="help">{notice}</p>}
    </>
  )
}

/** Who the payment was to or from. */
function PartyField({
  form,
  payment,
  account,
  keptWith,
  own,
  people,
}: Omit<PaymentFieldsetProps, 'wasKept' | 'other'> & { people: FetchedList<Person> }) {
  const chosen = useWatch({ control: form.control, name: 'party' })
  // For a family with several students, offer the family's shared account as well. What's preselected is there before
  // the list is.
  const isSeveral = isAccount(own.party)
  const given =
    isSeveral || (account && !payment && own.party)
      ? { id: own.party, name: account?.name ?? 'The family' }
      : undefined
  return (
    <ListField<Person>
      label={isSeveral && keptWith === 'student' ? 'Family or student' : capital(keptWith)}
      required
      list={people}
      plural={`${keptWith}s`}
      prompt={payment ? UNKNOWN[keptWith] : `Select a ${keptWith}`}
      none={payment ? UNKNOWN[keptWith] : undefined}
      offers={({ archived, id }) => !archived || id === chosen || id === own.party}
      {...(given ? { chosen: given } : {})}
      {...fieldIn(form, 'party')}
      value={chosen}
    />
  )
}

/**
 * True if the reader can delete the payment: either nobody has asked the other side yet, or the reader asked
 * and the deadline passed without an answer.
 */
function isDeletable(payment: Payment): boolean {
  if (payment.is_read_only) return false
  return (
    payment.deletion_asked_by === null ||
    (payment.deletion_asked_by === 'you' && isUnanswered(payment, new Date()))
  )
}

/**
 * The form's value for an account: a tutor's or student's id or, for a family with several students, the
 * family's shared account.
 */
function partyOf(account: PaymentDialogProps['account']): string {
  return account?.id ?? (account?.connection_id ? accountParty(account.connection_id) : '')
}

/**
 * If there's only one person, preselects that person, and fills in the amount due. Returns the selected
 * person's balance.
 */
function useDue(
  { control, setValue, clearErrors, getFieldState }: PaymentFormOf,
  {
    isNew,
    fills,
    people,
    place,
  }: {
    isNew: boolean
    fills: boolean
    people: Person[] | undefined
    place: RefObject<HTMLDivElement | null>
  },
): Balance | undefined {
  const balances = useBalances(monthOf(dayIn(new Date())), isNew)
  const [kind, chosen] = useWatch({ control, name: ['kind', 'party'] })
  const present = people?.filter(({ archived }) => !archived)
  const only = isNew && chosen === '' && present?.length === 1 ? present[0]?.id : undefined
  useEffect(() => {
    if (!only) return
    setValue('party', only)
    clearErrors('party')
  }, [only, setValue, clearErrors])
  const balance = accountOf(balances.data?.balances ?? [], chosen)
  const due = balance ? dueOf(balance) : 0
  const filled =
    balance && isNew && kind === 'payment' && chosen !== '' && due > 0
      ? amountInDigits(due, balance.currency)
      : ''
  useEffect(() => {
    // What someone is about to type would be added to an amount that appears under their cursor.
    const isEntering = place.current?.contains(document.activeElement)
    if (isNew && fills && !isEntering && !getFieldState('amount').isDirty) setValue('amount', filled)
  }, [isNew, fills, filled, place, getFieldState, setValue])
  return balance
}

/** The account that a payment for this person is in. */
function accountOf(balances: readonly Balance[], party: string): Balance | undefined {
  const accounts = balances.filter((one) => partyOf(one) === party)
  return accounts.find((one) => one.connection_id !== null) ?? accounts[0]
}

/** A shared payment's status, with any notes about it. */
function Standing({ payment, other, onKept }: { payment: Payment; other: string; onKept: () => void }) {
  const reader = useSide()
  const { keep, busyWith } = useAnswers<Payment>({ ...paymentKind(reader), kept: ['Payment kept'], told: [] })
  const standing = standingWords(payment, reader)
  if (payment.is_read_only)
    return (
      <div className="mb-4">
        <Notice>
          {reader === 'parent' ? 'The tutor closed their account.' : 'The family closed their account.'} You
          can still read this payment, but you can only change your note.
        </Notice>
      </div>
    )
  if (!standing) return null
  return (
    <div className="mb-4">
      <Notice>
        <p className="font-semibold">{standing.words}</p>
        {payment.dispute_note && <p className="break-words">“{payment.dispute_note}”</p>}
        {payment.is_shared && payment.deletion_asked_by === null && (
          <p>It counts once both sides confirm it.</p>
        )}
        {payment.deletion_asked_by === 'you' && (
          <div className="mt-2 flex flex-wrap items-center justify-between gap-3">
            <p>
              {isUnanswered(payment, new Date())
                ? `You can delete it from your own records now. ${capital(other)} keeps a copy.`
                : `It will be deleted once ${other} agrees.`}
            </p>
            <Button
              size="small"
              tone="secondary"
              busy={busyWith(payment) === 'keep'}
              busyText="Keeping..."
              onClick={() => void keep(payment).then((isKept) => isKept && onKept())}
            >
              Keep it after all
            </Button>
          </div>
        )}
      </Notice>
    </div>
  )
}

// Validates against the endpoint's schema. Also requires a person, unless the one the payment was for has
// been deleted.
function check(
  keptWith: KeptWith,
  isOrphan: boolean,
  currencyOf: (fields: PaymentFields) => Currency,
): Resolver<PaymentFields> {
  return async (fields, context, options) => {
    const byContract = checkedBy<PaymentFields>(NewPayment, (typed) => toInput(typed, keptWith), {
      currency: currencyOf(fields),
      fields: ['amount'],
    })
    const checked = await byContract(fields, context, options)
    const missing: Record<string, { type: string; message: string }> = {}
    if (!fields.party && !isOrphan)
      missing.party = {
        type: 'required',
        message: `Please select a ${keptWith}`,
      }
    if (fields.kind === 'hours' && !fields.hours.trim())
      missing.hours = { type: 'required', message: 'Enter the hours paid for' }
    return Object.keys(missing).length === 0
      ? checked
      : ({ values: {}, errors: { ...checked.errors, ...missing } } as typeof checked)
  }
}
