// Hooks and calls for charges and credits.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useCanWrite, useMe, useSeesAmounts, useSide } from '#features/accounts/client.web.ts'
import { callsOf, type NotedKind, refreshed, type Seen } from '#features/agreements/client.web.ts'
import { undo as undoPayment } from '#features/payments/client.web.ts'
import { AddPayment, searchedDays } from '#features/payments/payment.ts'
import { emptyPayment, NEW_PAYMENT } from '#features/payments/payment-form.ts'
import { chargeDetail, nameOfPayment, questionOf, reportOfCharge } from '#features/payments/payment-words.ts'
import { capital } from '#features/sessions/standing-text.ts'
import { type CalendarDay, dayIn, daysOfMonth } from '#kernel/calendar-day.ts'
import type { InputOf } from '#kernel/endpoint.ts'
import { newId } from '#kernel/id.ts'
import { amountInDigits } from '#kernel/money.ts'
import { call, CallFailed } from '#platform/api.web.ts'
import { DRAFT_PREFIX, forgetDraft, keepDraft, readDraft } from '#platform/ui/draft.web.ts'
import { useToast } from '#platform/ui/Toast.tsx'
import { queryClient } from '#platform/query.web.ts'
import type { Side } from '#platform/ui/Ticks.tsx'
import {
  AcceptCharge,
  AddCharge,
  type Charge,
  ConfirmCharge,
  DeleteCharge,
  DisputeCharge,
  KeepCharge,
  ListCharges,
  ListWaitingCharges,
  ReadChargeHistory,
  UpdateCharge,
  WaiveCharge,
  WithdrawChargeConfirmation,
} from './charge.ts'
import { besideInWords, type ChargeBeside, chargesBeside, fieldsOf, NEW_CHARGE } from './charge-form.ts'

type ChargeInput = InputOf<typeof AddCharge>

/** The charges of a month, which the lines of a balance leave to be edited. */
export function useCharges(month: string, isWanted: boolean) {
  const { from, to } = daysOfMonth(month)
  return useQuery({
    queryKey: ['charges', month],
    enabled: isWanted,
    queryFn: ({ signal }) => call(ListCharges, { from, to }, { signal }),
  })
}

/** The last year's charges, to be searched. Loads nothing for members who get none. */
export function useRecentCharges() {
  const { has_all_students: hasAll } = useMe()
  const seesAmounts = useSeesAmounts()
  const days = searchedDays(dayIn(new Date()))
  return useQuery({
    queryKey: ['charges', 'recent', days.to],
    enabled: hasAll && seesAmounts,
    queryFn: ({ signal }) => call(ListCharges, days, { signal }),
  })
}

/** The charges that are waiting for this side's answer. Loads nothing for members who can't answer. */
export function useWaitingCharges() {
  const { has_all_students: hasAll } = useMe()
  const mayAnswer = useCanWrite() && hasAll
  return useQuery({
    queryKey: ['charges', 'waiting'],
    enabled: mayAnswer,
    queryFn: ({ signal }) => readWaitingCharges(signal),
  })
}

/** The same, for pages that load this code on demand. */
export function readWaitingCharges(signal: AbortSignal) {
  return call(ListWaitingCharges, {}, { signal })
}

/** A charge's history, which is the same for both sides. */
export function useChargeHistory(chargeId: string) {
  return useQuery({
    queryKey: ['charges', 'history', chargeId],
    queryFn: ({ signal }) => call(ReadChargeHistory, {}, { id: chargeId, signal }),
  })
}

/** The calls that answer about a charge. */
export const chargeAnswers = callsOf({
  confirm: ConfirmCharge,
  withdraw: WithdrawChargeConfirmation,
  dispute: DisputeCharge,
  accept: AcceptCharge,
  keep: KeepCharge,
  remove: DeleteCharge,
})

/** A charge as the lists of shared ones have it, or as it is in the reader's records. */
type AnsweredCharge = Seen &
  Pick<
    Charge,
    'amount' | 'currency' | 'date' | 'reason' | 'label' | 'own_confirmation' | 'deletion_asked_by'
  > & { other_name?: string | null }

/** The draft and the label of the note that says what isn't right about a charge. */
function chargeNote(id: string) {
  return {
    draft: `charge-dispute:${id}`,
    help: 'For example: it was $10, or we returned the book',
    maxLength: 500,
    missing: "Briefly say what isn't right",
  }
}

/**
 * What a charge is called when answering it.
 * @param other what to call the other side within a sentence, instead of the charge's name for it
 */
export function chargeKind(reader: Side, other?: string): NotedKind<AnsweredCharge> {
  const otherOf = (charge: AnsweredCharge) =>
    other ?? charge.other_name ?? (reader === 'parent' ? 'the tutor' : 'the family')
  return {
    calls: chargeAnswers,
    dispute: chargeAnswers.dispute,
    propose: {
      of: (charge) => charge,
      send: ({ id, version }, said) => refreshed(call(DisputeCharge, said, { id, version })),
      sent: (charge) => ['Sent', `${capital(otherOf(charge))} can accept it or answer.`],
    },
    nameOf: nameOfPayment,
    confirmed: (charges) => `Confirmed: ${charges.map(nameOfPayment).join(', ')}`,
    kept: ['Charge kept', 'It stays in your shared balance.'],
    deleted: 'Charge deleted successfully',
    accepted: 'Accepted',
    failed: {
      confirm: 'Nothing was confirmed. The charge may have changed. Please check it again.',
      withdraw: 'Your answer could not be undone',
      accept: 'Nothing was accepted. The charge may have changed. Please check it again.',
      keep: 'Your answer could not be saved. Please try again.',
      remove: 'Failed to delete charge',
    },
    disputeWords(charge) {
      const { no } = questionOf('charge', reader)
      return {
        ...chargeNote(charge.id),
        title: `${no}?`,
        send: no,
        label: `Note to ${otherOf(charge)}`,
        failure: 'Your note could not be sent',
        name: reportOfCharge(charge),
        facts: chargeDetail(charge),
        sent: ['Note sent', `${capital(otherOf(charge))} will see your note and can correct the charge.`],
      }
    },
    deletionWords(charge) {
      const isAsked = charge.deletion_asked_by === 'other'
      return {
        title: isAsked ? 'Agree to delete' : 'Delete this charge?',
        text: `${isAsked ? `${capital(otherOf(charge))} asked to delete it. ` : ''}${reportOfCharge(charge)} will be permanently deleted for both of you.`,
      }
    },
  }
}

/** Adds a charge, or changes the given one. */
export function saveCharge(
  input: ChargeInput,
  { charge, idempotencyKey }: { charge?: Pick<Charge, 'id' | 'version'> | undefined; idempotencyKey: string },
): Promise<Charge> {
  const { connection_id: _account, is_another: _isAnother, ...changes } = input
  return refreshed(
    charge
      ? call(UpdateCharge, changes, { id: charge.id, version: charge.version })
      : call(AddCharge, input, { idempotencyKey }),
  )
}

export function deleteCharge({ id }: Charge) {
  return refreshed(call(DeleteCharge, {}, { id }))
}

/** Waives the charge or credit of a missed class. */
export function waiveCharge({ id, version }: Pick<Charge, 'id' | 'version'>) {
  return refreshed(call(WaiveCharge, {}, { id, version }))
}

/** Turns a stored charge back into input, so that undo can restore it after a change or deletion. */
function inputOf({ tutor_id, student_id, date, amount, reason, label, connection_id }: Charge): ChargeInput {
  const shared = connection_id === null ? {} : { connection_id }
  return { tutor_id, student_id, date: date as CalendarDay, amount, reason, label, ...shared }
}

/** Undoes adding, changing or deleting a charge. Returns false if that fails. */
export async function undoCharge(
  done: { added: Charge } | { changed: Charge; before: Charge } | { deleted: Charge },
): Promise<boolean> {
  try {
    if ('added' in done) await call(DeleteCharge, {}, { id: done.added.id })
    else if ('changed' in done)
      await saveCharge(inputOf(done.before), { charge: done.changed, idempotencyKey: newId() })
    else await saveCharge({ ...inputOf(done.deleted), is_another: true }, { idempotencyKey: newId() })
    return true
  } catch {
    return false
  } finally {
    void queryClient.invalidateQueries()
  }
}

/** A session that charges are saved with: what they're for, and the day. */
interface SessionFacts {
  student_id: string
  tutor_id: string
  date: string
  connection_id?: string | null | undefined
}

const BESIDE = `${DRAFT_PREFIX}session-charges`

/**
 * The charges and payments that were said along with a session, until they're saved with it. They survive a reload, as the form's
 * draft does, and each keeps its own key.
 */
export function useChargesBeside() {
  const side = useSide()
  const { currency } = useMe()
  const toast = useToast()
  const [charges, setCharges] = useState(() => chargesBeside(sessionStorage.getItem(BESIDE)))
  const keep = (next: ChargeBeside[]) => {
    if (next.length > 0) sessionStorage.setItem(BESIDE, JSON.stringify(next))
    else sessionStorage.removeItem(BESIDE)
    setCharges(next)
  }
  /** How one of them is added, which returns how to undo it, and the form on Payments that it stays in if that fails. */
  const entryOf = (one: ChargeBeside, of: SessionFacts, isAnother = false) => {
    const { key, amount, reason, label } = one
    const sent = { idempotencyKey: isAnother ? `${key}-2` : key }
    const isParent = side === 'parent'
    const facts = {
      amount,
      date: of.date as CalendarDay,
      ...(isParent ? { tutor_id: of.tutor_id } : {}),
      ...(of.connection_id ? { connection_id: of.connection_id } : {}),
      ...(isAnother ? { is_another: true } : {}),
    }
    if (reason === null)
      return {
        draft: NEW_PAYMENT,
        typed: {
          ...emptyPayment(of.date, isParent ? of.tutor_id : of.student_id),
          amount: amountInDigits(amount, currency),
        },
        add: async () => {
          const student = isParent ? {} : { student_id: of.student_id }
          const added = await refreshed(call(AddPayment, { ...facts, ...student }, sent))
          return () => undoPayment({ added })
        },
      }
    return {
      draft: NEW_CHARGE,
      typed: fieldsOf({ ...one, ...of, reason, currency }),
      add: async () => {
        const added = await saveCharge({ ...facts, student_id: of.student_id, reason, label }, sent)
        return () => undoCharge({ added })
      },
    }
  }
  /**
   * Adds them one by one, and returns how to undo each. What failed is said and can be tried again; the first of it stays in the form on
   * Payments, too. Undefined if anything failed.
   */
  const addAll = async (
    all: readonly ChargeBeside[],
    of: SessionFacts,
    failure: string,
    isAnother = false,
  ): Promise<(() => Promise<boolean>)[] | undefined> => {
    const added: (() => Promise<boolean>)[] = []
    const failed: { charge: ChargeBeside; error: unknown }[] = []
    for (const charge of all)
      try {
        added.push(await entryOf(charge, of, isAnother).add())
      } catch (error) {
        failed.push({ charge, error })
      }
    const [first] = failed
    if (!first) return added
    const { draft, typed } = entryOf(first.charge, of)
    // Something else may be in that form.
    if (!readDraft(draft)) keepDraft(draft, typed)
    const { error } = first
    const isTwice = error instanceof CallFailed && /^same_(charge|payment)$/.test(error.problem.code)
    const why = error instanceof CallFailed && !error.isRetryable ? error.problem.title : 'Please try again'
    const left = failed.map(({ charge }) => charge)
    const retry = async () => {
      if (!(await addAll(left, of, `The ${nounOf(left)} wasn’t added`, isTwice))) return
      forgetDraft(draft)
      toast.success(`${capital(nounOf(left))} added successfully`)
    }
    toast.error(failure, `${inWords(left)}: ${why.replace(/\.$/, '')}.`, {
      action: { label: isTwice ? 'Add anyway' : 'Try again', run: () => void retry() },
    })
    return undefined
  }
  const inWords = (all: readonly ChargeBeside[]) =>
    all.map((charge) => besideInWords(charge, currency)).join(', ')
  /**
   * Saves what was said along with a session that was just added, or that waits on this device. Undefined if that
   * failed, which is then said.
   */
  const save = async (of: SessionFacts, isWaiting = false) => {
    const failure = isWaiting
      ? `The session waits, but the ${nounOf(charges)} doesn’t`
      : `The session was added, but not the ${nounOf(charges)}`
    const added = await addAll(charges, of, failure)
    keep([])
    return (
      added && {
        words: inWords(charges),
        undo: async () => {
          for (const undo of added) await undo()
        },
      }
    )
  }
  return { charges, keep, save }
}

const nounOf = (all: readonly ChargeBeside[]) =>
  all.every(({ reason }) => reason === null) ? 'payment' : 'charge'
