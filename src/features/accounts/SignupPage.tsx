import { lazy, Suspense, useContext, useState } from 'react'
import { Link, Navigate, useLocation, useNavigate } from 'react-router'
import { paths } from '#features/site/paths.ts'
import { call, CallFailed, refusalText } from '#platform/api.web.ts'
import { Button, ButtonLink } from '#platform/ui/Button.tsx'
import { PasswordField, TextField } from '#platform/ui/Field.tsx'
import { PageTitle } from '#platform/ui/PageTitle.tsx'
import { PublicShell } from '#platform/ui/PublicShell.tsx'
import { usePlainForm } from '#platform/ui/plain-form.web.ts'
import { useToast } from '#platform/ui/Toast.tsx'
import { canUsePasskeys, deviceProblem, makePasskey, NO_PASSKEYS } from '#features/passkeys/ceremony.web.ts'
import {
  invitationIn,
  NO_EMAIL,
  PASSWORDS_DIFFER,
  SIGN_UP_CLOSED,
  SignUp,
  StartPasskeySignUp,
} from './account.ts'
import { passwordProblem } from './password.ts'
import { noteLinkSent, readSignUpPrefill, useLogin } from './client.web.ts'
import { Consent } from './Consent.tsx'
import { GoogleButton } from './GoogleButton.tsx'
import { SignUpPolicyContext, useQueryString } from './public-page.ts'

// The second step loads while the user fills in the first.
const loadRoleChoice = async () => ({ default: (await import('./RoleChoice.tsx')).RoleChoice })
const RoleChoice = lazy(loadRoleChoice)

export default function SignupPage() {
  const login = useLogin()
  const policy = useContext(SignUpPolicyContext)
  const location = useLocation()
  const invitedBy = invitationIn(useQueryString())
  const navigate = useNavigate()
  const toast = useToast()
  const [step, setStep] = useState<1 | 2>(1)
  const [isPasskey, setIsPasskey] = useState(false)
  const [known] = useState(readSignUpPrefill)
  const [typed, setTyped] = useState({
    // Set if the user came here from /login by clicking 'Wrong address?'.
    email: (location.state as { email?: string } | null)?.email ?? known.email ?? '',
    password: '',
    confirmation: '',
  })
  const { form, field, refuse, onSubmit } = usePlainForm(typed, ({ email, password, confirmation }) => ({
    email: !email
      ? NO_EMAIL
      : !/^\s*\S+@\S+\.\S+\s*$/.test(email) && 'Enter an email address such as name@example.com',
    password: !isPasskey && (!password ? 'Enter a password' : passwordProblem(password)),
    confirmation: !isPasskey && confirmation !== password && PASSWORDS_DIFFER,
  }))

  if (login.status === 'signed-in') return <Navigate to={paths.dashboard} replace />
  if (policy === 'closed') return <Closed />

  const createAccount = async (role: 'parent' | 'tutor') => {
    const { email, password } = typed
    try {
      const secret = isPasskey
        ? { passkey: await makePasskey(await call(StartPasskeySignUp, { email })) }
        : { password }
      await call(SignUp, { email, ...secret, role, ref: invitedBy })
      noteLinkSent(email)
      navigate(paths.login)
      toast.success(
        'Success',
        'Account created successfully! Please check your email to verify your account before signing in.',
      )
    } catch (error) {
      const problem = error instanceof CallFailed ? error : undefined
      if (refuse({ email: problem?.errorOf('email'), password: problem?.errorOf('password') })) setStep(1)
      toast.error('Error', deviceProblem(error) ?? refusalText(error))
    }
  }

  if (step === 2) {
    return (
      <PublicShell>
        <PageTitle title="Who are you here as?" kicker="Step 2 of 2" />
        <Suspense fallback={null}>
          <RoleChoice
            submitLabel="Create account"
            busyText="Creating account..."
            initial={known.role}
            onChoose={createAccount}
            onBack={() => setStep(1)}
          />
        </Suspense>
        <Consent by="creating an account" />
      </PublicShell>
    )
  }
  return (
    <PublicShell>
      <PageTitle title="Create your account" kicker="Step 1 of 2" subtitle="45 days free. No credit card." />
      {(invitedBy || policy === 'invited') && (
        <p className="mt-4 rounded-md bg-accent-soft p-4">
          {policy === 'invited'
            ? 'You need an invitation to sign up here. Use the email address your invitation was sent to.'
            : 'A friend invited you. Once you confirm your email, you’ll both get extra free days.'}
        </p>
      )}
      <form
        ref={form}
        method="post"
        className="mt-6 grid gap-4"
        onSubmit={onSubmit((values) => {
          setTyped({ ...typed, ...values })
          setStep(2)
        })}
        noValidate
      >
        <GoogleButton invitedBy={invitedBy} />
        <TextField
          label="Email"
          type="email"
          autoComplete="email"
          {...field('email')}
          onBlur={() => void loadRoleChoice()}
        />
        {isPasskey ? (
          <p className="text-ink-2">
            At the end, your device asks for your fingerprint, face or screen lock and keeps a passkey. You
            won’t need a password.
          </p>
        ) : (
          <>
            <PasswordField label="Password" autoComplete="new-password" {...field('password')} />
            <PasswordField label="Confirm password" autoComplete="new-password" {...field('confirmation')} />
          </>
        )}
        <Button type="submit">Continue</Button>
        <Button
          tone="quiet"
          onClick={() =>
            isPasskey || canUsePasskeys() ? setIsPasskey(!isPasskey) : toast.error('Error', NO_PASSKEYS)
          }
        >
          {isPasskey ? 'Use a password instead' : 'Use a passkey instead'}
        </Button>
      </form>
      <Consent by="continuing" />
      <p className="mt-5 text-center text-ink-2">
        Already have an account?{' '}
        <Link className="link inline-flex min-h-11 items-center" to={paths.login}>
          Sign In
        </Link>
      </p>
    </PublicShell>
  )
}

function Closed() {
  return (
    <PublicShell>
      <PageTitle title="Sign-up is closed" subtitle={SIGN_UP_CLOSED.title} />
      <div className="mt-6 grid">
        <ButtonLink to={paths.login}>Sign In</ButtonLink>
      </div>
    </PublicShell>
  )
}
