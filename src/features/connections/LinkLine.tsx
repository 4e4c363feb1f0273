import { QrCode } from 'lucide-react'
import { useState } from 'react'
import { formatMoment } from '#kernel/calendar-day.ts'
import { Button } from '#platform/ui/Button.tsx'
import { late } from '#platform/ui/late.tsx'
import { useConnects } from './client.web.ts'
import type { Connection } from './connection.ts'

const HandOverDialog = late(async () => (await import('./HandOverDialog.tsx')).HandOverDialog)

/** A time such as "Nov 27, 2026, 3:05 PM", on the reader's clock. */
export function momentInWords(at: string): string {
  return formatMoment(at, { dateStyle: 'medium', timeStyle: 'short' })
}

const STATES = {
  missing: 'The link isn’t made yet',
  unclaimed: 'Link not opened yet',
  lapsed: 'The link wasn’t opened in time',
  claimed: 'Link opened, no answer yet',
}

/** For a request by link: what became of the link. Undefined if it was asked by email. */
export function linkInWords({ link }: Connection): string | undefined {
  return link ? STATES[link.state] : undefined
}

/** What became of a connection's link that was handed over, with a button for a new one. */
export function LinkLine({ connection, other }: { connection: Connection; other: string }) {
  const { link } = connection
  const connects = useConnects()
  const [isOpen, setIsOpen] = useState(false)
  // While the dialog is open, the other side may add an email address.
  if (!link && !isOpen) return null
  const label = link?.state === 'missing' ? 'Make the link' : 'New link'
  return (
    <div className="flex flex-wrap items-center gap-x-3 text-small font-normal text-ink-2">
      {link?.claimed_at && <span>Link opened {momentInWords(link.claimed_at)}</span>}
      {link && !link.claimed_at && connection.state === 'active' && <span>{STATES[link.state]}</span>}
      {connects && (
        <Button
          tone="quiet"
          size="small"
          className="-mx-4"
          aria-label={`${label}, ${other}`}
          onClick={() => setIsOpen(true)}
        >
          <QrCode className="size-4!" aria-hidden="true" />
          {label}
        </Button>
      )}
      {isOpen && <HandOverDialog connection={connection} other={other} onClose={() => setIsOpen(false)} />}
    </div>
  )
}
