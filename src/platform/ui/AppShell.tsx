import { ChevronsUpDown } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { Link, NavLink } from 'react-router'
import { AccountMenu, type AccountMenuItem } from './AccountMenu.tsx'
import { Avatar, type BadgeRole, RoleBadge } from './Badge.tsx'
import { Logo } from './Logo.tsx'

export interface NavItem {
  to: string
  label: string
  /** A lucide icon. */
  icon: ReactNode
}

export interface AppShellProps {
  /** Where the logo leads. */
  homeTo: string
  /** Empty for people without pages of their own: they get the header only, at every width. */
  navItems: readonly NavItem[]
  role: BadgeRole | null
  displayName: string
  initials: string
  menuItems: readonly AccountMenuItem[]
  children: ReactNode
}

/** The frame of every signed-in page: header and bottom bar up to 1023 px, a rail at the left from 1024 px. */
export function AppShell({ homeTo, navItems, role, displayName, initials, menuItems, children }: AppShellProps) {
  useRoleColour(role)
  const hasNav = navItems.length > 0
  const logo = <Link to={homeTo} className="brand" aria-label="Tutorlog, go to dashboard"><Logo /></Link>
  const menu = { displayName, role, items: menuItems }
  return (
    <div className={hasNav ? 'app' : 'app-plain'}>
      <a href="#main" className="skip">Skip to main content</a>
      <header className="hdr">
        {logo}
        <AccountMenu {...menu} trigger={<button type="button" className="ib" aria-label="Account menu"><Avatar initials={initials} /></button>} />
      </header>
      <main className="main" id="main" tabIndex={-1}>{children}</main>
      {hasNav && (
        <nav className="nav" aria-label="Main">
          <div className="max-lg:hidden">{logo}</div>
          <ul>
            {navItems.map(({ to, label, icon }) => (
              <li key={to}><NavLink to={to} end={to === homeTo}><span className="pill">{icon}</span>{label}</NavLink></li>
            ))}
          </ul>
          <AccountMenu
            {...menu}
            trigger={
              <button type="button" className="nav-account" aria-label={`Account menu, ${displayName}`}>
                <Avatar initials={initials} />
                <span className="min-w-0 flex-1 leading-tight">
                  <span className="block truncate text-[.9375rem] font-semibold">{displayName}</span>
                  {role && <RoleBadge role={role} className="mt-1 min-h-0" />}
                </span>
                <ChevronsUpDown className="size-5 flex-none text-ink-3" aria-hidden="true" />
              </button>
            }
          />
        </nav>
      )}
    </div>
  )
}

// The role stands on <body> and not on the shell, because dialogs and toasts open outside of the shell.
function useRoleColour(role: BadgeRole | null): void {
  useEffect(() => {
    if (!role) return
    document.body.dataset.role = role
    return () => { delete document.body.dataset.role }
  }, [role])
}
