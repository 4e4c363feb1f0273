import { useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { paths } from '#features/site/paths.ts'
import type { InputOf, OutputOf } from '#kernel/endpoint.ts'
import { call, CallFailed, refusalText } from '#platform/api.web.ts'
import { Button } from '#platform/ui/Button.tsx'
import { PasswordField } from '#platform/ui/Field.tsx'
import { PageTitle } from '#platform/ui/PageTitle.tsx'
import { PublicShell } from '#platform/ui/PublicShell.tsx'
import { usePlainForm } from '#platform/ui/plain-form.web.ts'
import { useToast } from '#platform/ui/Toast.tsx'
import { PASSWORDS_DIFFER } from './account.ts'
import { CodeField } from './CodeField.tsx'
import { acceptLogin } from './client.web.ts'
import { passwordProblem } from './password.ts'
import { canUsePasskeys, deviceProblem, makePasskey, NO_PASSKEYS } from '#features/passkeys/ceremony.web.ts'
import { CheckReset, ResetPassword, StartPasskeyReset } from './reset.ts'

declare global {
  interface Window {
    /** The reset link's query string. early.js removed it from the address bar before anything else loaded. */
    resetQuery?: string
  }
}

function resetPair(): { access_token: string; refresh_token: string } {
  const query = new URLSearchParams(window.resetQuery)
  return { access_token: query.get('access_token') ?? '', refresh_token: query.get('refresh_token') ?? '' }
}

function forgetResetPair(): void {
  window.resetQuery = undefined
}

type Secret = Pick<InputOf<typeof ResetPassword>, 'password' | 'passkey' | 'code'>

/** Without a second step, the form has no field for a code. */
const codeProblem = (code: string | undefined) => code !== undefined && !code.trim() && 'Enter the code'

export default function ResetPasswordPage() {
  const navigate = useNavigate()
  const toast = useToast()
  const [link, setLink] = useState<OutputOf<typeof CheckReset>>()
  const [isMaking, setIsMaking] = useState(false)
  const { form, field, values, refuse, onSubmit, isSending } = usePlainForm(
    { password: '', confirmation: '', code: '' },
    ({ password, confirmation, code }) => ({
      password: passwordProblem(password),
      confirmation: confirmation !== password && PASSWORDS_DIFFER,
      code: codeProblem(code),
    }),
  )
  const isAsked = useRef(false)

  const leave = () => {
    toast.error(
      'Invalid Reset Link',
      'This password reset link is invalid or has expired. Please request a new one.',
    )
    navigate(paths.forgotPassword, { replace: true })
  }

  useEffect(() => {
    if (isAsked.current) return
    isAsked.current = true
    void verify()

    async function verify(): Promise<void> {
      try {
        setLink(await call(CheckReset, resetPair()))
      } catch (error) {
        // Tries again, because the link may still be valid. Only the server can tell us it isn't.
        if (error instanceof CallFailed && error.isRetryable) setTimeout(() => void verify(), 1000)
        else leave()
      }
    }
  })

  const update = async (secret: Secret, done: string) => {
    try {
      acceptLogin(await call(ResetPassword, { ...resetPair(), ...secret }))
      forgetResetPair()
      toast.success('Success', done)
      navigate(paths.dashboard, { replace: true })
    } catch (error) {
      const problem = error instanceof CallFailed ? error : undefined
      if (refuse({ password: problem?.errorOf('password'), code: problem?.errorOf('code') })) return
      if (problem?.problem.code === 'invalid_reset') leave()
      else toast.error('Error', refusalText(error))
    }
  }
  const updatePassword = onSubmit(({ password, code }) =>
    update({ password, code }, 'Your password has been updated successfully.'),
  )
  const addPasskey = async () => {
    if (!canUsePasskeys()) return toast.error('Error', NO_PASSKEYS)
    const { code } = values()
    if (refuse({ code: codeProblem(code) })) return
    setIsMaking(true)
    try {
      const passkey = await makePasskey(await call(StartPasskeyReset, { ...resetPair(), code }))
      await update({ passkey, code }, 'Your new passkey has been added.')
    } catch (error) {
      const problem = error instanceof CallFailed ? error : undefined
      if (refuse({ code: problem?.errorOf('code') })) return
      if (problem?.problem.code === 'invalid_reset') leave()
      else toast.error('Error', deviceProblem(error) ?? refusalText(error))
    } finally {
      setIsMaking(false)
    }
  }

  if (!link) {
    return (
      <PublicShell>
        <PageTitle title="Reset password" />
        <p className="mt-4 text-ink-2" role="status">
          Verifying reset link...
        </p>
      </PublicShell>
    )
  }
  return (
    <PublicShell>
      <PageTitle title="Reset password" />
      <form ref={form} method="post" className="mt-6 grid gap-4" onSubmit={updatePassword} noValidate>
        <PasswordField label="New Password" autoComplete="new-password" {...field('password')} />
        <PasswordField label="Confirm New Password" autoComplete="new-password" {...field('confirmation')} />
        {link.has_second_step && <CodeField {...field('code')} />}
        <Button type="submit" busy={isSending} busyText="Updating Password...">
          Update Password
        </Button>
        <Button
          tone="quiet"
          busy={isMaking}
          busyText="Waiting for your device..."
          onClick={() => void addPasskey()}
        >
          Use a new passkey instead
        </Button>
      </form>
    </PublicShell>
  )
}
