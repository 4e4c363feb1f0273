import { useEffect, useState } from 'react'
import { dayIn, formatDay } from '#kernel/calendar-day.ts'
import { call, refusalText } from '#platform/api.web.ts'
import { Button } from '#platform/ui/Button.tsx'
import { PageTitle } from '#platform/ui/PageTitle.tsx'
import { PublicShell } from '#platform/ui/PublicShell.tsx'
import { useToast } from '#platform/ui/Toast.tsx'
import type { Me } from './account.ts'
import { ResendVerification } from './confirmation.ts'
import { KeepAccount, SetRole } from './profile.ts'
import { acceptMe, readLogin, signOut } from './client.web.ts'
import { Consent } from './Consent.tsx'
import { RoleChoice } from './RoleChoice.tsx'

/**
 * Shown to someone who is signed in but has deleted their account, hasn't confirmed their address, or doesn't
 * have a role yet.
 */
export default function NotReady({ user }: { user: Me }) {
  if (user.deletion_due_at) return <Leaving dueAt={user.deletion_due_at} />
  return user.email_confirmed_at ? <ChooseRole /> : <VerifyEmail user={user} />
}

function VerifyEmail({ user }: { user: Me }) {
  const toast = useToast()
  const [isSending, setIsSending] = useState(false)
  // If the address has been confirmed on another device, lets the user in when they come back to this tab.
  useEffect(() => {
    const look = () => {
      if (document.visibilityState === 'visible') void readLogin()
    }
    document.addEventListener('visibilitychange', look)
    addEventListener('focus', look)
    return () => {
      document.removeEventListener('visibilitychange', look)
      removeEventListener('focus', look)
    }
  }, [])
  const resend = async () => {
    setIsSending(true)
    try {
      await call(ResendVerification, {})
      toast.success('Verification email sent', 'Please check your email for the verification link.')
    } catch (error) {
      toast.error('Error', refusalText(error, 'Failed to resend verification email'))
    } finally {
      setIsSending(false)
    }
  }
  return (
    <PublicShell isCentered>
      <Envelope />
      <PageTitle title="Verify Your Email" />
      <p className="mt-3 text-lead text-ink-2">
        We sent a link to <strong className="font-semibold text-ink">{user.email}</strong>. Open it on any
        device to start logging.
      </p>
      <div className="mt-7 grid gap-2">
        <Button busy={isSending} busyText="Sending..." onClick={() => void resend()}>
          Resend Verification Email
        </Button>
        <Button tone="quiet" onClick={() => void signOut()}>
          Sign Out
        </Button>
      </div>
      <p className="mt-5 text-small text-ink-3">
        No email after a few minutes? Check your spam folder, or sign out and make sure the address is right.
      </p>
    </PublicShell>
  )
}

function Leaving({ dueAt }: { dueAt: string }) {
  const toast = useToast()
  const [isBusy, setIsBusy] = useState(false)
  const keep = async () => {
    setIsBusy(true)
    try {
      acceptMe(await call(KeepAccount, {}))
      toast.success('Welcome back', 'Your account and everything in it are still here.')
    } catch (error) {
      toast.error('Error', refusalText(error))
      setIsBusy(false)
    }
  }
  return (
    <PublicShell isCentered>
      <PageTitle title="This account was deleted" />
      <p className="mt-3 text-lead text-ink-2">
        Everything in it will be erased for good on{' '}
        {formatDay(dayIn(new Date(dueAt)), { month: 'long', day: 'numeric', year: 'numeric' })}. Until then,
        you can still keep the account and everything in it.
      </p>
      <div className="mt-7 grid gap-2">
        <Button busy={isBusy} busyText="One moment..." onClick={() => void keep()}>
          Keep my account
        </Button>
        <Button tone="quiet" onClick={() => void signOut()}>
          Sign Out
        </Button>
      </div>
    </PublicShell>
  )
}

function ChooseRole() {
  const toast = useToast()
  const choose = async (role: 'parent' | 'tutor') => {
    try {
      acceptMe(await call(SetRole, { role }))
    } catch (error) {
      toast.error('Error', refusalText(error))
    }
  }
  return (
    <PublicShell>
      <PageTitle title="Who are you here as?" />
      <RoleChoice submitLabel="Continue" busyText="Saving..." onChoose={choose} />
      <Consent by="continuing" />
      <div className="mt-2 grid">
        <Button tone="quiet" onClick={() => void signOut()}>
          Sign Out
        </Button>
      </div>
    </PublicShell>
  )
}

function Envelope() {
  return (
    <svg className="mb-7" width="148" height="104" viewBox="0 0 148 104" aria-hidden="true">
      <rect
        x="3"
        y="12"
        width="130"
        height="88"
        rx="16"
        fill="var(--color-surface)"
        stroke="var(--color-ink)"
        strokeWidth="5"
      />
      <path
        d="M8 26l52 38c5 4 11 4 16 0l52-38"
        fill="none"
        stroke="var(--color-ink)"
        strokeWidth="5"
        strokeLinecap="round"
      />
      <circle cx="122" cy="24" r="22" fill="var(--color-marker)" />
      <path
        d="M112 24l8 8 13-15"
        fill="none"
        stroke="#16232b"
        strokeWidth="5.5"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  )
}
