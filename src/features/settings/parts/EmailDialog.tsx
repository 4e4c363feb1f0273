import { useForm } from 'react-hook-form'
import { useMe } from '#features/accounts/client.web.ts'
import { problemTitle } from '#platform/api.web.ts'
import { PasswordField, TextField } from '#platform/ui/Field.tsx'
import { useFailure } from '#platform/ui/entry-form.web.ts'
import { FormBoundary } from '#platform/ui/FormBoundary.tsx'
import { FormButtons } from '#platform/ui/FormButtons.tsx'
import { FormDialog } from '#platform/ui/FormDialog.tsx'
import { checkedBy, fieldErrorsOf } from '#platform/ui/form.web.ts'
import { useToast } from '#platform/ui/Toast.tsx'
import { useChangeEmail } from '../client.web.ts'
import { EmailChange, type EmailFields, toEmailChange } from '../settings.ts'

/** A dialog to change the email address. The change has to be confirmed from both the old and the new address. */
export default function EmailDialog({ onClose }: { onClose: () => void }) {
  return (
    <FormBoundary>
      <EmailForm onClose={onClose} />
    </FormBoundary>
  )
}

function EmailForm({ onClose }: { onClose: () => void }) {
  const { has_password: hasPassword } = useMe()
  const toast = useToast()
  const { problem, fail, clear } = useFailure()
  const change = useChangeEmail()
  const toInput = (fields: EmailFields) => toEmailChange(fields, hasPassword)
  const {
    register,
    handleSubmit,
    setError,
    formState: { errors, isDirty },
  } = useForm<EmailFields>({
    resolver: checkedBy(EmailChange, toInput),
    defaultValues: { email: '', current_password: '' },
    reValidateMode: 'onBlur',
  })
  const submit = handleSubmit(async (fields) => {
    clear()
    try {
      await change.mutateAsync(toInput(fields))
      toast.success(
        'Check both inboxes',
        'Open the link in each email. Until then, your address stays the same.',
      )
      onClose()
    } catch (error) {
      const found = fieldErrorsOf(error)
      for (const { field, message } of found)
        setError(field as keyof EmailFields, { message }, { shouldFocus: true })
      if (found.length === 0) fail(error, problemTitle(error, 'Failed to change your email'))
    }
  })
  return (
    <FormDialog
      isAboutAccount
      title="Change email"
      isDirty={isDirty}
      onClose={onClose}
      problem={problem}
      footer={
        <FormButtons
          form="change-email"
          label="Send links"
          isBusy={change.isPending}
          busyText="Sending..."
          onCancel={onClose}
        />
      }
    >
      <p className="text-ink-2">
        We’ll send a link to your current address and another to the new one. The change takes effect once
        you’ve opened both.
      </p>
      <form id="change-email" className="mt-4 grid gap-4" onSubmit={submit} noValidate>
        <TextField
          label="New email"
          type="email"
          autoComplete="email"
          error={errors.email?.message}
          {...register('email')}
        />
        {hasPassword && (
          <PasswordField
            label="Your password"
            autoComplete="current-password"
            error={errors.current_password?.message}
            {...register('current_password')}
          />
        )}
      </form>
    </FormDialog>
  )
}
