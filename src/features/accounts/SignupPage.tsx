import { lazy, Suspense, useState } from 'react'
import { useForm } from 'react-hook-form'
import { Link, Navigate, useLocation, useNavigate } from 'react-router'
import { paths } from '#features/site/paths.ts'
import { call, CallFailed } from '#platform/api.web.ts'
import { Button } from '#platform/ui/Button.tsx'
import { PasswordField, TextField } from '#platform/ui/Field.tsx'
import { PageTitle } from '#platform/ui/PageTitle.tsx'
import { PublicShell } from '#platform/ui/PublicShell.tsx'
import { useToast } from '#platform/ui/Toast.tsx'
import {
  invitationIn,
  MAX_PASSWORD_LENGTH,
  MIN_PASSWORD_LENGTH,
  PASSWORDS_DIFFER,
  SignUp,
  TOO_SHORT,
} from './account.ts'
import { noteLinkSent, readSignUpPrefill, useLogin } from './client.web.ts'
import { Consent } from './Consent.tsx'
import { GoogleButton } from './GoogleButton.tsx'

// The second step loads while the first is being filled in.
const loadRoleChoice = async () => ({ default: (await import('./RoleChoice.tsx')).RoleChoice })
const RoleChoice = lazy(loadRoleChoice)

interface Fields {
  email: string
  password: string
  confirmation: string
}

export default function SignupPage() {
  const login = useLogin()
  const location = useLocation()
  const invitedBy = invitationIn(location.search)
  const navigate = useNavigate()
  const toast = useToast()
  const [step, setStep] = useState<1 | 2>(1)
  const [known] = useState(readSignUpPrefill)
  const {
    register,
    handleSubmit,
    getValues,
    setError,
    formState: { errors },
  } = useForm<Fields>({
    // Back from /login through 'Wrong address?'.
    defaultValues: { email: (location.state as { email?: string } | null)?.email ?? known.email ?? '' },
  })

  if (login.status === 'signed-in') return <Navigate to={paths.dashboard} replace />

  const createAccount = async (role: 'parent' | 'tutor') => {
    const { email, password } = getValues()
    try {
      await call(SignUp, { email, password, role, ref: invitedBy })
      noteLinkSent(email)
      navigate(paths.login)
      toast.success(
        'Success',
        'Account created successfully! Please check your email to verify your account before signing in.',
      )
    } catch (error) {
      const problem = error instanceof CallFailed ? error : undefined
      for (const field of ['email', 'password'] as const) {
        const message = problem?.errorOf(field)
        if (!message) continue
        setStep(1)
        setError(field, { message })
      }
      toast.error('Error', problem?.problem.title ?? 'An unexpected error occurred')
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
      {invitedBy && (
        <p className="mt-4 rounded-md bg-accent-soft p-4">
          A friend invited you. Once you have confirmed your email, you both get more days.
        </p>
      )}
      <form method="post" className="mt-6 grid gap-4" onSubmit={handleSubmit(() => setStep(2))} noValidate>
        <GoogleButton invitedBy={invitedBy} />
        <TextField
          label="Email"
          type="email"
          autoComplete="email"
          error={errors.email?.message}
          {...register('email', {
            onBlur: () => void loadRoleChoice(),
            required: 'Enter your email address',
            validate: (text) =>
              /^\s*\S+@\S+\.\S+\s*$/.test(text) || 'Enter an email address such as name@example.com',
          })}
        />
        <PasswordField
          label="Password"
          autoComplete="new-password"
          error={errors.password?.message}
          {...register('password', {
            required: 'Enter a password',
            minLength: { value: MIN_PASSWORD_LENGTH, message: TOO_SHORT },
            maxLength: { value: MAX_PASSWORD_LENGTH, message: 'Use at most 256 characters' },
          })}
        />
        <PasswordField
          label="Confirm password"
          autoComplete="new-password"
          error={errors.confirmation?.message}
          {...register('confirmation', {
            validate: (text) => text === getValues('password') || PASSWORDS_DIFFER,
          })}
        />
        <Button type="submit">Continue</Button>
      </form>
      <Consent by="continuing" />
      <p className="mt-5 text-center text-ink-2">
        Have an account?{' '}
        <Link className="link inline-flex min-h-11 items-center" to={paths.login}>
          Sign In
        </Link>
      </p>
    </PublicShell>
  )
}
