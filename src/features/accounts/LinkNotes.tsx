import { MailCheck } from 'lucide-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { paths } from '#features/site/paths.ts'
import { call, CallFailed, refusalText } from '#platform/api.web.ts'
import { Button, ButtonLink } from '#platform/ui/Button.tsx'
import { Notice } from '#platform/ui/Notice.tsx'
import { PageTitle } from '#platform/ui/PageTitle.tsx'
import { PublicShell } from '#platform/ui/PublicShell.tsx'
import { useToast } from '#platform/ui/Toast.tsx'
import { noteLinkSent, useLinkSent } from './client.web.ts'
import { RequestVerification } from './confirmation.ts'

/**
 * Shows where the link was sent, how to get a new one, and how to fix a typo in the address. Displayed from
 * sign-up until the address is confirmed.
 */
export function LinkSent({ email }: { email: string }) {
  const navigate = useNavigate()
  const { isSending, send } = useNewLink()
  const correct = () => {
    noteLinkSent()
    navigate(paths.signup, { state: { email } })
  }
  return (
    <section aria-label="Confirm your account" className="mt-4 flex gap-3 rounded-md bg-accent-soft p-4">
      <MailCheck className="i mt-0.5 size-5 shrink-0" aria-hidden="true" />
      <div className="min-w-0 flex-1">
        <p>
          We sent a link to <strong className="font-semibold break-words">{email}</strong>. Open it to verify
          your email.
        </p>
        <div className="mt-3 flex flex-wrap gap-2">
          <Button
            tone="secondary"
            size="small"
            busy={isSending}
            busyText="Sending..."
            onClick={() => void send({ email })}
          >
            Resend
          </Button>
          <Button tone="quiet" size="small" onClick={correct}>
            Wrong address?
          </Button>
        </div>
      </div>
    </section>
  )
}

interface ExpiredLinkProps {
  /** The token from the link that was opened. It tells the server which sign-up needs a new link. */
  token?: string
  emailNow: () => string
  onMissing: () => void
}

/** Shown when a confirmation link has been used or has expired. Offers a new one. */
export function ExpiredLink({ token, emailNow, onMissing }: ExpiredLinkProps) {
  const sentTo = useLinkSent()
  const { isSending, send } = useNewLink()
  const ask = () => {
    const email = emailNow().trim() || sentTo
    if (email) void send({ email, token })
    else onMissing()
  }
  return (
    <div className="mt-4">
      <Notice>
        <p role="alert">
          This confirmation link has already been used or has expired. Sign in, or enter your email below and
          ask for a new link.
        </p>
        <Button
          className="mt-3"
          tone="secondary"
          size="small"
          busy={isSending}
          busyText="Sending..."
          onClick={ask}
        >
          Send a new link
        </Button>
      </Notice>
    </div>
  )
}

/**
 * Shown when someone who's signed in opens a used link or another account's link. Nothing changed, and
 * they're still signed in.
 */
export function StillSignedIn({ email }: { email: string }) {
  return (
    <PublicShell isCentered>
      <PageTitle title="This link has already been used or has expired" tabTitle="Verify your email" />
      <p className="mt-3 text-lead text-ink-2">
        You are signed in as <strong className="font-semibold break-words text-ink">{email}</strong>.
      </p>
      <div className="mt-7 grid">
        <ButtonLink to={paths.dashboard}>Go to your dashboard</ButtonLink>
      </div>
    </PublicShell>
  )
}

function useNewLink() {
  const toast = useToast()
  const [isSending, setIsSending] = useState(false)
  const send = async (wish: { email: string; token?: string }) => {
    setIsSending(true)
    try {
      await call(RequestVerification, wish)
      noteLinkSent(wish.email)
      toast.success('Verification email sent', 'Please check your email for the verification link.')
    } catch (error) {
      const problem = error instanceof CallFailed ? error : undefined
      toast.error(
        'Error',
        problem?.errorOf('email') ?? refusalText(error, 'Failed to resend verification email'),
      )
    } finally {
      setIsSending(false)
    }
  }
  return { isSending, send }
}
