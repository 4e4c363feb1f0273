import { useForm } from 'react-hook-form'
import { PASSWORDS_DIFFER } from '#features/accounts/account.ts'
import { useMe } from '#features/accounts/client.web.ts'
import { passwordProblem } from '#features/accounts/password.ts'
import { problemTitle } from '#platform/api.web.ts'
import { PasswordField } from '#platform/ui/Field.tsx'
import { useFailure } from '#platform/ui/entry-form.web.ts'
import { FormBoundary } from '#platform/ui/FormBoundary.tsx'
import { FormButtons } from '#platform/ui/FormButtons.tsx'
import { FormDialog } from '#platform/ui/FormDialog.tsx'
import { fieldErrorsOf } from '#platform/ui/form.web.ts'
import { useToast } from '#platform/ui/Toast.tsx'
import { useChangePassword } from '../client.web.ts'
import { type PasswordFields, toPasswordChange } from '../settings.ts'

/** A dialog to change the password, or to set one for the first time. */
export default function PasswordDialog({ onClose }: { onClose: () => void }) {
  return (
    <FormBoundary>
      <PasswordForm onClose={onClose} />
    </FormBoundary>
  )
}

function PasswordForm({ onClose }: { onClose: () => void }) {
  const { has_password: hasPassword } = useMe()
  const toast = useToast()
  const { problem, fail, clear } = useFailure()
  const change = useChangePassword()
  const {
    register,
    handleSubmit,
    getValues,
    setError,
    formState: { errors, isDirty },
  } = useForm<PasswordFields>({
    defaultValues: { current_password: '', password: '', confirmation: '' },
    reValidateMode: 'onBlur',
  })
  const submit = handleSubmit(async (typed) => {
    clear()
    try {
      await change.mutateAsync(toPasswordChange(typed, hasPassword))
      toast.success('Password changed', 'Every other device was signed out.')
      onClose()
    } catch (error) {
      const fields = fieldErrorsOf(error)
      for (const { field, message } of fields)
        setError(field as keyof PasswordFields, { message }, { shouldFocus: true })
      if (fields.length === 0) fail(error, problemTitle(error, 'Failed to change your password'))
    }
  })
  return (
    <FormDialog
      isAboutAccount
      title={hasPassword ? 'Change password' : 'Set a password'}
      isDirty={isDirty}
      onClose={onClose}
      problem={problem}
      footer={
        <FormButtons
          form="change-password"
          label={hasPassword ? 'Change password' : 'Set password'}
          isBusy={change.isPending}
          onCancel={onClose}
        />
      }
    >
      <form id="change-password" className="grid gap-4" onSubmit={submit} noValidate>
        {hasPassword && (
          <PasswordField
            label="Current password"
            autoComplete="current-password"
            error={errors.current_password?.message}
            {...register('current_password', { required: 'Enter your current password' })}
          />
        )}
        <PasswordField
          label="New password"
          autoComplete="new-password"
          error={errors.password?.message}
          {...register('password', { validate: passwordProblem })}
        />
        <PasswordField
          label="Confirm new password"
          autoComplete="new-password"
          error={errors.confirmation?.message}
          {...register('confirmation', {
            validate: (text) => text === getValues('password') || PASSWORDS_DIFFER,
          })}
        />
      </form>
    </FormDialog>
  )
}
