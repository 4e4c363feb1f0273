// Hooks and calls for terms.
import { useMutation, useQuery } from '@tanstack/react-query'
import { useCanWrite, useMe, useSeesAmounts } from '#features/accounts/client.web.ts'
import { callsOf, type NotedKind, refreshed } from '#features/agreements/client.web.ts'
import { calendarDay } from '#kernel/calendar-day.ts'
import type { Currency } from '#kernel/money.ts'
import { call } from '#platform/api.web.ts'
import { queryClient } from '#platform/query.web.ts'
import { feeCovering } from './fees.ts'
import { ListMakeUps } from './make-ups.ts'
import type { TypedRules } from './terms-form.ts'
import {
  AcceptTerms,
  type ClassOfPair,
  ConfirmTerms,
  DeleteTerms,
  DisputeTerms,
  isAgreed,
  KeepTerms,
  ListTerms,
  ListWaitingTerms,
  noticeHoursOf,
  ProposeTerms,
  ReadTermsHistory,
  type Terms,
  UpdateTerms,
  WithdrawTermsConfirmation,
} from './terms.ts'

/** All versions of the reader's terms. Loads nothing for members who may not see amounts or all students. */
export function useTerms() {
  const { has_all_students: hasAll } = useMe()
  const seesAmounts = useSeesAmounts()
  return useQuery({
    queryKey: ['terms'],
    enabled: hasAll && seesAmounts,
    queryFn: ({ signal }) => call(ListTerms, {}, { signal }),
  })
}

/** The make-ups that are owed or lapsed lately. Loads nothing for members with some students. */
export function useMakeUps() {
  const { has_all_students: hasAll } = useMe()
  return useQuery({
    queryKey: ['make-ups'],
    enabled: hasAll,
    queryFn: ({ signal }) => call(ListMakeUps, {}, { signal }),
  })
}

/** After a make-up was refused: it's no longer offered. */
export const refreshMakeUps = () => queryClient.invalidateQueries({ queryKey: ['make-ups'] })

/** Whether a month's or a term's fee covers the lessons of a day with a tutor or, for a practice, in a connection. */
export function useCoveringFee(
  day: string,
  of: { tutorId: string } | { connectionId: string | undefined },
): 'month' | 'term' | undefined {
  const date = calendarDay(day)
  const agreed = useTerms().data?.terms.filter(
    (one) =>
      one.connection_id !== null &&
      isAgreed(one) &&
      ('tutorId' in of ? one.tutor_id === of.tutorId : one.connection_id === of.connectionId),
  )
  return agreed && date
    ? feeCovering(
        agreed.map((one) => ({ ...one, rules: one.rules as Pick<TypedRules, 'fee' | 'term_months'> })),
        date,
      )
    : undefined
}

/** How many hours before a class it can be canceled in time, by the terms that the reader sees. */
export function useNoticeHours(): (one: ClassOfPair) => number {
  const terms = useTerms().data?.terms ?? []
  return (one) => noticeHoursOf(terms, one)
}

/** The terms that are waiting for this side's answer. Loads nothing for members who can't answer. */
export function useWaitingTerms() {
  const { has_all_students: hasAll } = useMe()
  const mayAnswer = useCanWrite() && hasAll
  return useQuery({
    queryKey: ['terms', 'waiting'],
    enabled: mayAnswer,
    queryFn: ({ signal }) => call(ListWaitingTerms, {}, { signal }),
  })
}

/** The history of one version, which is the same for both sides. */
export function useTermsHistory(id: string) {
  return useQuery({
    queryKey: ['terms', 'history', id],
    queryFn: ({ signal }) => call(ReadTermsHistory, {}, { id, signal }),
  })
}

/** Whose new terms are: a family names its tutor, a practice its student. */
export type TermsHolder = { tutor_id: string } | { student_id: string } | { connection_id: string }

/** What saving the form does: new terms, other rules for proposed ones, or an answer that proposes other rules. */
export type Saving = { propose: TermsHolder } | { change: Terms } | { answer: Terms }

/** Proposes, changes or answers with these rules. */
export function useSaveTerms() {
  return useMutation({
    mutationFn: ({
      saving,
      rules,
      currency,
      idempotencyKey,
    }: {
      saving: Saving
      rules: TypedRules
      /** What the amounts were read back in. */
      currency: Currency
      idempotencyKey: string
    }) => {
      if ('propose' in saving)
        return call(ProposeTerms, { ...saving.propose, rules, currency }, { idempotencyKey })
      if ('change' in saving) {
        const { id, version } = saving.change
        return call(UpdateTerms, { rules }, { id, version })
      }
      const { id, version } = saving.answer
      return call(DisputeTerms, { proposal: { rules } }, { id, version })
    },
    onSuccess: () => queryClient.invalidateQueries(),
  })
}

/** Withdraws proposed terms, ends your own, or asks the other side to end agreed ones. Says whether it was asked. */
export async function endTerms({ id, version }: Terms): Promise<boolean> {
  return (await refreshed(call(DeleteTerms, {}, { id, version })))?.code === 'deletion_requested'
}

const calls = callsOf({
  confirm: ConfirmTerms,
  withdraw: WithdrawTermsConfirmation,
  dispute: DisputeTerms,
  accept: AcceptTerms,
  keep: KeepTerms,
  remove: DeleteTerms,
})

/** What terms are called when answering them. */
export function termsKind(other: string): NotedKind<Terms> {
  return {
    calls,
    dispute: calls.dispute,
    nameOf: () => `terms with ${other}`,
    confirmed: () => 'Agreed. These terms apply from today.',
    kept: ['Terms kept', 'They still apply.'],
    deleted: 'The terms ended',
    accepted: 'Agreed. These terms apply from today.',
    failed: {
      confirm: 'Nothing was agreed. The terms may have changed. Please check them again.',
      withdraw: 'Your answer could not be undone',
      accept: 'Nothing was agreed. The terms may have changed. Please check them again.',
      keep: 'Your answer could not be saved. Please try again.',
      remove: 'The terms could not be ended. Please try again.',
    },
    disputeWords: (terms) => ({
      draft: `terms-note:${terms.id}`,
      title: 'Not right?',
      send: 'Not right',
      label: `Note to ${other}`,
      help: `${capital(other)} will see this.`,
      maxLength: 500,
      missing: 'Write a short note',
      failure: 'Your note could not be sent',
      facts: terms.sentences.join(' '),
      sent: ['Note sent', `${capital(other)} will see your note and can change the terms.`],
    }),
    deletionWords: () => ({
      title: 'Agree to end these terms?',
      text: 'From then on, nothing is agreed between you about missed lessons and fees.',
    }),
  }
}

export const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
