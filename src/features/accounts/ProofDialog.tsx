import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { canUsePasskeys, deviceProblem, askForPasskey } from '#features/passkeys/ceremony.web.ts'
import { useWaysIn } from '#features/passkeys/client.web.ts'
import { StartPasskeyProof } from '#features/passkeys/passkey.ts'
import { call, CallFailed, problemTitle } from '#platform/api.web.ts'
import { Button } from '#platform/ui/Button.tsx'
import { useFailure, useSignInForm } from '#platform/ui/entry-form.web.ts'
import { PasswordField } from '#platform/ui/Field.tsx'
import { FormButtons } from '#platform/ui/FormButtons.tsx'
import { FormDialog } from '#platform/ui/FormDialog.tsx'
import { fieldIn } from '#platform/ui/form.web.ts'
import { CodeField } from './CodeField.tsx'
import { proveWithGoogle, useMe } from './client.web.ts'
import { Prove } from './proving.ts'

/** Asks someone who signed in a while ago to prove that it's them. Whatever needed the proof then goes ahead. */
export function ProofDialog({ onDone }: { onDone: (isProven: boolean) => void }) {
  const { has_password: hasPassword } = useMe()
  const ways = useWaysIn()
  const hasPasskeys = canUsePasskeys() && (ways.data?.passkeys.length ?? 0) > 0
  const passkey = usePasskeyProof(() => onDone(true))
  const google = useGoogle()
  const { form, needsCode, submit, problem, isDirty } = usePasswordProof(ways.data?.second_step, () =>
    onDone(true),
  )
  return (
    <FormDialog
      isAboutAccount
      title="Confirm it’s you"
      isDirty={isDirty}
      onClose={() => onDone(false)}
      problem={problem ?? passkey.problem ?? google.problem}
      footer={
        hasPassword ? (
          <FormButtons
            form="prove"
            label="Confirm"
            isBusy={form.formState.isSubmitting}
            busyText="Confirming..."
            onCancel={() => onDone(false)}
          />
        ) : (
          <Button tone="secondary" onClick={() => onDone(false)}>
            Cancel
          </Button>
        )
      }
    >
      <p className="text-ink-2">
        It’s been more than ten minutes since you signed in. Please confirm that it’s you to continue.
      </p>
      <div className="mt-4 grid gap-4">
        {hasPasskeys && (
          <Button
            tone={hasPassword ? 'secondary' : 'primary'}
            busy={passkey.isBusy}
            busyText="Waiting for your passkey..."
            onClick={() => void passkey.prove()}
          >
            Use your passkey
          </Button>
        )}
        {hasPassword ? (
          <form id="prove" className="grid gap-4" onSubmit={submit} noValidate>
            <PasswordField
              label="Your password"
              autoComplete="current-password"
              {...fieldIn(form, 'password', { required: 'Enter your password' })}
            />
            {needsCode && <CodeField {...fieldIn(form, 'code', { required: 'Enter the code' })} />}
          </form>
        ) : (
          ways.data?.has_google && (
            <>
              <Button
                tone={hasPasskeys ? 'secondary' : 'primary'}
                busy={google.isLeaving}
                busyText="Opening..."
                onClick={() => void google.leave()}
              >
                Continue with Google
              </Button>
              <p className="text-small text-ink-2">You’ll come back here afterward.</p>
            </>
          )
        )}
        {!hasPassword && !hasPasskeys && ways.isFetched && !ways.data?.has_google && (
          <p className="text-ink-2">Sign out and in again, then try once more.</p>
        )}
      </div>
    </FormDialog>
  )
}

function usePasswordProof(secondStep: object | null | undefined, onProven: () => void) {
  const form = useForm({ defaultValues: { password: '', code: '' } })
  // The second step may have been turned on a moment ago.
  const [isAsked, setIsAsked] = useState(false)
  const needsCode = isAsked || !!secondStep
  const signIn = useSignInForm(form, {
    save: async ({ password, code }) => {
      try {
        await call(Prove, { password, ...(needsCode && { code }) })
      } catch (error) {
        if (error instanceof CallFailed && error.problem.code === 'code_needed') setIsAsked(true)
        throw error
      }
    },
    failure: 'It couldn’t be confirmed that it’s you',
    onDone: onProven,
  })
  return { ...signIn, form, needsCode }
}

function usePasskeyProof(onProven: () => void) {
  const [problem, setProblem] = useState<string>()
  const [isBusy, setIsBusy] = useState(false)
  const prove = async () => {
    setProblem(undefined)
    setIsBusy(true)
    try {
      await call(Prove, { passkey: await askForPasskey(await call(StartPasskeyProof, {})) })
      onProven()
    } catch (error) {
      setProblem(deviceProblem(error) ?? problemTitle(error, 'An unexpected error occurred'))
    } finally {
      setIsBusy(false)
    }
  }
  return { problem, isBusy, prove }
}

function useGoogle() {
  const { problem, fail, clear } = useFailure()
  const [isLeaving, setIsLeaving] = useState(false)
  const leave = async () => {
    clear()
    setIsLeaving(true)
    try {
      await proveWithGoogle()
    } catch (error) {
      setIsLeaving(false)
      fail(error, problemTitle(error, 'An unexpected error occurred'))
    }
  }
  return { problem, isLeaving, leave }
}
