import { useForm } from 'react-hook-form'
import { PASSWORDS_DIFFER } from '#features/accounts/account.ts'
import { useMe } from '#features/accounts/client.web.ts'
import { passwordProblem } from '#features/accounts/password.ts'
import { useSignInForm } from '#platform/ui/entry-form.web.ts'
import { PasswordField } from '#platform/ui/Field.tsx'
import { inFormBoundary } from '#platform/ui/FormBoundary.tsx'
import { FormButtons } from '#platform/ui/FormButtons.tsx'
import { FormDialog } from '#platform/ui/FormDialog.tsx'
import { fieldIn } from '#platform/ui/form.web.ts'
import { useChangePassword } from '../client.web.ts'
import { type PasswordFields, toPasswordChange } from '../settings.ts'

/** A dialog to change the password, or to set one for the first time. */
export const PasswordDialog = inFormBoundary(PasswordForm)

function PasswordForm({ onClose }: { onClose: () => void }) {
  const { has_password: hasPassword } = useMe()
  const change = useChangePassword()
  const form = useForm<PasswordFields>({
    defaultValues: { current_password: '', password: '', confirmation: '' },
    reValidateMode: 'onBlur',
  })
  const { submit, problem, isDirty } = useSignInForm(form, {
    save: (fields) => change.mutateAsync(toPasswordChange(fields, hasPassword)),
    success: ['Password changed', 'Every other device was signed out.'],
    failure: 'Failed to change your password',
    onDone: onClose,
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
            {...fieldIn(form, 'current_password', { required: 'Enter your current password' })}
          />
        )}
        <PasswordField
          label="New password"
          autoComplete="new-password"
          {...fieldIn(form, 'password', { validate: passwordProblem })}
        />
        <PasswordField
          label="Confirm new password"
          autoComplete="new-password"
          {...fieldIn(form, 'confirmation', {
            validate: (text) => text === form.getValues('password') || PASSWORDS_DIFFER,
          })}
        />
      </form>
    </FormDialog>
  )
}
