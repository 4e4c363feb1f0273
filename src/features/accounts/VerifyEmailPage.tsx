import { useEffect, useRef, useState } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import { paths } from '#features/site/paths.ts'
import { call, CallFailed, refusalText } from '#platform/api.web.ts'
import { Button } from '#platform/ui/Button.tsx'
import { PasswordField } from '#platform/ui/Field.tsx'
import { PageTitle } from '#platform/ui/PageTitle.tsx'
import { PublicShell } from '#platform/ui/PublicShell.tsx'
import { usePlainForm } from '#platform/ui/plain-form.web.ts'
import { useToast } from '#platform/ui/Toast.tsx'
import { acceptLogin, useLogin } from './client.web.ts'
import { Verify } from './confirmation.ts'

const RETRY_MS = 1000

/**
 * The page behind the link in a confirmation email. In the browser used to sign up, confirmation is
 * automatic; in any other browser, the user first has to enter the password from that sign-up. Just opening
 * the link, as email scanners do, doesn't confirm anything (docs/product-decisions.md, section 1).
 */
export default function VerifyEmailPage() {
  const login = useLogin()
  const navigate = useNavigate()
  const { hash } = useLocation()
  const [step, setStep] = useState<'checking' | 'password' | 'failed'>('checking')
  const tried = useRef('')
  const token = new URLSearchParams(hash.slice(1)).get('token') ?? ''

  const confirm = async (password?: string) => {
    acceptLogin(await call(Verify, { token, password }))
    navigate(paths.dashboard, { replace: true })
  }
  const leave = () => navigate(`${paths.login}?link=expired`, { replace: true, state: { token } })

  const check = async () => {
    try {
      await confirm()
    } catch (error) {
      const problem = error instanceof CallFailed ? error : undefined
      if (problem?.problem.code === 'invalid_link') leave()
      else if (problem?.problem.code === 'password_needed') setStep('password')
      // Tries again, because the link may still be valid. Only the server can tell us it isn't.
      else if (problem?.isRetryable) setTimeout(() => void check(), RETRY_MS)
      else setStep('failed')
    }
  }

  // Waits until this browser's login has been read. If both requests ran at the same time, their responses
  // would overwrite each other's cookies.
  useEffect(() => {
    if (login.status === 'loading' || tried.current === hash) return
    tried.current = hash
    if (token) void check()
    else leave()
  })

  if (step === 'password')
    return (
      <PublicShell>
        <PageTitle
          title="Enter your password"
          subtitle="You signed up in another browser. To verify your email here, enter the password you signed up with."
          tabTitle="Verify your email"
        />
        {login.status === 'signed-in' && (
          <p className="mt-4 rounded-md border border-line bg-surface p-4">
            You are signed in as <strong className="font-semibold break-words">{login.user.email}</strong>{' '}
            here. Verifying signs you in to the new account instead.
          </p>
        )}
        <PasswordStep onSend={confirm} onInvalidLink={leave} />
      </PublicShell>
    )
  return (
    <PublicShell>
      <PageTitle title="Verify your email" />
      {step === 'checking' ? (
        <p className="mt-4 text-ink-2" role="status">
          Verifying your email...
        </p>
      ) : (
        <div className="mt-4 grid gap-4">
          <p className="text-ink-2" role="alert">
            Your email couldn’t be verified right now.
          </p>
          <Button
            onClick={() => {
              setStep('checking')
              void check()
            }}
          >
            Try again
          </Button>
        </div>
      )}
    </PublicShell>
  )
}

interface PasswordStepProps {
  onSend: (password: string) => Promise<void>
  onInvalidLink: () => void
}

function PasswordStep({ onSend, onInvalidLink }: PasswordStepProps) {
  const toast = useToast()
  const { form, field, refuse, onSubmit, isSending } = usePlainForm({ password: '' }, ({ password }) => ({
    password: !password && 'Enter your password',
  }))
  const submit = onSubmit(async ({ password }) => {
    try {
      await onSend(password)
    } catch (error) {
      const problem = error instanceof CallFailed ? error : undefined
      const message = problem?.errorOf('password')
      if (problem?.problem.code === 'invalid_link') onInvalidLink()
      else if (message) refuse({ password: message })
      else toast.error('Error', refusalText(error))
    }
  })
  return (
    <>
      <form ref={form} method="post" className="mt-6 grid gap-4" onSubmit={submit} noValidate>
        <PasswordField label="Password" autoComplete="current-password" {...field('password')} />
        <Link className="link inline-flex min-h-11 items-center justify-self-start" to={paths.forgotPassword}>
          Forgot password?
        </Link>
        <Button type="submit" busy={isSending} busyText="Verifying...">
          Verify email
        </Button>
      </form>
      <p className="mt-5 text-small text-ink-3">
        If someone else signed up with your address, just close this page. Nothing will happen.
      </p>
    </>
  )
}
