import { useState } from 'react'
import { Link } from 'react-router'
import { paths } from '#features/site/paths.ts'
import { call, CallFailed, refusalText } from '#platform/api.web.ts'
import { Button, ButtonLink } from '#platform/ui/Button.tsx'
import { TextField } from '#platform/ui/Field.tsx'
import { PageTitle } from '#platform/ui/PageTitle.tsx'
import { PublicShell } from '#platform/ui/PublicShell.tsx'
import { usePlainForm } from '#platform/ui/plain-form.web.ts'
import { useToast } from '#platform/ui/Toast.tsx'
import { NO_EMAIL } from './account.ts'
import { ForgotPassword } from './reset.ts'

export default function ForgotPasswordPage() {
  const toast = useToast()
  const [sentTo, setSentTo] = useState<string>()
  const { form, field, onSubmit, isSending } = usePlainForm({ email: '' }, ({ email }) => ({
    email: !email && NO_EMAIL,
  }))

  const send = onSubmit(async ({ email }) => {
    try {
      await call(ForgotPassword, { email })
      setSentTo(email)
      toast.success('Email Sent', 'Please check your email for password reset instructions.')
    } catch (error) {
      const problem = error instanceof CallFailed ? error : undefined
      toast.error('Error', problem?.errorOf('email') ?? refusalText(error))
    }
  })

  if (sentTo !== undefined) {
    return (
      <PublicShell>
        <PageTitle title="Check Your Email" />
        <p className="mt-3 text-lead text-ink-2">
          If <strong className="font-semibold text-ink">{sentTo}</strong> has an account, a reset link is on
          its way. It works for 15 minutes.
        </p>
        <div className="mt-7 grid gap-2">
          <ButtonLink to={paths.login}>Back to Login</ButtonLink>
          <Button tone="quiet" onClick={() => setSentTo(undefined)}>
            Try Different Email
          </Button>
        </div>
      </PublicShell>
    )
  }
  return (
    <PublicShell>
      <PageTitle title="Forgot password" subtitle="We'll email you a link to choose a new one." />
      <form ref={form} method="post" className="mt-6 grid gap-4" onSubmit={send} noValidate>
        <TextField label="Email" type="email" autoComplete="email" {...field('email')} />
        <Button type="submit" busy={isSending} busyText="Sending...">
          Send Reset Instructions
        </Button>
      </form>
      <p className="mt-5 text-center">
        <Link className="link inline-flex min-h-11 items-center" to={paths.login}>
          Back to Login
        </Link>
      </p>
    </PublicShell>
  )
}
