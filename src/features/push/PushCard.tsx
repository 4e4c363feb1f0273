import { X } from 'lucide-react'
import { problemTitle } from '#platform/api.web.ts'
import { Button, IconButton } from '#platform/ui/Button.tsx'
import { useToast } from '#platform/ui/Toast.tsx'
import { usePush, useTurnOn, useUpdatePush } from './client.web.ts'

/** Offers messages on this device, once. It's shown after someone answered a class, when it's clear what they're for. */
export function PushCard() {
  const toast = useToast()
  const push = usePush()
  const on = useTurnOn()
  const update = useUpdatePush()
  if (on.data)
    return (
      <p className="card mt-3 px-5 py-4 font-medium" role="status">
        Messages are on. You’ll be asked right here after the next class.
      </p>
    )
  if (push.data?.state !== 'off' || push.data.device.is_offer_dismissed || push.data.device.is_on) return null
  const { device } = push.data
  const failed = (error: unknown) =>
    toast.error('Error', problemTitle(error, 'That didn’t work. Please try again.'))
  return (
    <section className="card mt-3 py-2 pr-1.5 pl-5" aria-labelledby="push-offer">
      <div className="flex items-start gap-2">
        <h3 id="push-offer" className="flex-1 pt-2.5">
          Answer right after class?
        </h3>
        <IconButton
          label="Dismiss messages"
          onClick={() => update.mutate({ is_offer_dismissed: true }, { onError: failed })}
        >
          <X className="i" aria-hidden="true" />
        </IconButton>
      </div>
      <p className="pr-3.5 text-ink-2">
        Tutorlog can ask on this device, with Yes and No, instead of by email.
      </p>
      <div className="mt-3 pb-2">
        <Button
          size="small"
          tone="secondary"
          busy={on.isPending}
          busyText="Turning on..."
          onClick={() => on.mutate(device, { onError: failed })}
        >
          Turn on messages
        </Button>
      </div>
    </section>
  )
}
