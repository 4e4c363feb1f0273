import { priceInShort } from '#features/prices/price.ts'
import { useEffect, useRef, useState } from 'react'
import { useSeesAmounts, useSide } from '#features/accounts/client.web.ts'
import { type CalendarDay, formatDay } from '#kernel/calendar-day.ts'
import { hoursInWords } from '#kernel/duration.ts'
import { inOneLine } from '#kernel/isolate.ts'
import { CallFailed } from '#platform/api.web.ts'
import { Button } from '#platform/ui/Button.tsx'
import { ListRetry } from '#platform/ui/ListField.tsx'
import { Notice } from '#platform/ui/Notice.tsx'
import { useToast } from '#platform/ui/Toast.tsx'
import { confirmAsSame, type Typed, useShared } from './client.web.ts'
import type { SharedSession } from './confirmation.ts'
import { canJoinWords, eachWords, LONGEST_WORDS } from './lesson-words.ts'
import { sameDayOf, saysTheSame } from './same-lesson.ts'
import { sessionStart, SessionWords } from './SessionRow.tsx'
import { capital, otherSide } from './standing-text.ts'

interface SameLessonProps {
  date: string
  /** The student's and the tutor's names in this side's log. */
  student: string
  tutor: string
  typed: Typed
  /** Called when the user picks the other side's session. In that case, nothing needs to be sent. */
  onSame: () => void
  /** Called when it's a different lesson, which should be logged too. */
  onAnother: () => void
  isBusy?: boolean
  /** Whether to move focus here because it appeared after a button press. */
  isAnswer?: boolean
}

/** Asks whether this is the same lesson that the other side logged that day. */
export function SameLesson({ isAnswer, isBusy, onAnother, ...lesson }: SameLessonProps) {
  const reader = useSide()
  const seesAmounts = useSeesAmounts()
  const waiting = useShared('waiting', seesAmounts)
  const [taken, setTaken] = useState<string>()
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!isAnswer) return
    place.current?.focus({ preventScroll: true })
    place.current?.scrollIntoView({ block: 'nearest' })
  }, [isAnswer])
  // Refetched because the cached list may not include the session the server just found.
  const { refetch } = waiting
  useEffect(() => {
    if (seesAmounts) void refetch()
  }, [refetch, seesAmounts])
  const theirs = sameDayOf(waiting.data?.sessions ?? [], lesson)
  const isLoading = waiting.isFetching && theirs.length === 0
  const day = formatDay(lesson.date as CalendarDay, { weekday: 'short', month: 'short', day: 'numeric' })
  const who = otherSide(reader, theirs[0]?.other_name)
  return (
    <div ref={place} tabIndex={-1} role="group" aria-label="Same lesson?" className="col-span-full">
      <Notice>
        <p className="font-semibold">Same lesson?</p>
        {!seesAmounts && (
          <p className="mt-0.5">The tutor logged a lesson on {day}. A parent can confirm it.</p>
        )}
        {isLoading && <p role="status">Loading what was logged...</p>}
        {seesAmounts && <ListRetry list={waiting} plural="sessions to confirm" />}
        {waiting.isSuccess && !isLoading && (
          <p className="mt-0.5">
            {theirs.length > 0
              ? `On ${day}, ${who} logged:`
              : `What ${who} logged on ${day} is no longer waiting for you.`}
          </p>
        )}
        <ul>
          {theirs.map((session) => (
            <Theirs
              key={session.id}
              session={session}
              who={who}
              lesson={lesson}
              taken={taken}
              onTake={setTaken}
            />
          ))}
        </ul>
        <Button
          tone="secondary"
          size="small"
          className="mt-3"
          busy={isBusy}
          busyText="Adding..."
          onClick={onAnother}
        >
          {theirs.length > 0 || isLoading || !waiting.isSuccess ? 'No, log another' : 'Log it'}
        </Button>
      </Notice>
    </div>
  )
}

interface TheirsProps {
  session: SharedSession
  who: string
  lesson: Pick<SameLessonProps, 'typed' | 'onSame'>
  /** The id of the session with a request in progress. */
  taken: string | undefined
  onTake: (id: string | undefined) => void
}

/** A session the other side logged, with a button to mark it as the same lesson. */
function Theirs({ session, who, lesson: { typed, onSame }, taken, onTake }: TheirsProps) {
  const toast = useToast()
  const [problem, setProblem] = useState<string>()
  const take = async (keeps: 'theirs' | 'typed') => {
    if (taken) return
    const written = eachWords((field) => typed[field]?.trim() ?? null)
    if (!canJoinWords(session, written))
      return setProblem(
        `Together, you and ${who} wrote more than ${LONGEST_WORDS} characters. Please shorten your text.`,
      )
    onTake(session.id)
    setProblem(undefined)
    try {
      await confirmAsSame(session, typed, keeps)
      toast.success(
        'Session confirmed',
        keeps === 'theirs'
          ? `You and ${who} agree.`
          : `Saved as you typed it. ${capital(who)} will be asked to confirm.`,
      )
      onSame()
    } catch (error) {
      setProblem(
        error instanceof CallFailed
          ? error.problem.title
          : 'Nothing was confirmed. What you typed is still here.',
      )
    } finally {
      onTake(undefined)
    }
  }
  const button = (keeps: 'theirs' | 'typed', words: string) => (
    <Button
      tone="secondary"
      size="small"
      busy={taken === session.id}
      busyText="Confirming..."
      onClick={() => void take(keeps)}
    >
      {words}
    </Button>
  )
  return (
    <li className="mt-1.5">
      <p className="num">
        {inOneLine([
          session.student_name,
          session.subject,
          sessionStart(session),
          hoursInWords(session.duration),
          priceInShort(session, session.currency),
        ])}
      </p>
      <SessionWords session={session} />
      <div className="mt-2 flex flex-wrap gap-2">
        {saysTheSame(session, typed) ? (
          button('theirs', 'Yes, same lesson')
        ) : (
          <>
            {button('theirs', `Yes, as ${who} logged it`)}
            {button('typed', 'Yes, as I typed it')}
          </>
        )}
      </div>
      {problem && (
        <p role="alert" className="err mt-2">
          {problem}
        </p>
      )}
    </li>
  )
}
