// The tutor's answers from a screen, with an account and from a mailed link.
import { useMutation, useQuery } from '@tanstack/react-query'
import { downloadSignedAsTutor, downloadSignedByMail } from '#features/months/client.web.ts'
import { call } from '#platform/api.web.ts'
import { queryClient } from '#platform/query.web.ts'
import {
  ConfirmByMail,
  ConfirmSession,
  ConfirmSessions,
  DisputeByMail,
  DisputeSession,
  EndByMail,
  type LinkedSession,
  ListLinkedSessions,
  OpenMailedLink,
  WithdrawByMail,
  WithdrawConfirmation,
} from './verification.ts'

/** What a screen needs to answer, whoever the tutor is. Each throws CallFailed. */
export interface Answers {
  confirm: (sessions: LinkedSession[]) => Promise<{ confirmed: string[]; changed: string[] }>
  withdraw: (session: LinkedSession) => Promise<unknown>
  dispute: (session: LinkedSession, note: string) => Promise<unknown>
  /** Downloads the statement of a month that both confirmed. */
  statement: (familyId: string, month: string) => Promise<void>
}

const seen = (sessions: LinkedSession[]) => sessions.map(({ id, version }) => ({ id, version }))

/** The linked families' sessions: those that wait, or all. */
export function useLinkedSessions(which: 'waiting' | 'all') {
  return useQuery({
    queryKey: ['confirmations', which],
    queryFn: ({ signal }) =>
      call(ListLinkedSessions, which === 'waiting' ? { waiting: 'true' } : {}, { signal }),
  })
}

/** Answers as the signed-in tutor. */
export const accountAnswers: Answers = {
  confirm: async (sessions) =>
    refreshed(
      sessions.length === 1 && sessions[0]
        ? call(ConfirmSession, {}, { id: sessions[0].id, version: sessions[0].version }).then(({ id }) => ({
            confirmed: [id],
            changed: [],
          }))
        : call(ConfirmSessions, { sessions: seen(sessions) }),
    ),
  // Withdrawn is what stands now, so it names the version after the confirmation.
  withdraw: async (session) => refreshed(call(WithdrawConfirmation, {}, { id: session.id })),
  dispute: async (session, note) =>
    refreshed(call(DisputeSession, { note }, { id: session.id, version: session.version })),
  statement: downloadSignedAsTutor,
}

async function refreshed<Result>(answer: Promise<Result>): Promise<Result> {
  try {
    return await answer
  } finally {
    void queryClient.invalidateQueries()
  }
}

/** What a mailed link asks; read anew with each answer. */
export function useMailedLink(token: string) {
  return useQuery({
    queryKey: ['mailed link', token],
    enabled: token !== '',
    retry: false,
    queryFn: ({ signal }) => call(OpenMailedLink, { token }, { signal }),
  })
}

/** Answers with the token of a mailed link. */
export function mailedAnswers(token: string): Answers {
  return {
    confirm: (sessions) => refreshed(call(ConfirmByMail, { token, sessions: seen(sessions) })),
    withdraw: (session) =>
      refreshed(call(WithdrawByMail, { token, id: session.id, version: session.version })),
    dispute: (session, note) =>
      refreshed(call(DisputeByMail, { token, id: session.id, version: session.version, note })),
    statement: (_familyId, month) => downloadSignedByMail(token, month),
  }
}

export function useEndByMail(token: string) {
  return useMutation({ mutationFn: (forget: boolean) => call(EndByMail, { token, forget }) })
}
