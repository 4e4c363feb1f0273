import { useForm } from 'react-hook-form'
import { useMe, useReturnPath } from '#features/accounts/client.web.ts'
import { paths } from '#features/site/paths.ts'
import { CallFailed } from '#platform/api.web.ts'
import { Button } from '#platform/ui/Button.tsx'
import { PasswordField, TextField } from '#platform/ui/Field.tsx'
import { useFailure } from '#platform/ui/entry-form.web.ts'
import { inFormBoundary } from '#platform/ui/FormBoundary.tsx'
import { fieldIn } from '#platform/ui/form.web.ts'
import { FormDialog } from '#platform/ui/FormDialog.tsx'
import { useToast } from '#platform/ui/Toast.tsx'
import { deleteAccount } from './client.web.ts'

/** The deletion dialog's warning about a family or a practice that other people use too. */
const OTHERS = {
  family:
    "If another parent can see all of the family's records, they'll become the owner, and nothing else " +
    'will change. Otherwise, everyone else in the family will lose these records too.',
  practice: 'Everyone else in your practice will lose these records too.',
}
/**
 * The word the user has to type, so that nobody deletes an account by accident (docs/design/look.md, section
 * 10).
 */
const WORD = 'delete'

export const DeleteAccountDialog = inFormBoundary(DeleteAccountForm)

function DeleteAccountForm({ onClose }: { onClose: () => void }) {
  const me = useMe()
  useReturnPath(`${paths.account}?delete=ask`)
  const toast = useToast()
  const { problem, fail, clear } = useFailure()
  const form = useForm<{ word: string; password: string }>({ defaultValues: { word: '', password: '' } })
  const { isSubmitting, isDirty } = form.formState
  const submit = form.handleSubmit(async ({ password }) => {
    clear()
    try {
      await deleteAccount(password)
      toast.success('Your account was deleted', 'Sign in within 29 days if you change your mind.')
    } catch (error) {
      const message =
        error instanceof CallFailed
          ? (error.errorOf('current_password') ?? error.problem.title)
          : 'Failed to delete your account'
      if (error instanceof CallFailed && error.errorOf('current_password'))
        form.setError('password', { message }, { shouldFocus: true })
      else fail(error, message)
    }
  })
  return (
    <FormDialog
      isAboutAccount
      title="Delete account"
      isDirty={isDirty}
      onClose={onClose}
      problem={problem}
      footer={
        <>
          <Button tone="secondary" onClick={onClose}>
            Keep my account
          </Button>
          <Button
            type="submit"
            form="delete-account"
            tone="danger"
            className="flex-1"
            busy={isSubmitting}
            busyText="Deleting..."
          >
            Delete account
          </Button>
        </>
      }
    >
      <p className="text-ink-2">
        You’ll be signed out on every device right away. Everything in your account will be erased for good
        within 30 days: children, tutors, sessions, schedules and totals.
        {me.takes_payments && ' Any active subscription will be canceled.'}
      </p>
      {me.workspace && (
        <p className="mt-2 text-ink-2">
          {me.workspace.role === 'owner'
            ? OTHERS[me.workspace.kind]
            : `What you logged in this ${me.workspace.kind} will stay there. Anything you own elsewhere will be erased.`}
        </p>
      )}
      <p className="mt-2 text-ink-2">
        If you might need your data, export it first. If you change your mind, sign in within 29 days to keep
        your account.
      </p>
      <form id="delete-account" className="mt-4 grid gap-4" onSubmit={submit} noValidate>
        <TextField
          label={`Type "${WORD}" to confirm`}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          {...fieldIn(form, 'word', {
            validate: (text) => text.trim().toLowerCase() === WORD || `Type the word ${WORD}`,
          })}
        />
        {me.has_password && (
          <PasswordField
            label="Your password"
            autoComplete="current-password"
            {...fieldIn(form, 'password', { required: 'Enter your password' })}
          />
        )}
      </form>
    </FormDialog>
  )
}
