import { CalendarClock, ChartColumn, GraduationCap, type LucideIcon, Mic, Plus, UserPlus } from 'lucide-react'
import { lazy } from 'react'
import { Link } from 'react-router'
import { useCanAddPeople, useCanLog, useCanWrite, useSeesAmounts } from '#features/accounts/client.web.ts'
import { paths } from '#features/site/paths.ts'
import { ButtonLink } from '#platform/ui/Button.tsx'

// Without a boundary of its own: the dashboard waits for it, so that nothing moves once it's shown.
const UsualList = lazy(() => import('#features/sessions/UsualList.tsx'))

interface Action {
  label: string
  to: string
  Icon: LucideIcon
  /** Whether the action adds a person. */
  adds?: boolean
}

const ACTIONS: Record<'parent' | 'tutor', Action[]> = {
  parent: [
    { label: 'Add New Child', to: paths.children, Icon: UserPlus, adds: true },
    { label: 'Add New Tutor', to: paths.tutors, Icon: GraduationCap, adds: true },
    { label: 'Manage Schedules', to: paths.schedules, Icon: CalendarClock },
    { label: 'View Summary', to: paths.summary, Icon: ChartColumn },
  ],
  tutor: [
    { label: 'Add New Student', to: `${paths.students}?new`, Icon: UserPlus, adds: true },
    { label: 'Create Schedule', to: `${paths.schedules}?new`, Icon: CalendarClock },
  ],
}

/** Actions for members with read-only access, and for those who can log sessions but don't see amounts. */
const looks = (seesAmounts: boolean): Action[] => [
  { label: 'View Schedules', to: paths.schedules, Icon: CalendarClock },
  { label: seesAmounts ? 'View Summary' : 'View Sessions', to: paths.summary, Icon: ChartColumn },
]

/**
 * The most common actions. Log Session is the primary button, unless the checklist or the welcome card has a
 * more urgent step.
 */
export function QuickActions({
  role,
  isLoud,
  hasSessions,
}: {
  role: 'parent' | 'tutor'
  isLoud: boolean
  hasSessions: boolean
}) {
  const tone = isLoud ? 'primary' : 'secondary'
  const canWrite = useCanWrite()
  const canAdd = useCanAddPeople()
  const canLog = useCanLog()
  const seesAmounts = useSeesAmounts()
  const actions = canWrite ? ACTIONS[role].filter(({ adds }) => canAdd || !adds) : looks(seesAmounts)
  return (
    <section className="mt-7">
      <h2 className="mb-2.5 flex min-h-11 items-center">Quick actions</h2>
      <div className="grid gap-2.5">
        {canLog && (
          <div className="grid grid-cols-[1fr_auto] gap-2.5">
            <ButtonLink size="large" tone={tone} to={paths.addSession}>
              <Plus className="i" aria-hidden="true" />
              Log Session
            </ButtonLink>
            <ButtonLink
              size="large"
              tone={tone}
              to={`${paths.addSession}?tab=voice`}
              aria-label="Log Session by voice"
            >
              <Mic className="i" aria-hidden="true" />
            </ButtonLink>
          </div>
        )}
        {canLog && hasSessions && <UsualList />}
        <div className="grid grid-cols-[repeat(auto-fit,minmax(min(max(8.75rem,22%),100%),1fr))] gap-2.5 lg:grid-cols-2">
          {actions.map(({ label, to, Icon }) => (
            <Link
              key={label}
              to={to}
              className={
                'card flex min-h-[56px] items-center gap-2 rounded-md! p-2.5 text-small leading-tight ' +
                'font-semibold tracking-[-.005em] hover:border-control'
              }
            >
              <Icon className="i shrink-0 text-accent" aria-hidden="true" />
              {label}
            </Link>
          ))}
        </div>
      </div>
    </section>
  )
}
