import { Check } from 'lucide-react'
import { type ReactNode, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useNavigate } from 'react-router'
import { useBackGesture } from './back-gesture.web.ts'
import { RoleBadge } from './Badge.tsx'
import { itemsOf, MenuItem, pressInMenu } from './MenuItem.tsx'

// Uses the browser's built-in popover. A menu library would add 30 kB to the first load of every screen
// (docs/decisions/0007-a-menu-of-the-platform.md).

/** The account menu's contents, the same in both layouts. */
export interface MenuContent {
  menuItems: { label: string; to?: string; run?: () => void }[]
  /** The workspaces you can switch to. Empty until they're loaded, or if there's only one. */
  menuPlaces: { id: string; label: string; isCurrent: boolean; run: () => void }[]
  onMenuToggle: (isOpen: boolean) => void
}

interface AccountMenuProps extends MenuContent {
  role: 'parent' | 'tutor' | 'admin'
  roleName?: string
  displayName: string
  /** Class name for the button that opens the menu. */
  className: string
  label: string
  /** Where the menu opens: below the header, or above the bottom of the rail. */
  place: 'header' | 'rail'
  children: ReactNode
}

/** The signed-in user's account menu. Follows the ARIA menu button pattern. */
export function AccountMenu({
  role,
  roleName,
  displayName,
  menuItems,
  menuPlaces,
  onMenuToggle,
  className,
  label,
  place,
  children,
}: AccountMenuProps) {
  const id = useId()
  const navigate = useNavigate()
  const menu = useRef<HTMLDivElement>(null)
  const [isOpen, setIsOpen] = useState(false)
  const [wasOpen, setWasOpen] = useState(false)
  useBackGesture(() => menu.current?.hidePopover(), isOpen)

  const choose = ({ to, run }: { to?: string; run?: () => void }) => {
    menu.current?.hidePopover()
    if (to) void navigate(to)
    else run?.()
  }
  // Items that load late go at the end where the menu grows, so that the others don't move under your finger.
  const places = menuPlaces.length > 1 && (
    <div role="group" aria-label="Switch to" className={`menu-places-${place}`}>
      {menuPlaces.map((one) => (
        <MenuItem
          key={one.id}
          role="menuitemradio"
          aria-checked={one.isCurrent}
          title={one.label}
          onClick={() => choose(one.isCurrent ? {} : one)}
        >
          <span className="line-clamp-4 min-w-0 flex-1 [overflow-wrap:anywhere]">{one.label}</span>
          {one.isCurrent && <Check className="i text-accent" aria-hidden="true" />}
        </MenuItem>
      ))}
    </div>
  )
  return (
    <>
      <button
        type="button"
        className={className}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        popoverTarget={id}
      >
        {children}
      </button>
      <div
        ref={menu}
        id={id}
        popover="auto"
        role="menu"
        aria-label="Account"
        tabIndex={-1}
        className={`menu menu-${place}`}
        onKeyDown={(event) => pressInMenu(event, menu.current)}
        // Rendered when it first opens, because every screen has this menu twice.
        onBeforeToggle={({ newState }) => newState === 'open' && flushSync(() => setWasOpen(true))}
        onToggle={(event) => {
          const opens = event.newState === 'open'
          setIsOpen(opens)
          onMenuToggle(opens)
          if (opens) itemsOf(menu.current)[0]?.focus()
        }}
      >
        {wasOpen && (
          <>
            <p className="menu-head" role="presentation">
              <span className="max-w-full truncate font-semibold">{displayName}</span>
              <RoleBadge role={role} name={roleName} />
            </p>
            {place === 'rail' && places}
            {menuItems.map((item) => (
              <MenuItem key={item.label} onClick={() => choose(item)}>
                {item.label}
              </MenuItem>
            ))}
            {place === 'header' && places}
          </>
        )}
      </div>
    </>
  )
}
