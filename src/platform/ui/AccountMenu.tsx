import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { useBackGesture } from './back-gesture.web.ts'
import { RoleBadge } from './Badge.tsx'

// The platform's own popover: a library's menu weighed 30 kB in the first load of every screen (decision record 0007).

interface AccountMenuProps {
  role: 'parent' | 'tutor' | 'admin'
  displayName: string
  menuItems: { label: string; to?: string; run?: () => void }[]
  /** Of the button that opens the menu. */
  className: string
  label: string
  /** Where it opens: below the header, or above the foot of the rail. */
  place: 'header' | 'rail'
  children: ReactNode
}

/** The menu of the signed-in person, by the ARIA menu button pattern. */
export function AccountMenu({
  role,
  displayName,
  menuItems,
  className,
  label,
  place,
  children,
}: AccountMenuProps) {
  const id = useId()
  const navigate = useNavigate()
  const menu = useRef<HTMLDivElement>(null)
  const [isOpen, setIsOpen] = useState(false)
  useBackGesture(() => menu.current?.hidePopover(), isOpen)
  const items = () => [...(menu.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])]

  const press = (event: KeyboardEvent) => {
    if (event.key === 'Tab') menu.current?.hidePopover()
    const all = items()
    const at = all.indexOf(document.activeElement as HTMLElement)
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key]
    if (next === undefined) return
    event.preventDefault()
    all.at(next % all.length)?.focus()
  }
  const choose = ({ to, run }: AccountMenuProps['menuItems'][number]) => {
    menu.current?.hidePopover()
    if (to) void navigate(to)
    else run?.()
  }
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
        onKeyDown={press}
        onToggle={(event) => {
          setIsOpen(event.newState === 'open')
          if (event.newState === 'open') items()[0]?.focus()
        }}
      >
        <p className="menu-head" role="presentation">
          <span className="max-w-full truncate font-semibold">{displayName}</span>
          <RoleBadge role={role} />
        </p>
        {menuItems.map((item) => (
          <button
            key={item.label}
            type="button"
            role="menuitem"
            tabIndex={-1}
            className="menu-item"
            onClick={() => choose(item)}
          >
            {item.label}
          </button>
        ))}
      </div>
    </>
  )
}
