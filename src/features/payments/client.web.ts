// Hooks and calls for reading balances and changing payments.
import { useMutation, useQuery } from '@tanstack/react-query'
import { useCanWrite, useMe } from '#features/accounts/client.web.ts'
import type { InputOf } from '#kernel/endpoint.ts'
import { newId } from '#kernel/id.ts'
import { call } from '#platform/api.web.ts'
import { freshUnless, queryClient } from '#platform/query.web.ts'
import { type Balance, ReadBalances, ReadLedger } from './balance.ts'
import {
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
import { AddPayment, DeletePayment, type Payment, UpdatePayment } from './payment.ts'
import { ListConnectionPaymentWays, ListPaymentWays } from './payment-way.ts'

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
  return call(ReadBalances, { month }, { signal })
}

/** One account's lines. Waits until the account is known before requesting them. */
export function useLedger(month: string, party: string | undefined) {
  return useQuery({
    queryKey: ['ledger', month, party],
    enabled: party !== undefined,
    queryFn: ({ signal }) => call(ReadLedger, { month, with: party ?? '' }, { signal }),
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

/** The payment that the user saw, by id and version. An answer applies only to that version. */
type Seen = Pick<Payment, 'id' | 'version'>

/** The calls that respond to what the other side reported. Each one then reloads all data. */
export const paymentAnswers = {
  confirm: ({ id, version }: Seen) => andRefresh(call(ConfirmPayment, {}, { id, version })),
  withdraw: ({ id }: Seen) => andRefresh(call(WithdrawPaymentConfirmation, {}, { id })),
  dispute: ({ id, version }: Seen, note: string) =>
    andRefresh(call(DisputePayment, { note }, { id, version })),
  keep: ({ id, version }: Seen) => andRefresh(call(KeepPayment, {}, { id, version })),
  remove: ({ id, version }: Seen) => andRefresh(call(DeletePayment, {}, { id, version })),
}

/** Shares payments from your own records with the people they're for. */
export function sharePayments(payments: readonly Payment[]) {
  return andRefresh(call(SharePayments, { payments: payments.map(({ id }) => id) }))
}

async function andRefresh<Answer>(answer: Promise<Answer>): Promise<Answer> {
  try {
    return await answer
  } finally {
    // If the server rejected the change, what's on screen may be out of date.
    await queryClient.invalidateQueries()
  }
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
}: Payment): PaymentInput {
  const shared = connection_id === null ? {} : { connection_id }
  return { tutor_id, student_id, date, kind, amount, hours, method, note, ...shared }
}

/** Leaves out fields that can't change, because a payment always stays in its account. */
function changesOf({
  connection_id: _account,
  currency: _currency,
  is_another: _isAnother,
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
    onSuccess: (stored) => queryClient.setQueryData(WAYS, stored),
    onError: () => void queryClient.invalidateQueries({ queryKey: WAYS }),
  })
}
