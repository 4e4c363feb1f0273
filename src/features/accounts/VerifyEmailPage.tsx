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
import type { UsedPasskey } from '#features/passkeys/passkey.ts'
import { acceptLogin, useLogin } from './client.web.ts'
import { Verify } from './confirmation.ts'
import { PasskeyButton } from './PasskeyButton.tsx'

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
  const [step, setStep] = useState<'checking' | 'password' | 'passkey' | 'failed'>('checking')
  const tried = useRef('')
  const token = new URLSearchParams(hash.slice(1)).get('token') ?? ''

  const confirm = async (secret: { password?: string; passkey?: UsedPasskey } = {}) => {
    acceptLogin(await call(Verify, { token, ...secret }))
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
      else if (problem?.problem.code === 'passkey_needed') setStep('passkey')
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

  if (step === 'password' || step === 'passkey')
    return (
      <PublicShell>
        <PageTitle
          title={`${step === 'password' ? 'Enter' : 'Use'} your ${step}`}
          subtitle={`You signed up in another browser. To verify your email here, ${
            step === 'password' ? 'enter the password' : 'use the passkey'
          } you signed up with.`}
          tabTitle="Verify your email"
        />
        {login.status === 'signed-in' && (
          <p className="mt-4 rounded-md border border-line bg-surface p-4">
            You are signed in as <strong className="font-semibold break-words">{login.user.email}</strong>{' '}
            here. Verifying signs you in to the new account instead.
          </p>
        )}
        {step === 'password' ? (
          <PasswordStep onSend={(password) => confirm({ password })} onInvalidLink={leave} />
        ) : (
          <PasskeyStep onSend={(passkey) => confirm({ passkey })} onInvalidLink={leave} />
        )}
        <p className="mt-5 text-small text-ink-3">
          If someone else signed up with your address, just close this page. Nothing will happen.
        </p>
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
    </>
  )
}

interface PasskeyStepProps {
  onSend: (passkey: UsedPasskey) => Promise<void>
  onInvalidLink: () => void
}

function PasskeyStep({ onSend, onInvalidLink }: PasskeyStepProps) {
  const send = async (passkey: UsedPasskey) => {
    try {
      await onSend(passkey)
    } catch (error) {
      if (error instanceof CallFailed && error.problem.code === 'invalid_link') return onInvalidLink()
      throw error
    }
  }
  return (
    <>
      <div className="mt-6 grid">
        <PasskeyButton label="Use your passkey" onUsed={send} />
      </div>
      <p className="mt-5 text-ink-2">
        Is it on another device? Open the link there. If you can’t,{' '}
        <Link className="link" to={paths.signup}>
          sign up again here
        </Link>
        , and we’ll send a new link that works in this browser.
      </p>
    </>
  )
}
