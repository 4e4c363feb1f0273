import { Menu } from '@base-ui/react/menu'
import { ChevronsUpDown, type LucideIcon } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { Link, NavLink, useNavigate } from 'react-router'
import { Avatar, RoleBadge } from './Badge.tsx'
import { Logo } from './Logo.tsx'

interface AppShellProps {
  homeTo: string
  role: 'parent' | 'tutor' | 'admin'
  displayName: string
  initials: string
  navItems: { to: string; label: string; Icon: LucideIcon }[]
  menuItems: { label: string; to?: string; run?: () => void }[]
  children: ReactNode
}

/** The frame of every signed-in screen: header and bottom bar on a phone, a rail at the left on a desktop. */
export function AppShell({ homeTo, role, displayName, initials, navItems, menuItems, children }: AppShellProps) {
  // The role's colour stands on <body>, because dialogs and menus open outside of the shell.
  useEffect(() => {
    document.body.dataset.role = role
    return () => {
      delete document.body.dataset.role
    }
  }, [role])
  const hasNav = navItems.length > 0
  const brand = <Link to={homeTo} className="brand flex min-h-11 items-center gap-2.5 rounded-md" aria-label="Tutorlog, go to dashboard"><Logo /></Link>
  const menu = { role, displayName, menuItems }
  return (
    <div className={hasNav ? 'app' : 'app-plain'}>
      <a href="#main" className="skip">Skip to content</a>
      <header className={hasNav ? 'hdr lg:hidden' : 'hdr'}>
        {brand}
        <AccountMenu {...menu} className="ib" label="Account menu"><Avatar initials={initials} /></AccountMenu>
      </header>
      <main className="main" id="main" tabIndex={-1}>{children}</main>
      {hasNav && (
        <nav className="nav" aria-label="Main">
          <div className="pl-2 max-lg:hidden">{brand}</div>
          <ul>
            {navItems.map(({ to, label, Icon }) => (
              <li key={to}><NavLink to={to}><span className="pill"><Icon className="i" aria-hidden="true" /></span>{label}</NavLink></li>
            ))}
          </ul>
          <AccountMenu {...menu} className="mt-auto flex items-center gap-3 rounded-md p-2 text-left hover:bg-sunken max-lg:hidden" label={`Account menu, ${displayName}`}>
            <Avatar initials={initials} />
            <span className="min-w-0 flex-1 leading-tight"><span className="block truncate text-[.9375rem] font-semibold">{displayName}</span><span className="mt-1 inline-block"><RoleBadge role={role} /></span></span>
            <ChevronsUpDown className="i text-ink-3" aria-hidden="true" />
          </AccountMenu>
        </nav>
      )}
    </div>
  )
}

interface AccountMenuProps extends Pick<AppShellProps, 'role' | 'displayName' | 'menuItems'> {
  className: string
  label: string
  children: ReactNode
}

function AccountMenu({ role, displayName, menuItems, className, label, children }: AccountMenuProps) {
  const navigate = useNavigate()
  return (
    <Menu.Root modal={false}>
      <Menu.Trigger className={className} aria-label={label}>{children}</Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner className="z-20" sideOffset={6} align="end" collisionPadding={12}>
          <Menu.Popup className="menu">
            <Menu.Group>
              <Menu.GroupLabel className="flex items-center justify-between gap-4 px-3 py-2"><span className="truncate font-semibold">{displayName}</span><RoleBadge role={role} /></Menu.GroupLabel>
              {menuItems.map(({ label: text, to, run }) => (
                <Menu.Item key={text} className="menu-item" onClick={() => (to ? navigate(to) : run?.())}>{text}</Menu.Item>
              ))}
            </Menu.Group>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}
