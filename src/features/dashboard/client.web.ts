import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useDeferredValue, useEffect, useState } from 'react'
import { useCanAddPeople, useCanLog, useMe, useSeesAmounts } from '#features/accounts/client.web.ts'
import { UpdateMe } from '#features/accounts/profile.ts'
import { useConnections } from '#features/connections/client.web.ts'
import { timeNow } from '#features/schedules/client.web.ts'
import { recentSessionsQuery } from '#features/sessions/client.web.ts'
import { studentsQuery } from '#features/students/client.web.ts'
import { tutorsQuery } from '#features/tutors/client.web.ts'
import { dayIn, monthOf } from '#kernel/calendar-day.ts'
import { call } from '#platform/api.web.ts'
import { isComing, queryClient } from '#platform/query.web.ts'
import { type Dashboard, ReadDashboard } from './dashboard.ts'

/** The dashboard's data, or the part of it that has loaded so far. */
export interface DashboardSoFar {
  data: Dashboard | undefined
  dataUpdatedAt: number
  isFetching: boolean
}

/**
 * Returns the dashboard as plain values. A query only reports changes to properties that were read during
 * render, so if the query were passed to a screen that loads later, the screen would never get the response.
 */
export function useDashboard(): DashboardSoFar & { error: Error | null; refetch: () => unknown } {
  const today = dayIn(new Date())
  const { data, dataUpdatedAt, isFetching, error, refetch } = useQuery({
    queryKey: ['dashboard', today],
    // After midnight, yesterday's stays until today's has loaded.
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const state = await call(ReadDashboard, { today, time: timeNow() }, { signal })
      loadCards(state)
      return state
    },
  })
  return { data, dataUpdatedAt, isFetching, error, refetch }
}

/**
 * Starts loading the scripts that this dashboard's cards need. If the cards requested them one by one, each
 * request would make the dashboard render from the top again.
 */
function loadCards(state: Dashboard): void {
  if (state.has_sessions)
    for (const card of [import('./MonthCard.tsx'), import('#features/sessions/UsualList.tsx')])
      void card.catch(() => undefined)
  if (state.today.length > 0) void import('./TodaySection.tsx').catch(() => undefined)
  if (state.sessions_waiting + state.sessions_sent_back > 0)
    void import('#features/sessions/ToConfirmCard.tsx').catch(() => undefined)
}

/** What is owed, above everything else. Its code loads only if there are sessions. */
function useBalances(data: Dashboard | undefined) {
  const { has_all_students: hasAll } = useMe()
  const seesAmounts = useSeesAmounts()
  const month = monthOf(dayIn(new Date()))
  return useQuery({
    queryKey: ['balances', month],
    enabled: hasAll && seesAmounts && data?.has_sessions === true,
    queryFn: async ({ signal }) =>
      (await import('#features/payments/client.web.ts')).readBalances(month, signal),
  })
}

/**
 * The number of payments and of charges waiting for an answer. Only queried if there's someone to share them with.
 * isLoading is false if loading failed.
 */
export function usePaymentsWaiting() {
  const canAnswer = useCanAddPeople()
  const isConnected = useConnections().data?.some(({ state }) => state === 'active') === true
  const query = useQuery({
    queryKey: ['payments', 'waiting'],
    enabled: canAnswer && isConnected,
    queryFn: async ({ signal }) =>
      (await import('#features/payments/client.web.ts')).readWaitingPayments(signal),
  })
  const charges = useQuery({
    queryKey: ['charges', 'waiting'],
    enabled: canAnswer && isConnected,
    queryFn: async ({ signal }) =>
      (await import('#features/charges/client.web.ts')).readWaitingCharges(signal),
  })
  return {
    count: query.data ? query.data.payments.length + query.data.sent_back.length : 0,
    isError: query.isError,
    charges: {
      count: charges.data ? charges.data.charges.length + charges.data.sent_back.length : 0,
      isError: charges.isError,
    },
    isLoading: isComing(query) || isComing(charges),
  }
}

/**
 * Whether there's a month to show. Decided once, when the dashboard is up to date. If you then log your first
 * session, the month must not appear above the buttons and push them down.
 */
export function useHasMonth({ data, isFetching }: DashboardSoFar): boolean {
  const [decided, decide] = useState<boolean>()
  const hasMonth = data !== undefined && data.has_sessions && data.month_amounts !== null
  if (decided === undefined && data && !isFetching) decide(hasMonth)
  return decided ?? hasMonth
}

/** How long to wait for the server's response before showing the copy on this device. */
const COPY_DELAY_MS = 4000

/**
 * Returns the dashboard once everything above its buttons has loaded or failed. Anything that appeared later
 * would move the buttons out from under your thumb. Once shown, the dashboard never disappears.
 * @param isLoading whether a list on the dashboard is still loading
 */
export function useWhole(
  { data, dataUpdatedAt, isFetching }: DashboardSoFar,
  isLoading: boolean,
): Dashboard | undefined {
  const [isShown, setIsShown] = useState(false)
  const [isEarly, setIsEarly] = useState(true)
  useEffect(() => {
    const timer = setTimeout(() => setIsEarly(false), COPY_DELAY_MS)
    return () => clearTimeout(timer)
  }, [])
  const balances = useBalances(data)
  const isUsualComing = useUsualComing(data?.has_sessions === true)
  // Data older than this page comes from the device's copy and may be about to change.
  const isOld = [{ dataUpdatedAt, isFetching }, balances].some(
    (query) => query.isFetching && query.dataUpdatedAt < performance.timeOrigin,
  )
  const isAwaited = isEarly && (isUsualComing || isOld)
  if (!isShown && data && !isLoading && !isComing(balances) && !isAwaited) setIsShown(true)
  // Deferred, so that the screen doesn't change until a card's code has loaded.
  return useDeferredValue(isShown ? data : undefined)
}

/** Whether what the quick actions offer to log is loading for the first time. */
function useUsualComing(isWanted: boolean): boolean {
  const enabled = useCanLog() && isWanted
  return [
    useQuery({ ...recentSessionsQuery(), enabled }),
    useQuery({ ...studentsQuery(), enabled }),
    useQuery({ ...tutorsQuery(), enabled }),
  ].some(isComing)
}

/**
 * True if the value has been true at any time since the page opened. Used to keep content on screen, so that
 * answering an item doesn't move what's below it.
 */
export function useOnceTrue(isTrue: boolean): boolean {
  const [was, setWas] = useState(isTrue)
  if (isTrue && !was) setWas(true)
  return was || isTrue
}

/** Dismisses the checklist for good. It disappears right away, and comes back only if saving the change fails. */
export async function dismissOnboarding(): Promise<void> {
  queryClient.setQueriesData<Dashboard>(
    { queryKey: ['dashboard'] },
    (dashboard) => dashboard && { ...dashboard, onboarding_dismissed: true },
  )
  try {
    await call(UpdateMe, { onboarding_dismissed: true })
  } finally {
    await queryClient.invalidateQueries({ queryKey: ['dashboard'] })
  }
}
