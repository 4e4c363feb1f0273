import { lazy, Suspense } from 'react'
import { useForm } from 'react-hook-form'
import type { OutputOf } from '#kernel/endpoint.ts'
import { call } from '#platform/api.web.ts'
import { useSignInForm } from '#platform/ui/entry-form.web.ts'
import { TextField } from '#platform/ui/Field.tsx'
import { inFormBoundary } from '#platform/ui/FormBoundary.tsx'
import { FormButtons } from '#platform/ui/FormButtons.tsx'
import { FormDialog } from '#platform/ui/FormDialog.tsx'
import { fieldIn } from '#platform/ui/form.web.ts'
import { type StartSecondStep, TurnOnSecondStep } from './second-step.ts'

const QrCode = lazy(() => import('#platform/ui/QrCode.tsx'))

export const SecondStepDialog = inFormBoundary(SecondStepForm)

interface SecondStepDialogProps {
  started: OutputOf<typeof StartSecondStep>
  onTurnedOn: (recoveryCodes: string[]) => void
  onClose: () => void
}

/** Gives the secret to an authenticator app, and takes a code that shows it has arrived. */
function SecondStepForm({ started: { key, uri }, onTurnedOn, onClose }: SecondStepDialogProps) {
  const form = useForm({ defaultValues: { code: '' } })
  const { submit, problem, isDirty } = useSignInForm(form, {
    save: async (fields) => onTurnedOn((await call(TurnOnSecondStep, fields)).recovery_codes),
    failure: 'Failed to turn on the second step',
    onDone: () => undefined,
  })
  return (
    <FormDialog
      isAboutAccount
      title="Set up the second step"
      isDirty={isDirty}
      onClose={onClose}
      problem={problem}
      footer={
        <FormButtons
          form="set-up-second-step"
          label="Turn on"
          busyText="Turning on..."
          isBusy={form.formState.isSubmitting}
          onCancel={onClose}
        />
      }
    >
      <p>
        Scan this with an authenticator app, such as Google Authenticator, Microsoft Authenticator or your
        password manager.
      </p>
      <figure className="mt-4 grid justify-items-center">
        <Suspense fallback={<div className="sk size-[260px]" />}>
          <QrCode text={uri} label="QR code for your authenticator app" />
        </Suspense>
      </figure>
      <p className="mt-4 text-small text-ink-2">
        Is the app on this device?{' '}
        <a className="link inline-flex min-h-11 items-center" href={uri}>
          Open it
        </a>{' '}
        or enter this key:
      </p>
      <p className="rounded-md bg-sunken px-3 py-2 font-mono text-small break-words select-all">
        {key.match(/.{1,4}/g)?.join(' ')}
      </p>
      <form id="set-up-second-step" className="mt-4" onSubmit={submit} noValidate>
        <TextField
          label="Code from the app"
          inputMode="numeric"
          autoComplete="one-time-code"
          {...fieldIn(form, 'code', { required: 'Enter the code' })}
        />
      </form>
    </FormDialog>
  )
}
