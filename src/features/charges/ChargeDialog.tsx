import { useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { useSide } from '#features/accounts/client.web.ts'
import { isUnanswered } from '#features/agreements/answer.ts'
import { useAnswers } from '#features/agreements/client.web.ts'
import { HistoryPanel } from '#features/agreements/HistoryPanel.tsx'
import type { Balance } from '#features/payments/balance.ts'
import { accountInOneLine } from '#features/payments/balance-text.ts'
import { REASON_LABELS, standingWords } from '#features/payments/payment-words.ts'
import { capital } from '#features/sessions/standing-text.ts'
import { useStudents } from '#features/students/client.web.ts'
import { isWaivable } from '#features/terms/outcome.ts'
import { type CalendarDay, dayIn, formatDay } from '#kernel/calendar-day.ts'
import { newId } from '#kernel/id.ts'
import { formatAmount } from '#kernel/money.ts'
import { CallFailed } from '#platform/api.web.ts'
import { AddAnyway } from '#platform/ui/AddAnyway.tsx'
import { Button } from '#platform/ui/Button.tsx'
import { Disclosure } from '#platform/ui/Disclosure.tsx'
import { forgetDraft, readDraft, useDraft, withDraft } from '#platform/ui/draft.web.ts'
import { useFailure } from '#platform/ui/entry-form.web.ts'
import { checkedBy, fieldErrorsOf, fieldIn } from '#platform/ui/form.web.ts'
import { FormBoundary } from '#platform/ui/FormBoundary.tsx'
import { FormButtons } from '#platform/ui/FormButtons.tsx'
import { FormDialog } from '#platform/ui/FormDialog.tsx'
import { ListField } from '#platform/ui/ListField.tsx'
import { Notice } from '#platform/ui/Notice.tsx'
import { useToast } from '#platform/ui/Toast.tsx'
import { type Charge, type ChargeHistoryEntry, NewCharge } from './charge.ts'
import {
  changesFacts,
  type ChargeFields as Fields,
  emptyCharge,
  factsToSend,
  fieldsOf,
  NEW_CHARGE,
} from './charge-form.ts'
import { ChargeFields } from './ChargeFields.tsx'
import {
  chargeAnswers,
  chargeKind,
  deleteCharge,
  saveCharge,
  undoCharge,
  useChargeHistory,
  waiveCharge,
} from './client.web.ts'

interface ChargeDialogProps {
  charge?: Charge | undefined
  /** The account that it's in. */
  account: Pick<Balance, 'id' | 'connection_id' | 'name' | 'students' | 'currency' | 'is_only_yours'>
  onClose: () => void
}

/** Adds a charge or credit to an account, or changes or deletes the given one. Each action can be undone. */
export function ChargeDialog(props: ChargeDialogProps) {
  const draft = props.charge ? `charge:${props.charge.id}` : NEW_CHARGE
  return (
    <FormBoundary draft={draft}>
      <ChargeForm {...props} draft={draft} />
    </FormBoundary>
  )
}

function ChargeForm({ charge, account, onClose, draft }: ChargeDialogProps & { draft: string }) {
  const side = useSide()
  const other = side === 'parent' ? (charge?.tutor_name ?? account.name) : 'the family'
  const own = charge ? fieldsOf(charge) : emptyCharge(dayIn(new Date()))
  const currency = charge?.currency ?? account.currency
  const form = useForm<Fields>({
    resolver: checkedBy<Fields>(NewCharge, factsToSend, { currency, fields: ['amount'] }),
    defaultValues: withDraft(draft, own),
  })
  useDraft(draft, form)
  const [wasKept] = useState(() => readDraft(draft) !== undefined)
  const failure = useFailure()
  const close = () => {
    forgetDraft(draft)
    onClose()
  }
  const { store, isTwice, isSaving } = useStoring({ charge, account, failure, form, onStored: close })
  const typed = useWatch({ control: form.control }) as Fields
  const asks = charge ? charge.is_shared && changesFacts(typed, own) : account.connection_id !== null
  return (
    <FormDialog
      title={charge ? 'Edit Charge' : 'Add a charge'}
      isDirty={form.formState.isDirty || wasKept}
      onClose={close}
      problem={failure.problem}
      footer={
        <FormButtons
          form="charge"
          label={charge ? 'Update Charge' : typed.kind === 'credit' ? 'Add Credit' : 'Add Charge'}
          isBusy={isSaving}
          onCancel={close}
        />
      }
    >
      {charge && <Standing charge={charge} other={other} onKept={close} />}
      <form
        id="charge"
        className="grid gap-4"
        onSubmit={form.handleSubmit((fields) => store(fields, false))}
        noValidate
      >
        {isTwice && (
          <AddAnyway
            doubt="The same charge is already recorded."
            question="Is this another one?"
            yes="Add anyway"
            busy={isSaving}
            busyText="Saving..."
            onYes={() => void form.handleSubmit((fields) => store(fields, true))()}
          />
        )}
        {!charge && (
          <p className="text-ink-2">
            With <bdi>{accountInOneLine(account)}</bdi>. A charge is owed on top of lessons; a credit is taken
            off.
          </p>
        )}
        <ChargeFields form={form} currency={currency} />
        <StudentField form={form} account={account} own={own.student} />
        {asks && (
          <p className="help">
            {charge
              ? `${capital(other)} will be asked to confirm the change.`
              : `It counts once ${other} confirms it.`}
          </p>
        )}
      </form>
      {charge && (
        <>
          <Disclosure className="mt-6" title={<b className="font-semibold">History</b>}>
            <div className="mt-2">
              <History chargeId={charge.id} other={capital(other)} />
            </div>
          </Disclosure>
          <WaiveButton charge={charge} failure={failure} onRemoved={close} />
          <DeleteButton charge={charge} other={other} failure={failure} onRemoved={close} />
        </>
      )}
    </FormDialog>
  )
}

interface Storing extends Pick<ChargeDialogProps, 'charge' | 'account'> {
  failure: ReturnType<typeof useFailure>
  form: ReturnType<typeof useForm<Fields>>
  onStored: () => void
}

/** Saves the charge. If it looks like a duplicate, asks the user first. */
function useStoring({ charge, account, failure, form, onStored }: Storing) {
  const side = useSide()
  const tell = useTellUndoable()
  const [idempotencyKey] = useState(newId)
  const [isTwice, setIsTwice] = useState(false)
  const [isSaving, setIsSaving] = useState(false)
  const store = async (fields: Fields, isAnother: boolean) => {
    failure.clear()
    setIsTwice(false)
    setIsSaving(true)
    try {
      const stored = await saveCharge(
        {
          ...factsToSend(fields),
          ...(charge ? {} : placeOf(account, side)),
          ...(fields.student ? { student_id: fields.student } : {}),
          ...(isAnother ? { is_another: true } : {}),
        },
        { charge, idempotencyKey: isAnother ? `${idempotencyKey}-2` : idempotencyKey },
      )
      onStored()
      tell(
        charge ? 'Charge updated successfully' : 'Charge added successfully',
        charge ? { changed: stored, before: charge } : { added: stored },
      )
    } catch (error) {
      if (error instanceof CallFailed && error.problem.code === 'same_charge') return setIsTwice(true)
      for (const { field, message } of fieldErrorsOf(error))
        form.setError((field === 'student_id' ? 'student' : field) as keyof Fields, { message })
      failure.fail(error, charge ? 'Failed to update charge' : 'Failed to add charge')
    } finally {
      setIsSaving(false)
    }
  }
  return { store, isTwice, isSaving }
}

/** How a request names an account. */
function placeOf({ id, connection_id }: ChargeDialogProps['account'], side: 'parent' | 'tutor') {
  if (connection_id !== null)
    return { connection_id, ...(side === 'parent' && id !== null ? { tutor_id: id } : {}) }
  return side === 'parent' ? { tutor_id: id } : { student_id: id }
}

/** Which student it's for, if there are several. */
function StudentField({ form, account, own }: Pick<Storing, 'form' | 'account'> & { own: string }) {
  const side = useSide()
  const students = useStudents('all')
  const chosen = useWatch({ control: form.control, name: 'student' })
  const offered = (students.data ?? []).filter(
    ({ archived, name, id }) =>
      id === own || (!archived && (side === 'parent' || account.students.includes(name))),
  )
  if (offered.length < 2) return null
  const noun = side === 'parent' ? 'child' : 'student'
  return (
    <ListField
      label={capital(noun)}
      list={students}
      plural={side === 'parent' ? 'children' : 'students'}
      prompt={`No particular ${noun}`}
      offers={(one) => offered.includes(one)}
      {...fieldIn(form, 'student')}
      value={chosen}
    />
  )
}

/** Shows a toast that says what was done and has an undo button. */
function useTellUndoable() {
  const toast = useToast()
  return (title: string, done: Parameters<typeof undoCharge>[0]) =>
    toast.success(title, undefined, {
      label: 'Undo',
      run: () =>
        void undoCharge(done).then((worked) =>
          worked ? toast.success('Undone') : toast.error('Error', 'This could not be undone'),
        ),
    })
}

/** Lets a charge be that terms proposed. How its class ended stays recorded. */
function WaiveButton({ charge, failure, onRemoved }: Omit<DeleteButtonProps, 'other'>) {
  const toast = useToast()
  const side = useSide()
  const [isBusy, setIsBusy] = useState(false)
  const isFee = charge.fee_period !== null
  if (!(isFee || charge.class_date) || charge.is_read_only || !isWaivable(charge, side)) return null
  const waive = async () => {
    setIsBusy(true)
    try {
      await waiveCharge(charge)
      toast.success(
        'Waived',
        isFee ? 'It won’t be asked for again.' : 'Nobody owes anything more for this class.',
      )
      onRemoved()
    } catch (error) {
      failure.fail(error, 'Failed to waive this')
    } finally {
      setIsBusy(false)
    }
  }
  return (
    <Button
      tone="secondary"
      className="mt-6 w-full"
      busy={isBusy}
      busyText="Waiving..."
      onClick={() => void waive()}
    >
      Waive
    </Button>
  )
}

interface DeleteButtonProps {
  charge: Charge
  other: string
  failure: ReturnType<typeof useFailure>
  onRemoved: () => void
}

/** Deletes the charge, or asks the other side to agree if it confirmed it. */
function DeleteButton({ charge, other, failure, onRemoved }: DeleteButtonProps) {
  const toast = useToast()
  const tell = useTellUndoable()
  const [isBusy, setIsBusy] = useState(false)
  const isDeletable =
    !charge.is_read_only &&
    (charge.deletion_asked_by === null ||
      (charge.deletion_asked_by === 'you' && isUnanswered(charge, new Date())))
  if (!isDeletable) return null
  const remove = async () => {
    setIsBusy(true)
    try {
      const asked = await deleteCharge(charge)
      onRemoved()
      if (asked)
        return toast.success('Deletion requested', `It will be deleted once ${other} agrees.`, {
          label: 'Keep it',
          run: () =>
            void chargeAnswers.keep({ id: charge.id, version: asked.version }).then(
              () => toast.success('Charge kept'),
              () => toast.error('Error', 'This could not be undone'),
            ),
        })
      // The other side keeps its copy, so undoing wouldn't bring the charge back as it was.
      if (charge.deletion_asked_by === 'you')
        return toast.success('Charge deleted successfully', `${capital(other)} keeps a copy.`)
      tell('Charge deleted successfully', { deleted: charge })
    } catch (error) {
      failure.fail(error, 'Failed to delete charge')
    } finally {
      setIsBusy(false)
    }
  }
  return (
    <Button
      tone="danger-outline"
      className="mt-6 w-full"
      busy={isBusy}
      busyText="Deleting..."
      onClick={() => void remove()}
    >
      Delete charge
    </Button>
  )
}

/** A shared charge's status, with any notes about it. */
function Standing({ charge, other, onKept }: { charge: Charge; other: string; onKept: () => void }) {
  const reader = useSide()
  const { keep, busyWith } = useAnswers<Charge>({ ...chargeKind(reader), kept: ['Charge kept'], told: [] })
  const standing = standingWords({ ...charge, kind: 'charge' }, reader)
  if (charge.is_read_only)
    return (
      <div className="mb-4">
        <Notice>
          {reader === 'parent' ? 'The tutor closed their account.' : 'The family closed their account.'} You
          can still read this charge, but not change it.
        </Notice>
      </div>
    )
  if (!standing) return null
  return (
    <div className="mb-4">
      <Notice>
        <p className="font-semibold">{standing.words}</p>
        {charge.dispute_note && <p className="break-words">“{charge.dispute_note}”</p>}
        {charge.is_shared && charge.deletion_asked_by === null && (
          <p>It counts once both sides confirm it.</p>
        )}
        {charge.deletion_asked_by === 'you' && (
          <div className="mt-2 flex flex-wrap items-center justify-between gap-3">
            <p>
              {isUnanswered(charge, new Date())
                ? `You can delete it from your own records now. ${capital(other)} keeps a copy.`
                : `It will be deleted once ${other} agrees.`}
            </p>
            <Button
              size="small"
              tone="secondary"
              busy={busyWith(charge) === 'keep'}
              busyText="Keeping..."
              onClick={() => void keep(charge).then((isKept) => isKept && onKept())}
            >
              Keep it after all
            </Button>
          </div>
        )}
      </Notice>
    </div>
  )
}

const shortDay = (date: string) => formatDay(date as CalendarDay, { month: 'short', day: 'numeric' })

/** Describes what an entry changed, with old and new values. */
function changesOf(entry: ChargeHistoryEntry, before: ChargeHistoryEntry = entry): string {
  const words: Record<string, () => string> = {
    date: () => `${shortDay(before.date)} to ${shortDay(entry.date)}`,
    amount: () =>
      `${formatAmount(before.amount, before.currency)} to ${formatAmount(entry.amount, entry.currency)}`,
    currency: () => `${before.currency} to ${entry.currency}, with the same numbers`,
    reason: () => REASON_LABELS[entry.reason],
    label: () => (entry.label === null ? 'not what it’s for' : `“${entry.label}”`),
    student: () => 'the student',
    tutor: () => 'the tutor',
  }
  return entry.changed.map((field) => words[field]?.() ?? field).join(', ')
}

function History({ chargeId, other }: { chargeId: string; other: string }) {
  return <HistoryPanel history={useChargeHistory(chargeId)} other={other} changesOf={changesOf} />
}
