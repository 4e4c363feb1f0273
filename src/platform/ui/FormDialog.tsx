import { Dialog } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { useBackGesture } from './back-gesture.web.ts'
import { Button } from './Button.tsx'
import { FormAlert } from './FormAlert.tsx'
import { usePlaceName } from './place.web.ts'

interface FormDialogProps {
  title: string
  /** True if something was typed: Back and Escape then ask first, and a press outside does nothing. */
  isDirty: boolean
  onClose: () => void
  /** True if it changes the account, which is the same in every workspace. */
  isAboutAccount?: boolean
  /** Why sending failed; shown until the next try. */
  problem?: string
  footer: ReactNode
  children: ReactNode
}

/** A form on top of the page: a bottom sheet on a phone, a centered dialog on wider screens. */
export function FormDialog({
  title,
  isDirty,
  isAboutAccount = false,
  onClose,
  problem,
  footer,
  children,
}: FormDialogProps) {
  const place = usePlaceName()
  const body = useRef<HTMLDivElement>(null)
  const [opener] = useState(() => document.activeElement)
  const used = useRef<Element>(null)
  const [isAsking, setIsAsking] = useState(false)
  const ask = () => {
    used.current = document.activeElement
    setIsAsking(true)
  }
  const stay = () => {
    setIsAsking(false)
    if (used.current instanceof HTMLElement) used.current.focus()
  }
  const leave = () => {
    if (isAsking) stay()
    else if (isDirty) ask()
    else onClose()
  }
  useBackGesture(leave)
  return (
    <Dialog.Root
      open
      onOpenChange={(_open, details) => {
        const isOutside = details.reason === 'outside-press'
        const isNotice =
          isOutside &&
          details.event.target instanceof Element &&
          details.event.target.closest('.toast') !== null
        if (isNotice || (isDirty && isOutside)) return details.cancel()
        if (details.reason !== 'escape-key') return onClose()
        if (isDirty) details.cancel()
        leave()
      }}
    >
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-30 bg-scrim" />
        <Dialog.Viewport className="fixed inset-0 z-30 grid grid-cols-1 items-end md:items-center">
          {/* On touch screens focus the sheet itself; focusing a field would open the keyboard over half of the form. */}
          <Dialog.Popup
            className="sheet"
            initialFocus={(openedBy) =>
              openedBy === 'touch' ||
              (body.current?.querySelector<HTMLElement>('input,select,textarea') ?? true)
            }
            // The button may no longer exist, for example after the first entry of a list was added.
            finalFocus={() => (opener?.isConnected ?? true) || document.querySelector<HTMLElement>('main h1')}
          >
            <div className="grab" aria-hidden="true" />
            <div className="head">
              <div className="min-w-0">
                <Dialog.Title>{title}</Dialog.Title>
                {place && !isAboutAccount && <p className="truncate text-small text-ink-2">{place}</p>}
              </div>
              <Dialog.Close className="ib" aria-label="Close">
                <X className="i" aria-hidden="true" />
              </Dialog.Close>
            </div>
            {/* Typing again answers the question "Discard?". */}
            <div className="body" ref={body} onInput={() => setIsAsking(false)}>
              {children}
            </div>
            <FormAlert text={problem} className="mx-5 mb-3 flex-none" />
            {/* Hidden, not removed: its buttons belong to the form. */}
            <div className={isAsking ? 'hidden' : 'foot'}>{footer}</div>
            {isAsking && <LeaveQuestion onStay={stay} onLeave={onClose} />}
          </Dialog.Popup>
        </Dialog.Viewport>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function LeaveQuestion({ onStay, onLeave }: { onStay: () => void; onLeave: () => void }) {
  const id = useId()
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => place.current?.querySelector<HTMLElement>('button:last-of-type')?.focus(), [])
  return (
    <div ref={place} className="foot flex-wrap" role="group" aria-labelledby={id}>
      <p id={id} className="basis-full font-semibold">
        Discard what you typed?
      </p>
      <Button tone="secondary" onClick={onLeave}>
        Discard
      </Button>
      <Button className="flex-1" aria-describedby={id} onClick={onStay}>
        Keep editing
      </Button>
    </div>
  )
}
