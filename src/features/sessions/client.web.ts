// React hooks and calls to read and change sessions.
import { createContext, useContext, useRef } from 'react'
import {
  keepPreviousData,
  queryOptions,
  useInfiniteQuery,
  useMutation,
  useQuery,
} from '@tanstack/react-query'
import type { InputOf } from '#kernel/endpoint.ts'
import { newId } from '#kernel/id.ts'
import { useSide } from '#features/accounts/client.web.ts'
import { type AnsweredKind, callsOf, refreshed, type Seen } from '#features/agreements/client.web.ts'
import { studentsQuery } from '#features/students/client.web.ts'
import { tutorsQuery } from '#features/tutors/client.web.ts'
import { paths } from '#features/site/paths.ts'
import { call } from '#platform/api.web.ts'
import { freshUnless, queryClient } from '#platform/query.web.ts'
import type { RowLink } from '#platform/ui/RowLink.tsx'
import type { Side } from '#platform/ui/Ticks.tsx'
import {
  AcceptSession,
  ConfirmSession,
  ConfirmSessions,
  DisputeSession,
  KeepSession,
  ListShared,
  type SharedSession,
  WithdrawConfirmation,
} from './confirmation.ts'
import { studentTitle } from './family-choice.ts'
import { ReadHistory } from './history.ts'
import { joinedWords, type LessonWords, WORDS_FIELDS, type WordsField } from './lesson-words.ts'
import {
  AnswerDispute,
  DeleteSession,
  ListHeld,
  ListSessions,
  LogSession,
  LogSessions,
  ReadSession,
  type Session,
  UpdateSession,
} from './session.ts'
import { capital, otherSide, sessionName } from './standing-text.ts'

/** If the server hasn't responded within this time, the session is stored on the device and resent from there. */
const LOG_TIMEOUT_MS = 15_000

/** How many recent sessions to look through to find the usual ones. */
const RECENT = 50

/**
 * Loads the latest sessions, newest first. The form uses them for the usual values and to check for
 * duplicates.
 */
export function recentSessionsQuery() {
  return queryOptions({
    queryKey: ['sessions', 'recent'],
    queryFn: ({ signal }) => call(ListSessions, { limit: String(RECENT) }, { signal }),
  })
}

/** Preloads the data for the session form, so that it works offline even if it's never been opened before. */
export function loadForLogging(): void {
  for (const query of [studentsQuery(), tutorsQuery(), recentSessionsQuery()])
    // A screen already shows that the list failed to load. Loading it again would replace that message with
    // placeholders.
    if (queryClient.getQueryState(query.queryKey)?.status !== 'error')
      void queryClient.prefetchQuery(query as ReturnType<typeof studentsQuery>)
}

/**
 * The title of a session's row: the student's name. For tutors, adds the family's name if two students share
 * a name.
 */
export function useStudentTitle(session: Session): string {
  return useStudentTitles(session.connection_id !== null)(session)
}

/**
 * Like useStudentTitle, but for several sessions.
 * @param isShared whether any of the sessions is shared
 */
export function useStudentTitles(isShared = true): (session: Session) => string {
  const asks = useSide() === 'tutor' && isShared
  const students = useQuery({ ...studentsQuery(), enabled: asks }).data ?? []
  return (session) => studentTitle(session, asks ? students : [])
}

export function useRecentSessions() {
  return useQuery(recentSessionsQuery())
}

/** A month's sessions, newest first, one page at a time. */
export function useMonthSessions(month: string, enabled = true) {
  return useInfiniteQuery({
    enabled,
    queryKey: ['sessions', month],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      call(ListSessions, { month, limit: '100', ...(pageParam ? { cursor: pageParam } : {}) }, { signal }),
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    staleTime: freshUnless(
      ({ pages }: { pages: { sessions: Session[] }[] }) => pages[0]?.sessions.length === 0,
    ),
  })
}

/** How many sessions of a search to load at once. */
const SEARCH_PAGE = 20

/** What sessions are searched for. A list of one person's sessions is a search for them. */
type AskedSessions = Omit<InputOf<typeof ListSessions>, 'limit' | 'cursor' | 'month' | 'state'>

/** The sessions that a search finds, newest first, one page at a time. The first page says what it finds in all. */
export function useFoundSessions(asked: AskedSessions, enabled = true) {
  const { student_id: student, tutor_id: tutor, ...rest } = asked
  // The device's copy has the sessions of people, but leaves searches out.
  const isOfPerson = Object.keys(rest).length === 0 && (student === undefined) !== (tutor === undefined)
  return useInfiniteQuery({
    enabled,
    queryKey: [isOfPerson ? 'sessions' : 'session-search', 'found', asked],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      call(
        ListSessions,
        { ...asked, limit: String(SEARCH_PAGE), ...(pageParam ? { cursor: pageParam } : {}) },
        { signal },
      ),
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    // Typing another letter keeps what's shown until the answer is here.
    placeholderData: keepPreviousData,
  })
}

/** Sessions left out of every total until someone says whether the other side logged them too. */
export function useHeld() {
  return useQuery({
    queryKey: ['held'],
    queryFn: ({ signal }) => call(ListHeld, {}, { signal }),
  })
}

/** Loads one session, and reloads it whenever any data changes. */
export function useSession(id: string) {
  return useQuery({
    queryKey: ['session', id],
    queryFn: ({ signal }) => call(ReadSession, {}, { id, signal }),
  })
}

export function useLogSession() {
  return useMutation({
    mutationFn: ({ input, idempotencyKey }: { input: InputOf<typeof LogSession>; idempotencyKey: string }) =>
      call(LogSession, input, { idempotencyKey, timeoutMs: LOG_TIMEOUT_MS }),
    onSuccess: (session) => {
      // Added to the cache, so that the next form has the session even if the list can't be reloaded.
      queryClient.setQueryData(
        recentSessionsQuery().queryKey,
        (recent) => recent && { ...recent, sessions: [session, ...recent.sessions] },
      )
      return queryClient.invalidateQueries()
    },
  })
}

/** Logs several sessions. If one fails, none are logged. */
/** An idempotency key for each request, the same if it's sent again. */
export function useKeys(): (request: string) => string {
  const keys = useRef(new Map<string, string>())
  return (request) => {
    const key = keys.current.get(request) ?? newId()
    keys.current.set(request, key)
    return key
  }
}

export function useLogSessions() {
  return useMutation({
    mutationFn: ({
      inputs,
      sharesOnePrice = false,
      idempotencyKey,
    }: {
      inputs: InputOf<typeof LogSession>[]
      sharesOnePrice?: boolean
      idempotencyKey: string
    }) =>
      call(
        LogSessions,
        { sessions: inputs, ...(sharesOnePrice ? { shares_one_price: true } : {}) },
        { idempotencyKey, timeoutMs: LOG_TIMEOUT_MS },
      ),
    onSuccess: () => queryClient.invalidateQueries(),
  })
}

export function useUpdateSession() {
  return useMutation({
    mutationFn: ({ session, input }: { session: Session; input: InputOf<typeof UpdateSession> }) =>
      call(UpdateSession, input, { id: session.id, version: session.version }),
    onSuccess: () => queryClient.invalidateQueries(),
  })
}

/** A session's history, which is the same for both sides. */
export function useHistory(sessionId: string) {
  return useQuery({
    queryKey: ['history', sessionId],
    queryFn: ({ signal }) => call(ReadHistory, {}, { id: sessionId, signal }),
  })
}

/**
 * Sessions that the other side sent back and this side hasn't answered yet.
 * @param isWanted false to skip loading
 */
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

/**
 * All shared sessions, or only those waiting for the reader's confirmation.
 * @param isWanted false to skip loading
 */
export function useShared(which: 'waiting' | 'all', isWanted = true) {
  return useQuery({
    queryKey: ['confirmations', which],
    enabled: isWanted,
    queryFn: ({ signal }) => call(ListShared, which === 'waiting' ? { waiting: 'true' } : {}, { signal }),
  })
}

/** The calls that answer about a session. */
export const sessionAnswers = callsOf({
  confirm: ConfirmSession,
  withdraw: WithdrawConfirmation,
  dispute: DisputeSession,
  accept: AcceptSession,
  keep: KeepSession,
  remove: DeleteSession,
})

/** Confirms several sessions at once. Those that have changed since the reader saw them aren't confirmed. */
export function confirmSessions(sessions: readonly Seen[]) {
  return refreshed(call(ConfirmSessions, { sessions: sessions.map(({ id, version }) => ({ id, version })) }))
}

/**
 * Deletes several sessions, or asks the other side about those that need its consent. Stops at the first that
 * fails.
 */
export async function deleteSeveral(
  sessions: readonly Pick<Session, 'id'>[],
): Promise<{ deleted: number; asked: number; error?: unknown }> {
  const done = { deleted: 0, asked: 0 }
  try {
    for (const { id } of sessions) {
      const answer = await call(DeleteSession, {}, { id })
      done[answer ? 'asked' : 'deleted'] += 1
    }
    return done
  } catch (error) {
    return { ...done, error }
  }
}

/** Confirms a session and saves what's written about it. */
export function confirmWithWords({ id, version }: Seen, words: LessonWords) {
  return refreshed(call(ConfirmSession, { ...words }, { id, version }))
}

/** A session as the lists of shared ones have it, or as it is in the reader's log. */
type AnsweredSession = Seen &
  Pick<Session, 'date' | 'student_name' | 'own_confirmation' | 'deletion_asked_by'> &
  ({ other_name: string | null } | { tutor_name: string | null })

/** What a session is called when answering it. */
export function sessionKind(reader: Side): AnsweredKind<AnsweredSession> {
  const otherOf = (session: AnsweredSession) =>
    otherSide(reader, 'other_name' in session ? session.other_name : session.tutor_name)
  return {
    calls: sessionAnswers,
    confirmAll: confirmSessions,
    nameOf: sessionName,
    confirmed: ({ length }) => (length === 1 ? 'Session confirmed' : `${length} sessions confirmed`),
    changed: [
      'Session changed',
      `${capital(otherSide(reader))} changed a session while you had it open. Please check it again.`,
    ],
    kept: ['Session kept', 'It stays in both logs.'],
    deleted: 'Session deleted successfully',
    accepted: 'Accepted',
    failed: {
      confirm: 'Nothing was confirmed. The session may have changed. Please check it again.',
      withdraw: 'Failed to undo',
      accept: 'Nothing was accepted. The session may have changed. Please check it again.',
      keep: "Your answer couldn't be saved. Please check the session again.",
      remove: 'Failed to delete session',
    },
    deletionWords(session) {
      const other = capital(otherOf(session))
      return session.deletion_asked_by === 'other'
        ? {
            title: 'Agree to delete',
            text: `${other} asked to delete this session. It will be deleted from both logs for good.`,
          }
        : {
            title: 'Delete From Your Log',
            text: `${other} hasn’t answered. The session will be deleted from your log for good. ${other} will keep a copy.`,
          }
    },
  }
}

/** The fields a user fills in that can be carried over to the other side's session. */
export type Typed = Pick<
  InputOf<typeof LogSession>,
  'duration' | 'hourly_rate' | 'subject' | 'start_time' | WordsField | 'notes'
>

/**
 * Confirms the other side's session instead of logging another. If the facts you entered differ, saves them,
 * and the other side has to confirm again. Also adds your private notes, and your lesson summary and so on
 * below the other side's. Adds your subject and start time if the session has none. Throws CallFailed, with code
 * 'changed' if the session has changed since you saw it.
 */
export function confirmAsSame(
  theirs: SharedSession,
  typed: Typed,
  keeps: 'theirs' | 'typed',
): Promise<unknown> {
  const { id, version } = theirs
  const changes = {
    ...(keeps === 'typed' ? { duration: typed.duration } : {}),
    ...(keeps === 'typed' && typed.hourly_rate != null ? { hourly_rate: typed.hourly_rate } : {}),
    ...(typed.subject && !theirs.subject ? { subject: typed.subject } : {}),
    ...(typed.start_time && !theirs.start_time ? { start_time: typed.start_time } : {}),
    ...wordsTogether(theirs, typed),
    ...(typed.notes ? { notes: typed.notes } : {}),
  }
  const take = async () => {
    const seenAs =
      Object.keys(changes).length > 0 ? await call(UpdateSession, changes, { id, version }) : theirs
    return call(ConfirmSession, {}, { id, version: seenAs.version })
  }
  return refreshed(take())
}

/** What's written about the lesson, the reader's below the other side's. Empty if nothing changes. */
function wordsTogether(theirs: SharedSession, typed: Typed): LessonWords {
  const words: LessonWords = {}
  for (const field of WORDS_FIELDS) {
    const joined = joinedWords(theirs[field], typed[field]?.trim())
    if (joined !== undefined && joined !== theirs[field]) words[field] = joined
  }
  return words
}

/** A session as shown in its row, or just its id. */
export type ShownSession = Session | SharedSession | NamedSession | Pick<Session, 'id'>

/** Opens a session on top of the page; provided by SessionOpener. */
export const OpenSession = createContext<((session: ShownSession) => void) | undefined>(undefined)

/** Opens the question whether to ask the other side to delete a session; provided by SessionOpener. */
export const AskDeletion = createContext<(session: Session) => void>(() => undefined)

/** The query parameter in links to a session. */
export const SESSION_PARAMETER = 'session'

/** A link to a session. Opens the page for its month, with the session on top. */
export function sessionAddress({ id, date }: Pick<Session, 'id' | 'date'>): string {
  return `${paths.summary}?${new URLSearchParams({ month: date.slice(0, 7), [SESSION_PARAMETER]: id }).toString()}`
}

/** The session fields that rows on other pages provide. */
type NamedSession = Pick<Session, 'id' | 'date' | 'student_name'>

/**
 * Returns the link that opens a session from its row. Undefined outside the app's layout, for example on the
 * emailed page.
 */
export function useSessionLink(): (session: Session | SharedSession | NamedSession) => RowLink | undefined {
  const open = useContext(OpenSession)
  return (session) =>
    open && {
      href: sessionAddress(session),
      label: sessionName(session),
      onOpen: () => open(session),
    }
}
