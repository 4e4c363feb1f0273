import { ChevronsUpDown, type LucideIcon, Search } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { Link, NavLink } from 'react-router'
import { AccountMenu, type MenuContent } from './AccountMenu.tsx'
import { Avatar, ROLE_NAMES, RoleBadge } from './Badge.tsx'
import { Logo } from './Logo.tsx'

interface AppShellProps extends MenuContent {
  homeTo: string
  role: 'parent' | 'tutor' | 'admin'
  /** The role's name, if it isn't the usual one for the role's color. */
  roleName?: string
  displayName: string
  /** The current workspace's name, for people with more than one. */
  workspaceName?: string
  initials: string
  navItems: { to: string; label: string; Icon: LucideIcon }[]
  /** Opens search. The header has a button for it. */
  onFind: () => void
  children: ReactNode
}

/** The layout around every signed-in screen: a header and bottom bar on a phone, or a left rail on a desktop. */
export function AppShell({
  homeTo,
  role,
  roleName,
  displayName,
  workspaceName,
  initials,
  navItems,
  menuItems,
  menuPlaces,
  onMenuToggle,
  onFind,
  children,
}: AppShellProps) {
  // Set on <body> because dialogs and menus open outside the shell.
  useEffect(() => {
    document.body.dataset.role = role
    return () => {
      delete document.body.dataset.role
    }
  }, [role])
  const hasNav = navItems.length > 0
  const brand = (
    <Link
      to={homeTo}
      className="flex shrink-0 min-h-11 items-center gap-2.5 rounded-md"
      aria-label="Tutorlog, go to dashboard"
    >
      <Logo />
    </Link>
  )
  const menuLook = workspaceName
    ? 'flex min-h-11 min-w-0 items-center gap-2 rounded-md pl-3 text-small font-medium text-ink-2 hover:bg-sunken'
    : 'ib'
  const menu = { role, roleName, displayName, menuItems, menuPlaces, onMenuToggle }
  return (
    <div className={hasNav ? 'app' : 'app-plain'}>
      <a href="#main" className="skip">
        Skip to content
      </a>
      {/* Comes before the content, like the desktop rail. The skip link jumps over it. */}
      <div className="rail">
        <header className="hdr">
          {brand}
          <div className="flex min-w-0 items-center">
            <button
              type="button"
              className="ib"
              aria-label="Find"
              aria-keyshortcuts="Control+K"
              title="Find"
              onClick={onFind}
            >
              <Search className="i" aria-hidden="true" />
            </button>
            <AccountMenu
              {...menu}
              className={hasNav ? `lg:hidden ${menuLook}` : menuLook}
              label={workspaceName ? `Account menu, ${workspaceName}` : 'Account menu'}
              place="header"
            >
              {workspaceName && <span className="min-w-0 truncate">{workspaceName}</span>}
              <Avatar initials={initials} />
            </AccountMenu>
          </div>
        </header>
        {hasNav && (
          <>
            <nav className="nav" aria-label="Main">
              <ul>
                {navItems.map(({ to, label, Icon }) => (
                  <li key={to}>
                    <NavLink to={to}>
                      <span className="pill">
                        <Icon className="i" aria-hidden="true" />
                      </span>
                      {label}
                    </NavLink>
                  </li>
                ))}
              </ul>
            </nav>
            <AccountMenu
              {...menu}
              className="mt-auto flex items-center gap-3 rounded-md p-2 text-left hover:bg-sunken max-lg:hidden"
              label={['Account menu', displayName, workspaceName, roleName ?? ROLE_NAMES[role]]
                .filter(Boolean)
                .join(', ')}
              place="rail"
            >
              <Avatar initials={initials} />
              <span className="min-w-0 flex-1 leading-tight">
                <span className="line-clamp-2 text-[.9375rem] font-semibold wrap-anywhere">
                  {displayName}
                </span>
                {workspaceName && (
                  <span className="mt-0.5 line-clamp-2 text-small text-ink-2 wrap-anywhere">
                    {workspaceName}
                  </span>
                )}
                <span className="mt-1 inline-block">
                  <RoleBadge role={role} name={roleName} />
                </span>
              </span>
              <ChevronsUpDown className="i text-ink-3" aria-hidden="true" />
            </AccountMenu>
          </>
        )}
      </div>
      <main className="main" id="main" tabIndex={-1} data-holder={workspaceName ?? displayName}>
        {children}
      </main>
    </div>
  )
}
