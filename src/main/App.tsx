import { QueryClientProvider } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useEffect, useRef } from 'react'
import { Navigate, Route, Routes, useLocation, useNavigate } from 'react-router'
import { placeOf, takeRemoval, useLogin, useMe, whenLeaving } from '#features/accounts/client.web.ts'
import { Gate } from '#features/accounts/Gate.tsx'
import { LookOnly } from '#features/site/LookOnly.tsx'
import { NoPermission } from '#features/site/NoPermission.tsx'
import type { StatementOf } from '#features/summary/SummaryPage.tsx'
import { paths } from '#features/site/paths.ts'
import { useOwnTutor } from '#features/tutors/client.web.ts'
import { queryClient } from '#platform/query.web.ts'
import { writeForPerson } from '#platform/region.web.ts'
import { late } from '#platform/ui/late.tsx'
import { forgetPlaces } from '#platform/ui/scroll.web.ts'
import { useToast } from '#platform/ui/Toast.tsx'
import './app.css'
import { AppFrame } from './AppFrame.tsx'
import { LoadBoundary } from './LoadBoundary.tsx'
import { obstacleTo } from './page-rights.ts'
import { useReader } from './reader.web.ts'

const DashboardPage = lazy(() => import('#features/dashboard/DashboardPage.tsx'))
const ChildrenPage = lazy(async () => {
  const [{ default: Page }, { useAfterDeleting }, { ChildLines }] = await Promise.all([
    import('#features/students/ChildrenPage.tsx'),
    import('#features/connections/client.web.ts'),
    import('#features/person/CardLines.tsx'),
  ])
  return { default: () => <Page Lines={ChildLines} useAfter={() => useAfterDeleting().child} /> }
})
// The connections and person features import tutors and students, never the other way around, so the lists get
// what those features show as props.
const TutorsPage = lazy(async () => {
  const [
    { default: Page },
    { TutorConnectionSection, useTutorActions },
    { TutorAsk },
    { useAfterDeleting, useConnections },
    { TutorLines },
  ] = await Promise.all([
    import('#features/tutors/TutorsPage.tsx'),
    import('#features/connections/TutorConnectionSection.tsx'),
    import('#features/connections/OfferCard.tsx'),
    import('#features/connections/client.web.ts'),
    import('#features/person/CardLines.tsx'),
  ])
  const useAfter = () => useAfterDeleting().tutor
  function Tutors() {
    const { isLoading, isFetched } = useConnections()
    return (
      <Page
        Connection={TutorConnectionSection}
        Lines={TutorLines}
        useActions={useTutorActions}
        Offer={TutorAsk}
        isLoading={isLoading && !isFetched}
        useAfter={useAfter}
      />
    )
  }
  return { default: Tutors }
})
const AddSessionScreen = lazy(() => import('./AddSessionScreen.tsx'))
const StudentsPage = lazy(async () => {
  const [
    { default: Page },
    { StudentConnectionSection, useStudentActions },
    { useAfterDeleting, useConnections },
    { StudentLines },
  ] = await Promise.all([
    import('#features/students/StudentsPage.tsx'),
    import('#features/connections/StudentConnectionSection.tsx'),
    import('#features/connections/client.web.ts'),
    import('#features/person/CardLines.tsx'),
  ])
  const useAfter = () => useAfterDeleting().student
  function Students() {
    const { isLoading, isFetched } = useConnections()
    return (
      <Page
        Connection={StudentConnectionSection}
        Lines={StudentLines}
        useActions={useStudentActions}
        isLoading={isLoading && !isFetched}
        useAfter={useAfter}
      />
    )
  }
  return { default: Students }
})
const PersonPage = lazy(() => import('#features/person/PersonPage.tsx'))
const SchedulesPage = lazy(() => import('#features/schedules/SchedulesPage.tsx'))
const OwnRateCard = lazy(async () => ({
  default: (await import('#features/tutors/OwnRateCard.tsx')).OwnRateCard,
}))
const SessionsPage = lazy(() => import('#features/sessions/SessionsPage.tsx'))
const SummaryScreen = lazy(() => import('./SummaryScreen.tsx'))
const AccountPage = lazy(() => import('#features/settings/AccountPage.tsx'))
const AdminPage = lazy(() => import('#features/admin/AdminPage.tsx'))
const YearPage = lazy(() => import('#features/summary/YearPage.tsx'))
const TaxPage = lazy(() => import('#features/months/TaxPage.tsx'))
const ImportPage = lazy(() => import('#features/imports/ImportPage.tsx'))
const PaymentsScreen = lazy(() => import('./PaymentsScreen.tsx'))
const ToConfirmScreen = lazy(() => import('./ToConfirmScreen.tsx'))
const PairsPage = lazy(() => import('#features/connections/PairsPage.tsx'))
const InviteFriendsPage = lazy(() => import('#features/referrals/InviteFriendsPage.tsx'))
const JoinPage = lazy(() => import('#features/accounts/JoinPage.tsx'))
const OptOutPage = lazy(() => import('#features/referrals/OptOutPage.tsx'))
const OtherPlace = lazy(() => import('./OtherPlace.tsx'))
const NotFoundPage = lazy(() => import('#features/site/NotFoundPage.tsx'))

const PapersPage = lazy(() => import('#features/papers/PapersPage.tsx'))
const MonthsPage = lazy(() => import('#features/months/MonthsPage.tsx'))
const StatementDialog = late(
  async () => (await import('#features/months/StatementDialog.tsx')).StatementDialog,
)
// The months feature imports summary, never the other way around, so the summary pages get the statement dialog as a
// prop.
const statement: StatementOf = (props) => <StatementDialog {...props} />
// The "to confirm" page is passed this download as a prop for the same reason.
const signedAsTutor = async (connectionId: string, month: string) =>
  (await import('#features/months/client.web.ts')).downloadSignedAsTutor(connectionId, month)

writeForPerson()

/** The page to open after a workspace switch; undefined for the dashboard. */
let arrivesAt: string | undefined

// Clears the caches, because the next user or workspace must not see the previous one's data.
whenLeaving(() => {
  queryClient.clear()
  forgetPlaces()
})

/** The screen for each path, shown to people who are signed in and allowed to open it. */
const SCREENS: readonly { path: string; screen: ReactNode }[] = [
  { path: paths.dashboard, screen: <DashboardPage /> },
  { path: paths.tutorDashboard, screen: <Navigate to={paths.dashboard} replace /> },
  { path: paths.addSession, screen: <AddSessionScreen ownRate={<OwnRate />} /> },
  { path: paths.summary, screen: <MonthPage /> },
  { path: paths.year, screen: <YearPage statement={statement} /> },
  { path: paths.taxes, screen: <TaxPage /> },
  { path: paths.months, screen: <MonthsPage /> },
  { path: paths.papers, screen: <PapersPage /> },
  { path: paths.importSessions, screen: <ImportPage /> },
  { path: paths.payments, screen: <PaymentsScreen /> },
  { path: paths.tutors, screen: <TutorsPage /> },
  { path: paths.children, screen: <ChildrenPage /> },
  { path: paths.students, screen: <StudentsPage /> },
  { path: paths.tutor, screen: <PersonPage kind="tutor" /> },
  { path: paths.child, screen: <PersonPage kind="child" /> },
  { path: paths.student, screen: <PersonPage kind="student" /> },
  { path: paths.schedules, screen: <SchedulesPage /> },
  { path: paths.toConfirm, screen: <ToConfirmScreen statement={signedAsTutor} /> },
  { path: paths.sameLessons, screen: <PairsPage /> },
  { path: paths.account, screen: <AccountPage /> },
  { path: paths.admin, screen: <AdminPage /> },
  { path: paths.inviteFriends, screen: <InviteFriendsPage /> },
]

/** The signed-in part of the app; everything here requires a login. */
export default function App() {
  useArrival(placeOf(useLogin()))
  return (
    <QueryClientProvider client={queryClient}>
      <LoadBoundary>
        <Suspense fallback={null}>
          <Routes>
            {SCREENS.map(({ path, screen }) => (
              <Route key={path} path={path} element={<Screen path={path}>{screen}</Screen>} />
            ))}
            <Route path={paths.join} element={<JoinPage />} />
            <Route path={paths.optOut} element={<OptOutPage />} />
            <Route path="*" element={<NotFoundPage />} />
          </Routes>
        </Suspense>
      </LoadBoundary>
    </QueryClientProvider>
  )
}

/**
 * Opens the dashboard when the workspace or the member's rights change, and shows a message to a member who
 * has been removed.
 */
function useArrival(place: string | undefined): void {
  const navigate = useNavigate()
  const toast = useToast()
  const before = useRef<string>(undefined)
  useEffect(() => {
    if (!place) return
    const [account] = place.split(' ')
    const [formerAccount, formerWorkspace] = before.current?.split(' ') ?? []
    if (before.current !== place && account === formerAccount && formerWorkspace)
      void navigate(arrivesAt ?? paths.dashboard, { replace: true })
    arrivesAt = undefined
    before.current = place
    if (takeRemoval()) toast.error('You are no longer a member of that workspace.')
  }, [place, navigate, toast])
}

interface ScreenProps {
  path: string
  children: ReactNode
}

function Screen({ path, children }: ScreenProps) {
  // Keyed by workspace, so that switching remounts every screen and no state carries over.
  return (
    <Gate key={placeOf(useLogin())}>
      <AppFrame>
        <LoadBoundary>
          <Suspense fallback={null}>
            <Allowed path={path}>{children}</Allowed>
          </Suspense>
        </LoadBoundary>
      </AppFrame>
    </Gate>
  )
}

/** Asks for the hourly rate that a session needs. The form for it loads only if the rate is missing. */
function OwnRate() {
  return useOwnTutor()?.hourly_rate === null && <OwnRateCard className="mt-5" />
}

/** The month summary with amounts, or only the month's sessions for a caregiver. */
function MonthPage() {
  return useMe().can_see_amounts ? <SummaryScreen statement={statement} /> : <SessionsPage />
}

function Allowed({ path, children }: ScreenProps) {
  const obstacle = obstacleTo(path, useReader())
  const { pathname } = useLocation()
  if (obstacle === 'no-permission') return <NoPermission />
  if (obstacle === 'look-only') return <LookOnly />
  if (!obstacle) return children
  return (
    <OtherPlace
      kind={obstacle.belongsTo}
      onSwitch={() => {
        arrivesAt = pathname
      }}
    />
  )
}
