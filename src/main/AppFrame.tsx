import { ChartColumn, CirclePlus, GraduationCap, House, Users } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import { displayName, initials } from '#features/accounts/account.ts'
import { signOut, useMe } from '#features/accounts/client.web.ts'
import { watchChanges } from '#features/notices/client.web.ts'
import { paths } from '#features/site/paths.ts'
import { queryClient } from '#platform/query.web.ts'
import { AppShell } from '#platform/ui/AppShell.tsx'

/** Bottom navigation by role, at most five items; none for admins (product.md, App shell). */
const NAV = {
  parent: [
    { to: paths.dashboard, label: 'Dashboard', Icon: House }, { to: paths.addSession, label: 'Add Session', Icon: CirclePlus }, { to: paths.tutors, label: 'Tutors', Icon: GraduationCap },
    { to: paths.children, label: 'Children', Icon: Users }, { to: paths.summary, label: 'Summary', Icon: ChartColumn },
  ],
  tutor: [
    { to: paths.dashboard, label: 'Dashboard', Icon: House }, { to: paths.addSession, label: 'Add Session', Icon: CirclePlus }, { to: paths.students, label: 'Students', Icon: Users },
    { to: paths.summary, label: 'Summary', Icon: ChartColumn },
  ],
  admin: [],
}

/** The shell around a signed-in screen, filled with who is signed in. */
export function AppFrame({ children }: { children: ReactNode }) {
  const me = useMe()
  const { pathname } = useLocation()
  const shown = useRef(pathname)
  const role = me.role ?? 'admin'

  useEffect(watchChanges, [])

  // A screen reader and the keyboard start a new screen at its heading.
  useEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    scrollTo(0, 0)
    const heading = document.querySelector<HTMLElement>('main h1') ?? document.querySelector<HTMLElement>('main')
    heading?.focus({ preventScroll: true })
  }, [pathname])

  const leave = () => {
    queryClient.clear()
    void signOut()
  }
  return (
    <AppShell homeTo={paths.dashboard} role={role} displayName={displayName(me)} initials={initials(me)} navItems={NAV[role]} menuItems={[{ label: 'Sign Out', run: leave }]}>
      {children}
    </AppShell>
  )
}
