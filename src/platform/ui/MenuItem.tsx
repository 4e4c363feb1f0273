import type { ComponentProps, KeyboardEvent } from 'react'

/** A menu item that the arrow keys can reach. */
export function MenuItem(props: ComponentProps<'button'>) {
  return <button type="button" role="menuitem" tabIndex={-1} className="menu-item" {...props} />
}

export function itemsOf(menu: HTMLElement | null): HTMLElement[] {
  return [...(menu?.querySelectorAll<HTMLElement>('[role^=menuitem]') ?? [])]
}

/** Moves focus between a menu's items. Tab closes the menu. */
export function pressInMenu(event: KeyboardEvent, menu: HTMLElement | null): void {
  if (event.key === 'Tab') menu?.hidePopover()
  const all = itemsOf(menu)
  const at = all.indexOf(document.activeElement as HTMLElement)
  const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key]
  if (next === undefined) return
  event.preventDefault()
  all.at(next % all.length)?.focus()
}
