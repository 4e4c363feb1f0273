import type { MouseEvent, ReactNode } from 'react'

/** A link that opens a row's item on top of the page. */
export interface RowLink {
  /** The item's URL, for opening it in a new tab. */
  href: string
  /** The link's accessible name. It must include the visible text. */
  label: string
  onOpen: () => void
}

const CONTROLS = 'a, button, summary, input, select, label'

/**
 * Pressing anywhere on the row opens its link, except on the row's other controls. Keyboard users can focus
 * the link itself.
 */
export function openedBy(link: RowLink | undefined): { onClick?: (event: MouseEvent) => void } {
  if (!link) return {}
  return {
    onClick: ({ target }) => {
      // Don't open the row while someone is selecting text to copy it.
      if (getSelection()?.isCollapsed === false) return
      if (target instanceof Element && !target.closest(CONTROLS)) link.onOpen()
    },
  }
}

/** The link inside a row. With a modifier key, it opens in a new tab like any other link. */
export function RowOpener({ link, children }: { link: RowLink; children: ReactNode }) {
  return (
    <a
      className="row-link"
      href={link.href}
      aria-label={link.label}
      aria-haspopup="dialog"
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
        event.preventDefault()
        link.onOpen()
      }}
    >
      {children}
    </a>
  )
}

export function RowTitle({ title, link }: { title: string; link?: RowLink | undefined }) {
  const text = (
    <span className="t" title={title}>
      {title}
    </span>
  )
  return link ? <RowOpener link={link}>{text}</RowOpener> : text
}
