import { Ellipsis, type LucideIcon } from 'lucide-react'
import { type ReactNode, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useBackGesture } from './back-gesture.web.ts'
import { itemsOf, MenuItem, pressInMenu } from './MenuItem.tsx'

export interface RowAction {
  label: string
  Icon: LucideIcon
  run: () => void
}

/** Actions that another feature adds to the row menus in a list, and the dialog that they open. */
export interface RowActions<Row> {
  actionsFor: (row: Row) => RowAction[]
  dialog: ReactNode
}

interface RowMenuProps {
  /** The button's accessible name, for example "More for Maya Whitfield". */
  label: string
  items: readonly RowAction[]
}

/** Minimum distance in pixels between the menu and the edge of the screen. */
const EDGE = 12

/** A row's actions, apart from those with visible buttons. Follows the ARIA menu button pattern. */
export function RowMenu({ label, items }: RowMenuProps) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const menu = useRef<HTMLDivElement>(null)
  const [isOpen, setIsOpen] = useState(false)
  const [wasOpen, setWasOpen] = useState(false)
  const close = () => menu.current?.hidePopover()
  useBackGesture(close, isOpen)

  // Opens below the button, or above it if there isn't room below. The menu's right edge lines up with the
  // button's.
  const place = () => {
    const from = button.current?.getBoundingClientRect()
    const box = menu.current
    if (!from || !box) return
    const { clientWidth, clientHeight } = document.documentElement
    const fits = from.bottom + box.offsetHeight + EDGE <= clientHeight
    box.style.top = `${fits ? from.bottom + 2 : Math.max(EDGE, from.top - box.offsetHeight - 2)}px`
    box.style.left = `${Math.max(EDGE, Math.min(from.right, clientWidth - EDGE) - box.offsetWidth)}px`
    box.style.visibility = ''
  }
  return (
    <>
      <button
        ref={button}
        type="button"
        className="ib"
        aria-label={label}
        title={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        popoverTarget={id}
      >
        <Ellipsis className="size-[18px]" aria-hidden="true" />
      </button>
      <div
        ref={menu}
        id={id}
        popover="auto"
        role="menu"
        aria-label={label}
        tabIndex={-1}
        className="menu text-left font-normal"
        onKeyDown={(event) => pressInMenu(event, menu.current)}
        onBeforeToggle={({ currentTarget: { style }, newState }) => {
          if (newState !== 'open') return
          // The items are rendered when the menu first opens, because a list has a menu in every row.
          flushSync(() => setWasOpen(true))
          // The menu's size is known only after it has opened, so the menu is hidden until it's in position.
          Object.assign(style, { left: `${EDGE}px`, visibility: 'hidden' })
        }}
        onToggle={(event) => {
          const opens = event.newState === 'open'
          setIsOpen(opens)
          if (!opens) return
          place()
          itemsOf(menu.current)[0]?.focus()
          // The menu doesn't scroll with the page, so it closes on scroll.
          addEventListener('scroll', close, { once: true, capture: true })
          addEventListener('resize', close, { once: true })
        }}
      >
        {wasOpen &&
          items.map((item) => (
            <MenuItem
              key={item.label}
              onClick={() => {
                close()
                item.run()
              }}
            >
              <item.Icon className="i shrink-0 text-ink-2" aria-hidden="true" />
              {item.label}
            </MenuItem>
          ))}
      </div>
    </>
  )
}
