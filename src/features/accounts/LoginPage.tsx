import { lazy, Suspense, useEffect, useState, useSyncExternalStore } from 'react'
import { Link, Navigate, useLocation, useNavigate } from 'react-router'
import { paths } from '#features/site/paths.ts'
import { call, CallFailed, refusalText } from '#platform/api.web.ts'
import { Button } from '#platform/ui/Button.tsx'
import { PasswordField, TextField } from '#platform/ui/Field.tsx'
import { PageTitle } from '#platform/ui/PageTitle.tsx'
import { PublicShell } from '#platform/ui/PublicShell.tsx'
import { usePlainForm } from '#platform/ui/plain-form.web.ts'
import { readInterruption } from '#platform/ui/interruption.web.ts'
import { useToast } from '#platform/ui/Toast.tsx'
import { NO_EMAIL, SignIn } from './account.ts'
import { acceptLogin, useLinkSent, useLogin } from './client.web.ts'
import { Consent } from './Consent.tsx'
import { GoogleButton } from './GoogleButton.tsx'
import { PasskeySignIn } from './PasskeyButton.tsx'
import { useQueryString } from './public-page.ts'

// Most visits don't need these, so they're loaded on demand.
const CodeStep = lazy(async () => ({ default: (await import('./CodeStep.tsx')).CodeStep }))
const SignedOutNote = lazy(async () => ({ default: (await import('./SignedOutNote.tsx')).SignedOutNote }))
const LinkSent = lazy(async () => ({ default: (await import('./LinkNotes.tsx')).LinkSent }))
const ExpiredLink = lazy(async () => ({ default: (await import('./LinkNotes.tsx')).ExpiredLink }))
const StillSignedIn = lazy(async () => ({ default: (await import('./LinkNotes.tsx')).StillSignedIn }))

export default function LoginPage() {
  const login = useLogin()
  const sentTo = useLinkSent()
  const location = useLocation()
  const navigate = useNavigate()
  const toast = useToast()
  const [passed, setPassed] = useState<{ email: string; password: string }>()
  const { form, field, values, refuse, onSubmit, isSending } = usePlainForm(
    { email: '', password: '' },
    ({ email, password }) => ({
      email: !email && NO_EMAIL,
      password: !password && 'Enter your password',
    }),
  )
  const query = new URLSearchParams(useQueryString())
  const wasInterrupted = useSyncExternalStore(
    () => () => undefined,
    () => readInterruption() !== undefined,
    () => false,
  )

  useEffect(() => {
    const refusal = GOOGLE_REFUSALS[query.get('google') ?? '']
    if (!refusal) return
    toast.error('Login failed', refusal)
    navigate(paths.login, { replace: true })
  })

  const isExpiredLink = query.get('link') === 'expired'

  if (login.status === 'signed-in' && isExpiredLink)
    return (
      <Suspense fallback={null}>
        <StillSignedIn email={login.user.email} />
      </Suspense>
    )
  if (login.status === 'signed-in' && !query.get('email')) return <Navigate to={paths.dashboard} replace />

  const signIn = onSubmit(async (fields) => {
    try {
      acceptLogin(await call(SignIn, fields))
    } catch (error) {
      if (error instanceof CallFailed && error.problem.code === 'code_needed') setPassed(fields)
      else toast.error('Login failed', refusalText(error))
    }
  })

  const entry = (
    // What was typed stays while the second step is asked for.
    <div hidden={passed !== undefined}>
      <form ref={form} method="post" className="mt-6 grid gap-4" onSubmit={signIn} noValidate>
        <GoogleButton />
        <TextField label="Email" type="email" autoComplete="username webauthn" {...field('email')} />
        <PasswordField label="Password" autoComplete="current-password" {...field('password')} />
        <Link className="link inline-flex min-h-11 items-center justify-self-start" to={paths.forgotPassword}>
          Forgot password?
        </Link>
        <Button type="submit" busy={isSending} busyText="Signing in...">
          Sign In
        </Button>
        <PasskeySignIn />
      </form>
      <p className="mt-5 text-center text-ink-2">
        New here?{' '}
        <Link className="link inline-flex min-h-11 items-center" to={paths.signup}>
          Sign up
        </Link>
      </p>
      <Consent by="continuing with Google for the first time" />
    </div>
  )
  return (
    <PublicShell>
      {passed ? (
        <Suspense fallback={null}>
          <CodeStep typed={passed} onBack={() => setPassed(undefined)} />
        </Suspense>
      ) : (
        <>
          <PageTitle title="Sign in" />
          <Suspense fallback={null}>{wasInterrupted && <SignedOutNote />}</Suspense>
          <EmailChangeNote outcome={query.get('email')} />
        </>
      )}
      {isExpiredLink ? (
        // The form waits for the note to load. Otherwise, the note would push the form down when it appeared.
        <Suspense fallback={null}>
          <ExpiredLink
            token={(location.state as { token?: string } | null)?.token}
            emailNow={() => values().email}
            onMissing={() => refuse({ email: NO_EMAIL })}
          />
          {entry}
        </Suspense>
      ) : (
        <>
          <Suspense fallback={null}>{sentTo && !passed && <LinkSent email={sentTo} />}</Suspense>
          {entry}
        </>
      )}
    </PublicShell>
  )
}

const GOOGLE_REFUSALS: Record<string, string | undefined> = {
  failed: 'Google didn’t sign you in. Please try again, or use your email and password.',
  'second-step':
    'Your account has a second step and isn’t linked to Google. Please sign in with your email, password and code.',
  'not-invited': 'There’s no account for this address. You need an invitation to create one.',
}

const EMAIL_CHANGE: Record<string, string> = {
  half: 'This address is confirmed. Now open the link we sent to your other address.',
  done: 'Your email address was changed. Sign in with the new one.',
  expired:
    'This link has already been used or has expired. To change your address, start again in your account settings.',
}

/** The outcome of an email change. The link in the confirmation email leads to this page. */
function EmailChangeNote({ outcome }: { outcome: string | null }) {
  const text = outcome && Object.hasOwn(EMAIL_CHANGE, outcome) ? EMAIL_CHANGE[outcome] : undefined
  return text ? (
    <p className="mt-4 rounded-md border border-line bg-surface p-4" role="status">
      {text}
    </p>
  ) : null
}
