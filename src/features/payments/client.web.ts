// Hooks and calls for reading balances and changing payments.
import { useMutation, useQuery } from '@tanstack/react-query'
import { useCanWrite, useMe, useSeesAmounts } from '#features/accounts/client.web.ts'
import { type NotedKind, callsOf, refreshed, type Seen } from '#features/agreements/client.web.ts'
import { capital } from '#features/sessions/standing-text.ts'
import { dayIn, monthOf } from '#kernel/calendar-day.ts'
import type { InputOf } from '#kernel/endpoint.ts'
import { newId } from '#kernel/id.ts'
import { call } from '#platform/api.web.ts'
import { freshUnless, queryClient, showStored } from '#platform/query.web.ts'
import type { Side } from '#platform/ui/Ticks.tsx'
import { type Balance, ReadBalances, ReadLedger } from './balance.ts'
import {
  AcceptPayment,
  ConfirmPayment,
  DisputePayment,
  KeepPayment,
  ListUnsharedPayments,
  ListWaitingPayments,
  SharePayments,
  WithdrawPaymentConfirmation,
} from './confirmation.ts'
import { ReadPaymentHistory } from './history.ts'
import type { SetPaymentWays } from './own-ways.ts'
import {
  AddPayment,
  DeletePayment,
  ListPayments,
  type Payment,
  UpdatePayment,
  searchedDays,
} from './payment.ts'
import { ListConnectionPaymentWays, ListPaymentWays } from './payment-way.ts'
import { disputeNote, type Facts, factsOf, nameOfPayment, questionOf } from './payment-words.ts'

const WAYS = ['payment-ways']

type PaymentInput = InputOf<typeof AddPayment>

export function useBalances(month: string, isWanted = true) {
  return useQuery({
    queryKey: ['balances', month],
    enabled: isWanted,
    queryFn: ({ signal }) => readBalances(month, signal),
    staleTime: freshUnless(({ balances }: { balances: Balance[] }) => balances.length === 0),
  })
}

/** A month's balances, for pages that load this code on demand. */
export function readBalances(month: string, signal: AbortSignal) {
  return call(ReadBalances, { month, today: dayIn(new Date()) }, { signal })
}

/** What is owed as of today. It's the same on every screen, because they all read this month's balances. */
export function useOwed() {
  const { has_all_students: hasAll } = useMe()
  const seesAmounts = useSeesAmounts()
  return useBalances(monthOf(dayIn(new Date())), hasAll && seesAmounts)
}

/** One account's lines. Waits until the account is known before requesting them. */
export function useLedger(month: string, party: string | undefined) {
  return useQuery({
    queryKey: ['ledger', month, party],
    enabled: party !== undefined,
    queryFn: ({ signal }) => call(ReadLedger, { month, with: party ?? '' }, { signal }),
  })
}

/** The payments under a reference. Loads nothing without one, and for members who get no payments. */
export function usePaymentsWith(reference: string | undefined) {
  const { has_all_students: hasAll } = useMe()
  const seesAmounts = useSeesAmounts()
  return useQuery({
    queryKey: ['payments', 'reference', reference],
    enabled: reference !== undefined && hasAll && seesAmounts,
    queryFn: ({ signal }) => call(ListPayments, reference === undefined ? {} : { reference }, { signal }),
  })
}

/** The last year's payments, to be searched. Loads nothing for members who get no payments. */
export function useRecentPayments() {
  const { has_all_students: hasAll } = useMe()
  const seesAmounts = useSeesAmounts()
  const days = searchedDays(dayIn(new Date()))
  return useQuery({
    queryKey: ['payments', 'recent', days.to],
    enabled: hasAll && seesAmounts,
    queryFn: ({ signal }) => call(ListPayments, days, { signal }),
  })
}

/** The payments that are waiting for this side's answer. Loads nothing for members who can't answer. */
export function useWaitingPayments() {
  const { has_all_students: hasAll } = useMe()
  const mayAnswer = useCanWrite() && hasAll
  return useQuery({
    queryKey: ['payments', 'waiting'],
    enabled: mayAnswer,
    queryFn: ({ signal }) => readWaitingPayments(signal),
  })
}

/** The same, for pages that load this code on demand. */
export function readWaitingPayments(signal: AbortSignal) {
  return call(ListWaitingPayments, {}, { signal })
}

/** The payments that the other side of a connection can't see. */
export function useUnsharedPayments() {
  return useQuery({
    queryKey: ['payments', 'unshared'],
    queryFn: ({ signal }) => call(ListUnsharedPayments, {}, { signal }),
  })
}

/** A payment's history, which is the same for both sides. */
export function usePaymentHistory(paymentId: string) {
  return useQuery({
    queryKey: ['payments', 'history', paymentId],
    queryFn: ({ signal }) => call(ReadPaymentHistory, {}, { id: paymentId, signal }),
  })
}

/** The calls that answer about a payment. */
export const paymentAnswers = callsOf({
  confirm: ConfirmPayment,
  withdraw: WithdrawPaymentConfirmation,
  dispute: DisputePayment,
  accept: AcceptPayment,
  keep: KeepPayment,
  remove: DeletePayment,
})

/** A payment as the lists of shared ones have it, or as it is in the reader's records. */
type AnsweredPayment = Seen &
  Facts &
  Pick<Payment, 'own_confirmation' | 'deletion_asked_by'> & { other_name?: string | null }

/**
 * What a payment is called when answering it.
 * @param other what to call the other side within a sentence, instead of the payment's name for it
 */
export function paymentKind(reader: Side, other?: string): NotedKind<AnsweredPayment> {
  const otherOf = (payment: AnsweredPayment) =>
    other ?? payment.other_name ?? (reader === 'parent' ? 'the tutor' : 'the family')
  return {
    calls: paymentAnswers,
    dispute: paymentAnswers.dispute,
    propose: {
      // Prepaid hours and earlier debts have more facts than an amount.
      of: (payment) => (payment.kind === 'payment' ? payment : undefined),
      send: ({ id, version }, said) => refreshed(call(DisputePayment, said, { id, version })),
      sent: (payment) => ['Sent', `${capital(otherOf(payment))} can accept it or answer.`],
    },
    nameOf: nameOfPayment,
    confirmed: (payments) =>
      payments.map((one) => `${questionOf(one.kind, reader).yes}: ${nameOfPayment(one)}`).join(', '),
    kept: ['Payment kept', 'It stays in your shared balance.'],
    deleted: 'Payment deleted successfully',
    accepted: 'Accepted',
    failed: {
      confirm: 'Nothing was confirmed. The payment may have changed. Please check it again.',
      withdraw: 'Your answer could not be undone',
      accept: 'Nothing was accepted. The payment may have changed. Please check it again.',
      keep: 'Your answer could not be saved. Please try again.',
      remove: 'Failed to delete payment',
    },
    disputeWords(payment) {
      const { no } = questionOf(payment.kind, reader)
      return {
        ...disputeNote(payment.id, reader),
        title: `${no}?`,
        send: no,
        label: `Note to ${otherOf(payment)}`,
        failure: 'Your note could not be sent',
        name: nameOfPayment(payment),
        facts: factsOf(payment),
        sent: ['Note sent', `${capital(otherOf(payment))} will see your note and can correct the payment.`],
      }
    },
    deletionWords(payment) {
      const isAsked = payment.deletion_asked_by === 'other'
      return {
        title: isAsked ? 'Agree to delete' : 'Delete this payment?',
        text: `${isAsked ? `${capital(otherOf(payment))} asked to delete it. ` : ''}The payment of ${nameOfPayment(payment)} will be permanently deleted for both of you.`,
      }
    },
  }
}

/** Shares payments from your own records with the people they're for. */
export function sharePayments(payments: readonly Payment[]) {
  return refreshed(call(SharePayments, { payments: payments.map(({ id }) => id) }))
}

/** Adds a payment, or changes the given one. */
export function useSavePayment() {
  return useMutation({
    mutationFn: ({
      payment,
      input,
      idempotencyKey,
    }: {
      payment?: Payment
      input: PaymentInput
      idempotencyKey: string
    }) =>
      payment
        ? call(UpdatePayment, changesOf(input), { id: payment.id, version: payment.version })
        : call(AddPayment, input, { idempotencyKey }),
    onSuccess: () => queryClient.invalidateQueries(),
  })
}

export function useDeletePayment() {
  return useMutation({
    mutationFn: (payment: Payment) => call(DeletePayment, {}, { id: payment.id }),
    onSuccess: () => queryClient.invalidateQueries(),
  })
}

/** Turns a stored payment back into input, so that undo can restore it after a change or deletion. */
function inputOf({
  tutor_id,
  student_id,
  date,
  kind,
  amount,
  hours,
  method,
  note,
  connection_id,
  reference,
}: Payment): PaymentInput {
  const shared = connection_id === null ? {} : { connection_id }
  return { tutor_id, student_id, date, kind, amount, hours, method, note, reference, ...shared }
}

/** Leaves out fields that can't change, because a payment always stays in its account. */
function changesOf({
  connection_id: _account,
  currency: _currency,
  is_another: _isAnother,
  reference: _reference,
  ...changes
}: PaymentInput) {
  return changes
}

/** Undoes adding, changing or deleting a payment. Returns false if that fails. */
export async function undo(
  done: { added: Payment } | { changed: Payment; before: Payment } | { deleted: Payment },
): Promise<boolean> {
  try {
    if ('added' in done) await call(DeletePayment, {}, { id: done.added.id })
    else if ('changed' in done)
      await call(UpdatePayment, changesOf(inputOf(done.before)), {
        id: done.changed.id,
        version: done.changed.version,
      })
    else await call(AddPayment, { ...inputOf(done.deleted), is_another: true }, { idempotencyKey: newId() })
    return true
  } catch {
    return false
  } finally {
    void queryClient.invalidateQueries()
  }
}

/** A practice's payment options, which its families see. */
export function useOwnWays() {
  return useQuery({ queryKey: WAYS, queryFn: ({ signal }) => call(ListPaymentWays, {}, { signal }) })
}

/** The payment options set by a connection's tutor. */
export function useConnectionWays(connectionId: string | undefined) {
  return useQuery({
    queryKey: [...WAYS, connectionId],
    enabled: connectionId !== undefined,
    queryFn: ({ signal }) => call(ListConnectionPaymentWays, {}, { id: connectionId ?? '', signal }),
  })
}

export type WayInput = InputOf<typeof SetPaymentWays>['ways'][number]

/** Replaces the list of payment options, given the version that the change is based on. */
export function useSetWays() {
  return useMutation({
    mutationFn: async ({ ways, version }: { ways: WayInput[]; version: number }) => {
      const { SetPaymentWays } = await import('./own-ways.ts')
      return call(SetPaymentWays, { ways }, { version })
    },
    onSuccess: (stored) => showStored(WAYS, stored),
    onError: () => void queryClient.invalidateQueries({ queryKey: WAYS }),
  })
}
