import { useForm } from 'react-hook-form'
import { useMe } from '#features/accounts/client.web.ts'
import { useSignInForm } from '#platform/ui/entry-form.web.ts'
import { PasswordField, TextField } from '#platform/ui/Field.tsx'
import { inFormBoundary } from '#platform/ui/FormBoundary.tsx'
import { FormButtons } from '#platform/ui/FormButtons.tsx'
import { FormDialog } from '#platform/ui/FormDialog.tsx'
import { checkedBy, fieldIn } from '#platform/ui/form.web.ts'
import { useChangeEmail } from '../client.web.ts'
import { EmailChange, type EmailFields, toEmailChange } from '../settings.ts'

/** A dialog to change the email address. The change has to be confirmed from both the old and the new address. */
export const EmailDialog = inFormBoundary(EmailForm)

function EmailForm({ onClose }: { onClose: () => void }) {
  const { has_password: hasPassword } = useMe()
  const change = useChangeEmail()
  const toInput = (fields: EmailFields) => toEmailChange(fields, hasPassword)
  const form = useForm<EmailFields>({
    resolver: checkedBy(EmailChange, toInput),
    defaultValues: { email: '', current_password: '' },
    reValidateMode: 'onBlur',
  })
  const { submit, problem, isDirty } = useSignInForm(form, {
    save: (fields) => change.mutateAsync(toInput(fields)),
    success: ['Check both inboxes', 'Open the link in each email. Until then, your address stays the same.'],
    failure: 'Failed to change your email',
    onDone: onClose,
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
        <TextField label="New email" type="email" autoComplete="email" {...fieldIn(form, 'email')} />
        {hasPassword && (
          <PasswordField
            label="Your password"
            autoComplete="current-password"
            {...fieldIn(form, 'current_password')}
          />
        )}
      </form>
    </FormDialog>
  )
}
