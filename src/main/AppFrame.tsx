import { ChartColumn, CirclePlus, GraduationCap, House, NotebookText, Users } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { displayName, initials } from '#features/accounts/account.ts'
import { readLogin, signOut, switchWorkspace, useMe } from '#features/accounts/client.web.ts'
import { watchChanges } from '#features/notices/client.web.ts'
import { type RateChange, whenRateChanged } from '#features/people/client.web.ts'
import { SessionOpener } from '#features/sessions/SessionOpener.tsx'
import { paths } from '#features/site/paths.ts'
import { useWorkspaces } from '#features/workspaces/client.web.ts'
import { helperName, nameOf, titleOf, titlesOf } from '#features/workspaces/naming.ts'
import type { Workspace } from '#features/workspaces/workspace.ts'
import { whenUnpaid, problemTitle } from '#platform/api.web.ts'
import { queryClient } from '#platform/query.web.ts'
import { useIsReachable } from '#platform/connectivity.web.ts'
import { AppShell } from '#platform/ui/AppShell.tsx'
import { whenClear } from '#platform/ui/back-gesture.web.ts'
import { late } from '#platform/ui/late.tsx'
import { CurrencyContext } from '#platform/ui/money.web.ts'
import { PlaceContext } from '#platform/ui/place.web.ts'
import { usePagePlace } from '#platform/ui/scroll.web.ts'
import { useToast } from '#platform/ui/Toast.tsx'
import { OfflineLine } from './OfflineLine.tsx'
import { obstacleTo } from './page-rights.ts'
import { ProofQuestion } from './ProofQuestion.tsx'
import { useReader } from './reader.web.ts'

const LeaveDialog = late(async () => (await import('./LeaveDialog.tsx')).LeaveDialog)
const Keyboard = late(async () => (await import('./Keyboard.tsx')).Keyboard)
const ClosedMonth = late(async () => (await import('./ClosedMonth.tsx')).ClosedMonth)
const RepriceDialog = late(async () => (await import('#features/sessions/RepriceDialog.tsx')).RepriceDialog)
const PlanBanner = late(async () => (await import('#features/billing/PlanBanner.tsx')).default)

const MODIFIERS = new Set(['Control', 'Meta', 'Shift', 'Alt'])
const PLAN_BANNER_MS = 8 * 86_400_000

/** Bottom navigation by role, at most five items; none for admins (docs/product.md, App shell). */
const NAV = {
  parent: [
    { to: paths.dashboard, label: 'Dashboard', Icon: House },
    { to: paths.addSession, label: 'Add Session', Icon: CirclePlus },
    { to: paths.tutors, label: 'Tutors', Icon: GraduationCap },
    { to: paths.children, label: 'Children', Icon: Users },
    { to: paths.summary, label: 'Summary', Icon: ChartColumn },
  ],
  tutor: [
    { to: paths.dashboard, label: 'Dashboard', Icon: House },
    { to: paths.addSession, label: 'Add Session', Icon: CirclePlus },
    { to: paths.students, label: 'Students', Icon: Users },
    { to: paths.summary, label: 'Summary', Icon: ChartColumn },
  ],
  admin: [],
}

/** The maximum time to wait for the browser to become idle. By then, the first screen has requested its data. */
const START_WITHIN_MS = 2000

/**
 * Loads the workspace menu when it's opened. For people with more than one workspace, also returns the
 * current workspace's name. If loading fails, the menu stays as it was.
 */
function usePlaces() {
  const me = useMe()
  const toast = useToast()
  const [isOpen, setIsOpen] = useState(false)
  const { workspace } = me
  const hasSeveral = workspace?.is_only === false
  const { data } = useWorkspaces(isOpen || hasSeveral)
  const workspaces = data ?? []
  const titles = titlesOf(workspaces)
  const at = workspaces.findIndex(({ id }) => id === workspace?.id)
  // The titles in the list distinguish workspaces that have the same name. Until the list has loaded, use the
  // name that came with the login.
  const place = hasSeveral ? (titles[at] ?? titleOf(workspace)) : undefined
  const choose = async (workspace: Workspace) => {
    // Wait until the closing menu has removed its history entry, because switching navigates to the
    // dashboard.
    await whenClear()
    try {
      await switchWorkspace(workspace.id)
      toast.success(`Switched to ${nameOf(workspace)}`)
    } catch (error) {
      toast.error('Error', problemTitle(error, 'An unexpected error occurred'))
    }
  }
  const menu = {
    onMenuToggle: setIsOpen,
    menuPlaces: workspaces.map((workspace, place) => ({
      id: workspace.id,
      label: titles[place] ?? '',
      isCurrent: workspace.id === me.workspace?.id,
      run: () => void choose(workspace),
    })),
  }
  return { menu, place }
}

/** The frame around every signed-in screen: navigation, account menu and banners. */
export function AppFrame({ children }: { children: ReactNode }) {
  const me = useMe()
  const { pathname } = useLocation()
  const toast = useToast()
  const reader = useReader()
  const places = usePlaces()
  const isReachable = useIsReachable()
  const [waitingCount, setWaitingCount] = useState(0)
  const [firstKey, setFirstKey] = useState<KeyboardEvent>()
  const [isFinding, setIsFinding] = useState(false)
  const [rateChange, setRateChange] = useState<RateChange>()
  const role = me.role ?? 'admin'
  const navigate = useNavigate()
  // Kept in refs, so that a reloaded profile or another page doesn't restart the effect below.
  const newest = useRef(me)
  const goTo = useRef(navigate)
  useEffect(() => {
    newest.current = me
    goTo.current = navigate
  }, [me, navigate])

  useEffect(() => watchChanges(() => void readLogin()), [])
  usePagePlace()
  useEffect(() => whenRateChanged(setRateChange), [])

  // Loads the plan only near the end of the trial or after the server refused a change. Nothing uses it at
  // any other time.
  const [isRefused, setIsRefused] = useState(false)
  useEffect(
    () =>
      whenUnpaid(() => {
        setIsRefused(true)
        void queryClient.invalidateQueries({ queryKey: ['plan'] })
      }),
    [],
  )
  const mayChoosePlan = !me.workspace || me.workspace.role === 'owner'
  const asksForPlan =
    mayChoosePlan &&
    pathname !== paths.account &&
    (isRefused || Date.parse(me.trial_ends_at) - Date.now() < PLAN_BANNER_MS)

  // Loads the shortcuts on the first key press. Most phones have no keyboard and never need them.
  useEffect(() => {
    if (firstKey) return
    const take = (event: KeyboardEvent) => {
      // Ignore modifier keys on their own. Holding down Ctrl isn't a shortcut yet, and loading the shortcuts
      // at that point would lose the K in Ctrl K.
      if (MODIFIERS.has(event.key)) return
      // Blocks the browser's own Ctrl K while the shortcuts load.
      if (event.key === 'k' && (event.ctrlKey || event.metaKey)) event.preventDefault()
      setFirstKey(event)
    }
    addEventListener('keydown', take)
    return () => removeEventListener('keydown', take)
  }, [firstKey])

  // Starts offline support only after the first paint.
  useEffect(() => {
    let stop: (() => void) | undefined
    let isGone = false
    const start = async () => {
      const { startDevice } = await import('./device.web.ts')
      if (!isGone) stop = startDevice(newest.current, toast, (path) => void goTo.current(path))
    }
    // Safari has no requestIdleCallback.
    if ('requestIdleCallback' in globalThis)
      requestIdleCallback(() => void start(), { timeout: START_WITHIN_MS })
    else setTimeout(() => void start(), START_WITHIN_MS)
    return () => {
      isGone = true
      stop?.()
    }
  }, [me.id, toast])

  const leave = async () => {
    // Signing out must work even if the script or the device's storage fails.
    const count = await import('#features/sessions/waiting.web.ts')
      .then(({ countWaiting }) => countWaiting(me.id))
      .catch(() => 0)
    if (count > 0) setWaitingCount(count)
    else void signOut()
  }
  const seesPayments = me.role !== 'admin' && !obstacleTo(paths.payments, reader)
  const menuItems = [
    ...(me.role === 'admin' ? [{ label: 'Administration', to: paths.admin }] : []),
    ...(seesPayments ? [{ label: 'Payments', to: paths.payments }] : []),
    { label: 'Account settings', to: paths.account },
    { label: 'Invite Friends', to: paths.inviteFriends },
    { label: 'Sign Out', run: () => void leave() },
  ]
  return (
    <AppShell
      homeTo={paths.dashboard}
      role={role}
      roleName={helperName(me.workspace?.role)}
      displayName={displayName(me)}
      initials={initials(me)}
      navItems={NAV[role]
        .filter(({ to }) => !obstacleTo(to, reader))
        .map((item) =>
          item.to === paths.summary && !me.can_see_amounts
            ? { ...item, label: 'Sessions', Icon: NotebookText }
            : item,
        )}
      menuItems={menuItems}
      workspaceName={places.place}
      onFind={() => setIsFinding(true)}
      {...places.menu}
    >
      {!isReachable && <OfflineLine />}
      {asksForPlan && <PlanBanner />}
      {(firstKey || isFinding) && (
        <Keyboard firstKey={firstKey} isFinding={isFinding} onFind={setIsFinding} />
      )}
      <ClosedMonth />
      <ProofQuestion />
      <PlaceContext value={places.place}>
        <CurrencyContext value={me.currency}>
          <SessionOpener>{children}</SessionOpener>
          {rateChange && (
            <RepriceDialog
              key={`${rateChange.person.id} ${rateChange.person.version}`}
              change={rateChange}
              onClose={() => setRateChange(undefined)}
            />
          )}
        </CurrencyContext>
      </PlaceContext>
      {waitingCount > 0 && (
        <LeaveDialog userId={me.id} count={waitingCount} onStay={() => setWaitingCount(0)} />
      )}
    </AppShell>
  )
}
