import { Drawer } from '@base-ui/react/drawer'
import { X } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { FormAlert } from './FormAlert.tsx'
import { useLeaving } from './LeaveQuestion.tsx'
import { usePlaceName } from './place.web.ts'
import { useWidth } from './width.web.ts'

/**
 * Ways to close the form that require confirmation if something was typed. Android's Back button is reported
 * as 'close-watcher'.
 */
const ASKING = new Set<string>(['escape-key', 'swipe', 'close-watcher'])

interface FormDialogProps {
  title: string
  /**
   * True if something was typed. Back, Escape and swiping then ask for confirmation, and pressing outside the
   * form does nothing.
   */
  isDirty: boolean
  onClose: () => void
  /** True if the form changes your account, which all your workspaces share. */
  isAboutAccount?: boolean
  /** Why the form couldn't be submitted. Shown until the next attempt. */
  problem?: string
  footer: ReactNode
  children: ReactNode
}

/**
 * A form on top of the page. On a phone, it's a bottom sheet that you can swipe away; on wider screens, a
 * centered dialog.
 */
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
  const sheet = useRef<HTMLDivElement>(null)
  const body = useRef<HTMLDivElement>(null)
  const [opener] = useState(() => document.activeElement)
  const [isSwipedAway, setIsSwipedAway] = useState(false)
  const isSheet = useWidth('phone')
  const { leave, isAsking, dismiss, question } = useLeaving(isDirty, onClose)
  return (
    <Drawer.Root
      open={!isSwipedAway}
      onOpenChange={(_open, details) => {
        const { reason, event } = details
        const isOutside = reason === 'outside-press'
        const isNotice =
          isOutside && event.target instanceof Element && event.target.closest('.toast') !== null
        if (isNotice || (isDirty && isOutside)) return details.cancel()
        if (reason === 'swipe' && !isDirty) return setIsSwipedAway(true)
        if (!ASKING.has(reason)) return onClose()
        if (isDirty) details.cancel()
        leave()
      }}
      onOpenChangeComplete={(isOpen) => isOpen || onClose()}
    >
      <Drawer.Portal>
        <Drawer.Backdrop className="sheet-scrim fixed inset-0 z-30 bg-scrim" />
        <Drawer.Viewport
          className="fixed inset-0 z-30 grid grid-cols-1 items-end md:items-center"
          data-base-ui-swipe-ignore={isSheet ? undefined : ''}
        >
          {/* On touch screens, focus the sheet itself. Focusing a field would open the keyboard over half of the form. */}
          <Drawer.Popup
            className="sheet sheet-swiped"
            ref={sheet}
            initialFocus={() =>
              matchMedia('(pointer: coarse)').matches
                ? sheet.current
                : (body.current?.querySelector<HTMLElement>('input,select,textarea') ?? true)
            }
            // The button that opened the form may be gone, for example if you just added a list's first
            // entry.
            finalFocus={() => (opener?.isConnected ?? true) || document.querySelector<HTMLElement>('main h1')}
          >
            <div className="grab" aria-hidden="true" />
            <div className="head">
              <div className="min-w-0">
                <Drawer.Title>{title}</Drawer.Title>
                {place && !isAboutAccount && <p className="truncate text-small text-ink-2">{place}</p>}
              </div>
              <Drawer.Close className="ib" aria-label="Close">
                <X className="i" aria-hidden="true" />
              </Drawer.Close>
            </div>
            {/* Typing dismisses the "Discard?" question. */}
            <Drawer.Content className="body" ref={body} onInput={dismiss}>
              {children}
            </Drawer.Content>
            <FormAlert text={problem} className="mx-5 mb-3 flex-none" />
            {/* Hidden instead of removed, because the buttons belong to the form. */}
            <div className={isAsking ? 'hidden' : 'foot'}>{footer}</div>
            {question}
          </Drawer.Popup>
        </Drawer.Viewport>
      </Drawer.Portal>
    </Drawer.Root>
  )
}
