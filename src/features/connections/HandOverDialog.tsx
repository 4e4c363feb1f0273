import { Copy, Share2 } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { dayIn, formatDay } from '#kernel/calendar-day.ts'
import { refusalText } from '#platform/api.web.ts'
import { Button } from '#platform/ui/Button.tsx'
import { FormDialog } from '#platform/ui/FormDialog.tsx'
import { useToast } from '#platform/ui/Toast.tsx'
import { useMakeLink } from './client.web.ts'
import { momentInWords } from './LinkLine.tsx'
import type { Connection } from './connection.ts'
import type { HandedLink } from './handed.ts'

const QrCode = lazy(() => import('#platform/ui/QrCode.tsx'))

/** A link that was just made. */
export interface MadeLink {
  url: string
  lapses_at: string
}

interface HandOverDialogProps {
  connection: Connection
  /** The other side's name. */
  other: string
  /** The link, if it was just made. Otherwise, offers to make one. */
  made?: MadeLink | undefined
  onClose: () => void
}

/** Shows a link to hand over, once: as a QR code, to copy, and with the device's share sheet. */
export function HandOverDialog({ connection, other, made, onClose }: HandOverDialogProps) {
  const make = useMakeLink()
  // Set once, so that the text stays what it was while a new link is being made.
  const [before] = useState(connection.link)
  const link = make.data ?? made
  return (
    <FormDialog
      title={link ? `Link for ${other}` : `New link for ${other}`}
      isDirty={false}
      onClose={onClose}
      problem={make.isError ? refusalText(make.error, 'The link could not be made. Please try again.') : ''}
      footer={
        link ? (
          <Button className="flex-1" tone="secondary" onClick={onClose}>
            Done
          </Button>
        ) : (
          <>
            <Button tone="secondary" onClick={onClose}>
              Cancel
            </Button>
            <Button
              className="flex-1"
              busy={make.isPending}
              busyText="Making the link..."
              onClick={() => make.mutate(connection.id)}
            >
              {before?.state === 'missing' ? 'Make the link' : 'Make a new link'}
            </Button>
          </>
        )
      }
    >
      {link ? <Shown link={link} other={other} /> : <p>{before && whyNew(before, other)}</p>}
    </FormDialog>
  )
}

function whyNew({ state, claimed_at: at }: HandedLink, other: string): string {
  if (state === 'missing')
    return (
      `${other} scans it from your screen, or you send it in any messenger. ` +
      'They don’t need an email address or an account.'
    )
  if (state === 'claimed')
    return (
      `The link was opened on ${at ? momentInWords(at) : ''}. With a new one, that device can no longer open it. ` +
      'Whoever opens the new one continues with all that was answered.'
    )
  return 'A link is shown only once. Make a new one, and the old one stops working.'
}

function Shown({ link: { url, lapses_at: lapsesAt }, other }: { link: MadeLink; other: string }) {
  const toast = useToast()
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(url)
      toast.success('Copied!', 'Link copied to clipboard')
    } catch {
      toast.error('Error', 'This could not be copied. Select the link and copy it yourself.')
    }
  }
  // Whoever closes the share sheet has changed their mind.
  const share = () => navigator.share({ url }).catch(() => undefined)
  return (
    <>
      <p>
        Let {other} scan this, or send the link. The first device that opens it and continues keeps it: after
        that, it opens nowhere else.
      </p>
      <figure className="mt-4 grid justify-items-center">
        <Suspense fallback={<div className="sk size-[270px]" />}>
          <QrCode text={url} label={`QR code with the link for ${other}`} />
        </Suspense>
      </figure>
      <p className="mt-4 rounded-md bg-sunken px-3 py-2 text-small break-all text-ink-2 select-all">{url}</p>
      <div className="mt-3 flex flex-wrap gap-3">
        <Button tone="secondary" onClick={() => void copy()}>
          <Copy className="i" aria-hidden="true" />
          Copy the link
        </Button>
        {'share' in navigator && (
          <Button tone="secondary" onClick={() => void share()}>
            <Share2 className="i" aria-hidden="true" />
            Share
          </Button>
        )}
      </div>
      <p className="help mt-3">
        It’s shown only now, and works until{' '}
        {formatDay(dayIn(new Date(lapsesAt)), { month: 'long', day: 'numeric' })} if nobody opens it. If it
        gets lost, make a new one.
      </p>
    </>
  )
}
