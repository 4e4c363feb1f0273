// Hooks and calls to read and change connections, pairs and the emailed page.
import { useMutation, useQuery } from '@tanstack/react-query'
import { useActsForAll, useMe, useSide } from '#features/accounts/client.web.ts'
import { confirmSessions, confirmWithWords, recentSessionsQuery } from '#features/sessions/client.web.ts'
import type { SharedSession } from '#features/sessions/confirmation.ts'
import type { LessonWords } from '#features/sessions/lesson-words.ts'
import { studentsQuery } from '#features/students/client.web.ts'
import { tutorsQuery, useTutors } from '#features/tutors/client.web.ts'
import { useMembers, useWorkspaces } from '#features/workspaces/client.web.ts'
import { dayIn } from '#kernel/calendar-day.ts'
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
import { EndLink, OpenLink } from './emailed.ts'
import { ClaimLink, ConfirmAddress, GiveAddress, MakeLink } from './handed.ts'
import { nameOfOther } from '#features/workspaces/sides.ts'

/** This workspace's connections. Members who can't see amounts, or see only some students, get none. */
export function useConnections(isWanted = true) {
  const { can_see_amounts: seesAmounts, has_all_students: hasAll } = useMe()
  return useQuery({
    queryKey: ['connections'],
    enabled: isWanted && seesAmounts && hasAll,
    queryFn: ({ signal }) => call(ListConnections, {}, { signal }),
  })
}

/** Whether there are several active connections. If so, each row has to name the other side. */
export function useHasSeveral(): boolean {
  const active = useConnections().data?.filter(({ state }) => state === 'active')
  return active !== undefined && active.length > 1
}

/**
 * Returns a function that names the other side of a connection. Families see the name from their own record
 * of the tutor.
 */
export function useOtherName(): (connection: Connection) => string {
  const side = useSide()
  const tutors = useQuery({ ...tutorsQuery('all'), enabled: side === 'parent' }).data ?? []
  return ({ tutor_id: id, other_name: name, people }) =>
    nameOfOther({ other_name: tutors.find((tutor) => tutor.id === id)?.name ?? name, people }, side)
}

/**
 * Functions that explain in a sentence how deleting somebody affects their connections. They return undefined
 * if it doesn't.
 */
export function useAfterDeleting() {
  const connections = useConnections().data ?? []
  const tutors = useTutors('all').data ?? []
  return {
    tutor: (tutor: { id: string; name: string }) => afterTutor(tutor, connections),
    child: (child: { id: string; name: string }) => afterChild(child, connections, tutors),
    student: (student: { id: string; name: string }) => afterStudent(student, connections),
  }
}

/**
 * Whether the signed-in member may start, answer and end connections. Viewers, caregivers, assistants and
 * limited members can't.
 */
export function useConnects(): boolean {
  return useActsForAll()
}

/**
 * Whether the first request has to ask for the user's name, because the workspace doesn't have one to show.
 * Undefined until that's known.
 */
export function useNeedsName(): boolean | undefined {
  const { data, isPending } = useWorkspaces(true)
  if (isPending) return undefined
  return data?.some((one) => one.is_current && one.owner_name === null) ?? false
}

/**
 * Whether an offer's data is still loading. If so, space is reserved for the offer so that the page doesn't
 * jump.
 */
export function useOfferLoading(): boolean {
  const connects = useConnects()
  const side = useSide()
  const lists = [
    useQuery({ ...tutorsQuery(), enabled: connects && side === 'parent' }),
    useQuery({ ...studentsQuery(), enabled: connects && side === 'tutor' }),
    useQuery({ ...recentSessionsQuery(), enabled: connects }),
  ]
  const { isLoading } = useOtherParent()
  return isLoading || lists.some((list) => list.isLoading)
}

/** How many sessions a family has logged before it's offered to invite the other parent. */
const SESSIONS_BEFORE_PARENT = 2

/** Whether to offer to invite the other parent: to the owner of a family that keeps a log alone. */
export function useOtherParent(): { isMissing: boolean; isLoading: boolean } {
  const { workspace } = useMe()
  const isOwner = useConnects() && workspace?.kind === 'family' && workspace.role === 'owner'
  const sessions = useQuery({ ...recentSessionsQuery(), enabled: isOwner })
  const hasHabit = (sessions.data?.sessions.length ?? 0) >= SESSIONS_BEFORE_PARENT
  const members = useMembers(isOwner && hasHabit)
  return { isMissing: members.data?.length === 1, isLoading: members.isLoading }
}

// Connections affect how every session is displayed, so each of these changes reloads everything.

/**
 * Sends a connection request to a tutor, or to the given students' family. If it's made by link, also makes the link,
 * in `made`; null if only that failed, because the connection is there from then on.
 */
export function useAsk() {
  return useMutation({
    mutationFn: async ({
      input,
      idempotencyKey,
    }: {
      input: InputOf<typeof AskConnection>
      idempotencyKey: string
    }) => {
      const connection = await call(AskConnection, input, { idempotencyKey })
      if (!input.by_link) return { connection }
      const made = await call(MakeLink, {}, { id: connection.id }).catch(() => null)
      return { connection, made }
    },
    onSuccess: () => queryClient.invalidateQueries(),
  })
}

/** Makes the link to hand over for a connection. It's known only until the dialog that shows it closes. */
export function useMakeLink() {
  return useMutation({
    mutationFn: (connectionId: string) => call(MakeLink, {}, { id: connectionId }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['connections'] }),
  })
}

/** Accepts or declines a request, or changes the matches. */
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

/** The sessions of a connection that both sides seem to have logged. */
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

/** The emailed page's content; reloads after each answer. The calls carry the page's token (platform/link.web.ts). */
export function useLink(token: string) {
  return useQuery({
    queryKey: ['link', token],
    enabled: token !== '',
    retry: false,
    queryFn: ({ signal }) => call(OpenLink, { today: dayIn(new Date()) }, { signal }),
  })
}

/** The key for the draft of a lesson summary. The draft contains only the fields the user typed in. */
export const summaryDraft = (sessionId: string) => `summary:${sessionId}`

/** Confirms the version of each session that was shown, and saves any summaries typed so far. */
export async function confirmTyped(sessions: readonly SharedSession[]): ReturnType<typeof confirmSessions> {
  const [confirmed, changed]: [string[], string[]] = [[], []]
  const plain: SharedSession[] = []
  for (const session of sessions) {
    const words = readDraft<LessonWords>(summaryDraft(session.id))
    if (!words) plain.push(session)
    else
      try {
        await confirmWithWords(session, words)
        forgetDraft(summaryDraft(session.id))
        confirmed.push(session.id)
      } catch (error) {
        if (!(error instanceof CallFailed) || error.problem.code !== 'changed') throw error
        changed.push(session.id)
      }
  }
  const rest = plain.length > 0 ? await confirmSessions(plain) : { confirmed: [], changed: [] }
  return { confirmed: [...confirmed, ...rest.confirmed], changed: [...changed, ...rest.changed] }
}

export function useEndLink() {
  return useMutation({ mutationFn: (forget: boolean) => call(EndLink, { forget }) })
}

/**
 * Claims the page's handed-over link for this device. The first call sets its cookie, the second claims the link
 * with it. False if the browser doesn't keep cookies.
 */
export function useClaim() {
  return useMutation({
    mutationFn: async () => (await call(ClaimLink, {})).is_claimed || (await call(ClaimLink, {})).is_claimed,
  })
}

export function useGiveAddress() {
  return useMutation({ mutationFn: (email: string) => call(GiveAddress, { email }) })
}

export function useConfirmAddress() {
  return useMutation({ mutationFn: () => call(ConfirmAddress, {}) })
}
