import { useEffect, useState } from 'react'
import { call, CallFailed, refusalText } from '#platform/api.web.ts'
import { Button } from '#platform/ui/Button.tsx'
import { TextField } from '#platform/ui/Field.tsx'
import { PageTitle } from '#platform/ui/PageTitle.tsx'
import { usePlainForm } from '#platform/ui/plain-form.web.ts'
import { useToast } from '#platform/ui/Toast.tsx'
import { SignIn } from './account.ts'
import { acceptLogin } from './client.web.ts'

interface CodeStepProps {
  /** What was right so far. */
  typed: { email: string; password: string }
  /** Back to the email and the password. */
  onBack: () => void
}

/** The second step of signing in with a password. */
export function CodeStep({ typed, onBack }: CodeStepProps) {
  const toast = useToast()
  const [isRecovery, setIsRecovery] = useState(false)
  const { form, field, refuse, onSubmit, isSending } = usePlainForm({ code: '' }, ({ code }) => ({
    code: !code.trim() && 'Enter the code',
  }))
  useEffect(() => form.current?.querySelector('input')?.focus(), [form, isRecovery])
  const signIn = onSubmit(async ({ code }) => {
    try {
      acceptLogin(await call(SignIn, { ...typed, code }))
    } catch (error) {
      const problem = error instanceof CallFailed ? error : undefined
      const message = problem?.errorOf('code')
      if (message) return refuse({ code: message })
      toast.error('Login failed', refusalText(error))
      // After too many wrong codes, or if the password has changed, it starts over.
      if (problem && !problem.isRetryable) onBack()
    }
  })
  return (
    <>
      <PageTitle
        title="Enter your code"
        subtitle={
          isRecovery
            ? 'Use one of the recovery codes you kept. Each works once.'
            : 'Open your authenticator app and enter the code it shows for Tutorlog.'
        }
      />
      <form ref={form} method="post" className="mt-6 grid gap-4" onSubmit={signIn} noValidate>
        <TextField
          key={isRecovery ? 'recovery' : 'app'}
          label={isRecovery ? 'Recovery code' : 'Code'}
          inputMode={isRecovery ? 'text' : 'numeric'}
          autoComplete={isRecovery ? 'off' : 'one-time-code'}
          autoCapitalize="none"
          spellCheck={false}
          {...field('code')}
        />
        <Button type="submit" busy={isSending} busyText="Signing in...">
          Sign In
        </Button>
        <Button
          tone="quiet"
          onClick={() => {
            refuse({})
            setIsRecovery(!isRecovery)
          }}
        >
          {isRecovery ? 'Use your app instead' : 'Use a recovery code instead'}
        </Button>
        <Button tone="quiet" onClick={onBack}>
          Back
        </Button>
      </form>
    </>
  )
}
