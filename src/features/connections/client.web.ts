// Connections, the pairs that look like one lesson, and the emailed page, from a screen.
import { useMutation, useQuery } from '@tanstack/react-query'
import { useCanWrite, useMe, useSide } from '#features/accounts/client.web.ts'
import { type Answers, recentSessionsQuery, refreshed, seen } from '#features/sessions/client.web.ts'
import type { SharedSession } from '#features/sessions/confirmation.ts'
import type { LessonWords } from '#features/sessions/session.ts'
import { studentsQuery } from '#features/students/client.web.ts'
import { tutorsQuery, useTutors } from '#features/tutors/client.web.ts'
import { useWorkspaces } from '#features/workspaces/client.web.ts'
import type { InputOf } from '#kernel/endpoint.ts'
import { call, CallFailed } from '#platform/api.web.ts'
import { queryClient } from '#platform/query.web.ts'
import { forgetDraft, readDraft } from '#platform/ui/draft.web.ts'
import {
  AnswerConnection,
  AnswerPairs,
  AskConnection,
  type Connection,
  EndConnection,
  ListConnections,
  ListPairs,
} from './connection.ts'
import { afterChild, afterStudent, afterTutor } from './deleting.ts'
import {
  ConfirmByMail,
  DeleteByMail,
  DisputeByMail,
  EndByMail,
  KeepByMail,
  OpenMailedLink,
  WithdrawByMail,
  WriteByMail,
} from './emailed.ts'
import { nameOfOther } from '#features/workspaces/sides.ts'

/** The connections of this family or practice; none for members who see no amounts or only some students. */
export function useConnections(isWanted = true) {
  const { can_see_amounts: seesAmounts, has_all_students: hasAll } = useMe()
  return useQuery({
    queryKey: ['connections'],
    enabled: isWanted && seesAmounts && hasAll,
    queryFn: ({ signal }) => call(ListConnections, {}, { signal }),
  })
}

/** Whether sessions are shared with several others, so that a row has to say whom it is with. */
export function useHasSeveral(): boolean {
  const active = useConnections().data?.filter(({ state }) => state === 'active')
  return active !== undefined && active.length > 1
}

/** What the other side of a connection is called to whoever looks: a tutor by the family's own record. */
export function useOtherName(): (connection: Connection) => string {
  const side = useSide()
  const tutors = useQuery({ ...tutorsQuery('all'), enabled: side === 'parent' }).data ?? []
  return ({ tutor_id: id, other_name: name, people }) =>
    nameOfOther({ other_name: tutors.find((tutor) => tutor.id === id)?.name ?? name, people }, side)
}

/** What deleting somebody does to their connections, in a sentence; undefined where it does nothing. */
export function useAfterDeleting() {
  const connections = useConnections().data ?? []
  const tutors = useTutors('all').data ?? []
  return {
    tutor: (tutor: { id: string; name: string }) => afterTutor(tutor, connections),
    child: (child: { id: string; name: string }) => afterChild(child, connections, tutors),
    student: (student: { id: string; name: string }) => afterStudent(student, connections),
  }
}

/** Whether whoever is signed in may connect and answer for it; viewers, caregivers, assistants and members for some students may not. */
export function useConnects(): boolean {
  const { workspace, has_all_students: hasAll } = useMe()
  return useCanWrite() && hasAll && workspace?.role !== 'assistant'
}

/** Whether the other side would meet no name: the first request then asks for one. */
export function useNeedsName(): boolean {
  const workspaces = useWorkspaces(true)
  return workspaces.data?.some((one) => one.is_current && one.owner_name === null) ?? false
}

/** Whether what an offer to ask somebody is made of is still under way, so that it does not push the page down later. */
export function useOfferLoading(): boolean {
  const connects = useConnects()
  const side = useSide()
  const lists = [
    useQuery({ ...tutorsQuery(), enabled: connects && side === 'parent' }),
    useQuery({ ...studentsQuery(), enabled: connects && side === 'tutor' }),
    useQuery({ ...recentSessionsQuery(), enabled: connects }),
  ]
  return lists.some((list) => list.isLoading)
}

// Who is connected decides what every session says of its two sides, so each of these reads everything anew.

/** Asks a tutor, or the family of some students. */
export function useAsk() {
  return useMutation({
    mutationFn: ({
      input,
      idempotencyKey,
    }: {
      input: InputOf<typeof AskConnection>
      idempotencyKey: string
    }) => call(AskConnection, input, { idempotencyKey }),
    onSuccess: () => queryClient.invalidateQueries(),
  })
}

/** Accepts or declines what a family asked, or corrects who its children are. */
export function useAnswerConnection() {
  return useMutation({
    mutationFn: ({
      connection,
      input,
    }: {
      connection: Connection
      input: InputOf<typeof AnswerConnection>
    }) => call(AnswerConnection, input, { id: connection.id }),
    onSettled: () => queryClient.invalidateQueries(),
  })
}

export function useEndConnection() {
  return useMutation({
    mutationFn: ({ id }: Connection) => call(EndConnection, {}, { id }),
    onSettled: () => queryClient.invalidateQueries(),
  })
}

/** The sessions of a connection that both sides logged and that look like the same lesson. */
export function usePairs(connectionId: string, isWanted = true) {
  return useQuery({
    queryKey: ['connections', connectionId, 'pairs'],
    enabled: isWanted,
    queryFn: ({ signal }) => call(ListPairs, {}, { id: connectionId, signal }),
  })
}

export function useAnswerPairs(connectionId: string) {
  return useMutation({
    mutationFn: (input: InputOf<typeof AnswerPairs>) => call(AnswerPairs, input, { id: connectionId }),
    onSettled: () => queryClient.invalidateQueries(),
  })
}

/** What an emailed link asks; read anew with each answer. */
export function useMailedLink(token: string) {
  return useQuery({
    queryKey: ['mailed link', token],
    enabled: token !== '',
    retry: false,
    queryFn: ({ signal }) => call(OpenMailedLink, { token }, { signal }),
  })
}

/** Answers with the token of an emailed link. */
export function mailedAnswers(
  token: string,
  statement: (token: string, month: string) => Promise<void>,
): Answers {
  return {
    confirm: (sessions) => refreshed(call(ConfirmByMail, { token, sessions: seen(sessions) })),
    write: ({ id, version }, words) => refreshed(call(WriteByMail, { token, id, version, ...words })),
    withdraw: ({ id, version }) => refreshed(call(WithdrawByMail, { token, id, version })),
    dispute: ({ id, version }, note) => refreshed(call(DisputeByMail, { token, id, version, note })),
    keep: ({ id, version }) => refreshed(call(KeepByMail, { token, id, version })),
    remove: ({ id, version }) => refreshed(call(DeleteByMail, { token, id, version })),
    statement: (_connectionId, month) => statement(token, month),
  }
}

/** Under which what is typed of a lesson stays until it is sent: the fields that were typed into, and no others. */
export const summaryDraft = (sessionId: string) => `summary:${sessionId}`

/** Confirms sessions as they were seen, each with what was typed of it so far. */
export async function confirmTyped(
  answers: Answers,
  sessions: readonly SharedSession[],
): ReturnType<Answers['confirm']> {
  const { write } = answers
  const [confirmed, changed]: [string[], string[]] = [[], []]
  const plain: SharedSession[] = []
  for (const session of sessions) {
    const words = readDraft<LessonWords>(summaryDraft(session.id))
    if (!write || !words) plain.push(session)
    else
      try {
        await write(session, words)
        forgetDraft(summaryDraft(session.id))
        confirmed.push(session.id)
      } catch (error) {
        if (!(error instanceof CallFailed) || error.problem.code !== 'changed') throw error
        changed.push(session.id)
      }
  }
  const rest = plain.length > 0 ? await answers.confirm(plain) : { confirmed: [], changed: [] }
  return { confirmed: [...confirmed, ...rest.confirmed], changed: [...changed, ...rest.changed] }
}

export function useEndByMail(token: string) {
  return useMutation({ mutationFn: (forget: boolean) => call(EndByMail, { token, forget }) })
}
