import type { MouseEvent, ReactNode } from 'react'

/** Opens what a row is about on top of the page. */
export interface RowLink {
  /** Where it leads in a tab of its own. */
  href: string
  /** Its accessible name, which contains its visible text. */
  label: string
  onOpen: () => void
}

const CONTROLS = 'a, button, summary, input, select, label'

/** Makes a whole row open its link, except for the row's own controls. For the keyboard there's the link itself. */
export function openedBy(link: RowLink | undefined): { onClick?: (event: MouseEvent) => void } {
  if (!link) return {}
  return {
    onClick: ({ target }) => {
      // Whoever selected text to copy it didn't ask for anything to open.
      if (getSelection()?.isCollapsed === false) return
      if (target instanceof Element && !target.closest(CONTROLS)) link.onOpen()
    },
  }
}

/** The link inside a row. With a modifier key it opens a new tab, like other links. */
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

/** The title of a `.log` row. */
export function RowTitle({ title, link }: { title: string; link?: RowLink | undefined }) {
  const text = (
    <span className="t" title={title}>
      {title}
    </span>
  )
  return link ? <RowOpener link={link}>{text}</RowOpener> : text
}
