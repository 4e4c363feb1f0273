import { lazy, useDeferredValue } from 'react'
import { useCanLog, useCanWrite, useSide } from '#features/accounts/client.web.ts'
import { useConnections, useConnects, useHasSeveral } from '#features/connections/client.web.ts'
import { isOverNow } from '#features/schedules/client.web.ts'
import { useSentBack, useShared } from '#features/sessions/client.web.ts'
import { byWeek } from '#features/sessions/confirmation.ts'
import { paths } from '#features/site/paths.ts'
import { dayIn } from '#kernel/calendar-day.ts'
import { ButtonLink } from '#platform/ui/Button.tsx'
import { useOnceTrue, usePaymentsWaiting } from './client.web.ts'
import type { Dashboard } from './dashboard.ts'
import { DueClasses } from './DueClasses.tsx'
import { ROOM } from './fold.ts'
import { PairsCard, RequestsCard, ScheduleQuestionsCard, SentBackCard, ToConfirmCard } from './LateCards.tsx'
import { type WaitingKind, WaitingKinds } from './WaitingKinds.tsx'

// Loaded only if there is something to answer.
const OwnRateCard = lazy(async () => ({
  default: (await import('#features/tutors/OwnRateCard.tsx')).OwnRateCard,
}))
const WaitingPaymentsCard = lazy(async () => ({
  default: (await import('#features/payments/WaitingPaymentsCard.tsx')).WaitingPaymentsCard,
}))
const WaitingChargesCard = lazy(async () => ({
  default: (await import('#features/charges/WaitingChargesCard.tsx')).WaitingChargesCard,
}))

/**
 * The number of sharing requests waiting for an answer, and whether loading them failed. The requests card
 * reports the failure.
 */
export function useRequests(): { count: number; isError: boolean } {
  const connects = useConnects()
  // isError stays true while a failed list is loading again, so that the card stays.
  const { data, isFetched } = useConnections()
  const asked = data?.filter(({ state, is_asked_by_you: isOwn }) => state === 'asked' && !isOwn)
  return { count: connects && asked ? asked.length : 0, isError: isFetched && !data }
}

interface WaitingProps {
  state: Dashboard
  /**
   * Whether the month is shown below. If so, fewer rows are shown, so that the month's total is visible
   * without scrolling.
   */
  hasMonth: boolean
  /**
   * Whether this list comes first. False if something is above it, such as the requests that parents see
   * above the first steps.
   */
  isAlone?: boolean
  /** How many of today's classes are asked about above. They aren't listed here again. */
  openToday?: number
  /** Whether requests are above the first steps, where they also ask for the rate. */
  areRequestsAbove?: boolean
}

/** Everything waiting for an answer, for both families and practices. You answer each item in its row. */
export function Waiting({
  state,
  hasMonth,
  isAlone = true,
  openToday = 0,
  areRequestsAbove = false,
}: WaitingProps) {
  const side = useSide()
  const canWrite = useCanWrite()
  const canLog = useCanLog()
  const requests = useRequestsKind()
  const answers = [
    usePairsKind(state),
    useScheduleKind(state),
    useSessionsKind(state),
    usePaymentsKind(),
    useChargesKind(),
    useSentBackKind(state),
  ]
  const today = dayIn(new Date())
  // A tutor's classes of today have a section of their own.
  const classes = side === 'tutor' ? state.due.filter(({ date }) => date < today) : state.due
  const due: WaitingKind = {
    id: 'due',
    words: ['class', 'classes'],
    count: classes.filter(isOverNow).length,
    list: (limit) => <DueClasses due={classes} limit={limit} />,
  }
  return (
    <>
      {state.needs_rate && !areRequestsAbove && <OwnRateCard isMissing className="mt-6" />}
      <WaitingKinds
        kinds={[
          ...(side === 'tutor' && !areRequestsAbove ? [requests] : []),
          ...(canWrite ? answers : []),
          ...(canLog ? [due] : []),
        ]}
        openToday={openToday}
        whenNone={<NothingToConfirm hasSchedules={state.has_schedules} />}
        room={hasMonth ? (isAlone && !state.needs_rate ? ROOM : 1) : Infinity}
      />
    </>
  )
}

function NothingToConfirm({ hasSchedules }: { hasSchedules: boolean }) {
  return (
    <>
      <p className="font-semibold">Nothing to confirm yet</p>
      <p className="mt-1 text-ink-2">
        {hasSchedules ? 'After the next class' : 'Create a schedule. After each class'}, we’ll ask you here
        whether it happened.
      </p>
      {!hasSchedules && (
        <ButtonLink tone="secondary" className="mt-3" to={`${paths.schedules}?new`}>
          Create Schedule
        </ButtonLink>
      )}
    </>
  )
}

// Deferred, so that the screen keeps its content while the code for more cards loads.

function useRequestsKind(): WaitingKind {
  const { count, isError } = useRequests()
  const isShown = useDeferredValue(isError || count > 0)
  return {
    id: 'requests',
    words: ['request', 'requests'],
    count,
    height: 2,
    list: (limit) => isShown && <RequestsCard limit={limit} />,
  }
}

function usePairsKind({ session_pairs: pairs }: Dashboard): WaitingKind {
  const isShown = useDeferredValue(pairs > 0)
  return {
    id: 'pairs',
    words: ['possible double', 'possible doubles'],
    count: Math.min(1, pairs),
    list: (limit) => isShown && limit !== 0 && <PairsCard />,
  }
}

function useScheduleKind({ schedule_questions: count }: Dashboard): WaitingKind {
  const isShown = useDeferredValue(useOnceTrue(count > 0))
  return {
    id: 'schedule-questions',
    words: ['change to your schedule', 'changes to your schedule'],
    count,
    list: (limit) => isShown && <ScheduleQuestionsCard limit={limit} />,
  }
}

function useSessionsKind({ sessions_waiting: count }: Dashboard): WaitingKind {
  const hasSeveral = useHasSeveral()
  const canWrite = useCanWrite()
  const list = useShared('waiting', canWrite && count > 0)
  const { thisWeek, earlier } = byWeek(list.data?.sessions ?? [], dayIn(new Date()))
  const isShown = useDeferredValue(useOnceTrue(canWrite && count > 0))
  return {
    id: 'to-confirm',
    words: ['session', 'sessions'],
    count: thisWeek.length + earlier.length,
    list: (limit) => isShown && <ToConfirmCard hasSeveral={hasSeveral} limit={limit} />,
  }
}

function usePaymentsKind(): WaitingKind {
  const { count, isError } = usePaymentsWaiting()
  const isShown = useDeferredValue(useOnceTrue(isError || count > 0))
  return {
    id: 'payments',
    words: ['payment', 'payments'],
    count,
    list: (limit) => isShown && <WaitingPaymentsCard limit={limit} />,
  }
}

function useChargesKind(): WaitingKind {
  const { count, isError } = usePaymentsWaiting().charges
  const isShown = useDeferredValue(useOnceTrue(isError || count > 0))
  return {
    id: 'charges',
    words: ['charge', 'charges'],
    count,
    list: (limit) => isShown && <WaitingChargesCard limit={limit} />,
  }
}

function useSentBackKind({ sessions_sent_back: count }: Dashboard): WaitingKind {
  const list = useSentBack(count > 0)
  const isShown = useDeferredValue(count > 0)
  return {
    id: 'sent-back',
    words: ['not right', 'not right'],
    count: list.data?.sessions.length ?? count,
    list: (limit) => isShown && <SentBackCard limit={limit} />,
  }
}
