// Reading and changing sessions from a screen.
import { queryOptions, useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'
import type { InputOf } from '#kernel/endpoint.ts'
import { studentsQuery } from '#features/students/client.web.ts'
import { tutorsQuery } from '#features/tutors/client.web.ts'
import { call } from '#platform/api.web.ts'
import { queryClient } from '#platform/query.web.ts'
import { ReadHistory } from './history.ts'
import {
  AnswerDispute,
  DeleteSession,
  ListSessions,
  LogSession,
  type Session,
  UpdateSession,
} from './session.ts'

/** A session that takes longer to be stored is kept on the device and sent again from there. */
const LOG_PATIENCE_MS = 15_000

/** As many of the latest sessions as the form needs to start with the usual ones. */
const RECENT = 50

/** The latest sessions, newest first: what the form starts with, and what is in the log already. */
export function recentSessionsQuery() {
  return queryOptions({
    queryKey: ['sessions', 'recent'],
    queryFn: ({ signal }) => call(ListSessions, { limit: String(RECENT) }, { signal }),
  })
}

/** Loads what logging a session needs, so that it is on the device before the form is first opened. */
export function loadForLogging(): void {
  void queryClient.prefetchQuery(studentsQuery())
  void queryClient.prefetchQuery(tutorsQuery())
  void queryClient.prefetchQuery(recentSessionsQuery())
}

export function useRecentSessions() {
  return useQuery(recentSessionsQuery())
}

/** A month's sessions, newest first, page by page. */
export function useMonthSessions(month: string, enabled = true) {
  return useInfiniteQuery({
    enabled,
    queryKey: ['sessions', month],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      call(ListSessions, { month, limit: '100', ...(pageParam ? { cursor: pageParam } : {}) }, { signal }),
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  })
}

export function useLogSession() {
  return useMutation({
    mutationFn: ({ input, idempotencyKey }: { input: InputOf<typeof LogSession>; idempotencyKey: string }) =>
      call(LogSession, input, { idempotencyKey, signal: AbortSignal.timeout(LOG_PATIENCE_MS) }),
    onSuccess: (session) => {
      // The next form starts with it, also where the list cannot be loaded again.
      queryClient.setQueryData(
        recentSessionsQuery().queryKey,
        (recent) => recent && { ...recent, sessions: [session, ...recent.sessions] },
      )
      return queryClient.invalidateQueries()
    },
  })
}

export function useUpdateSession() {
  return useMutation({
    mutationFn: ({ session, input }: { session: Session; input: InputOf<typeof UpdateSession> }) =>
      call(UpdateSession, input, { id: session.id, version: session.version }),
    onSuccess: () => queryClient.invalidateQueries(),
  })
}

export function useDeleteSession() {
  return useMutation({
    mutationFn: (session: Session) => call(DeleteSession, {}, { id: session.id }),
    onSuccess: () => queryClient.invalidateQueries(),
  })
}

/** Who did what when to one session; for the family and the linked tutor. */
export function useHistory(sessionId: string) {
  return useQuery({
    queryKey: ['history', sessionId],
    queryFn: ({ signal }) => call(ReadHistory, {}, { id: sessionId, signal }),
  })
}

/** The sessions that tutors sent back and that nobody answered yet. @param isWanted whether to ask at all */
export function useSentBack(isWanted = true) {
  return useQuery({
    queryKey: ['sessions', 'sent back'],
    enabled: isWanted,
    queryFn: ({ signal }) => call(ListSessions, { state: 'disputed' }, { signal }),
  })
}

export function useAnswerDispute() {
  return useMutation({
    mutationFn: ({ session, note }: { session: Session; note: string }) =>
      call(AnswerDispute, { note }, { id: session.id, version: session.version }),
    onSuccess: () => queryClient.invalidateQueries(),
  })
}
