import { useForm } from 'react-hook-form'
import { problemTitle } from '#platform/api.web.ts'
import { useFailure } from '#platform/ui/entry-form.web.ts'
import { TextField } from '#platform/ui/Field.tsx'
import { inFormBoundary } from '#platform/ui/FormBoundary.tsx'
import { FormButtons } from '#platform/ui/FormButtons.tsx'
import { FormDialog } from '#platform/ui/FormDialog.tsx'
import { checkedBy, fieldErrorsOf, fieldIn } from '#platform/ui/form.web.ts'
import { useRenamePasskey } from './client.web.ts'
import { type Passkey, PasskeyName } from './passkey.ts'

export const RenameDialog = inFormBoundary(RenameForm)

function RenameForm({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const rename = useRenamePasskey()
  const { problem, fail, clear } = useFailure()
  const form = useForm<{ name: string }>({
    resolver: checkedBy(PasskeyName, (fields: { name: string }) => fields),
    defaultValues: { name: passkey.name },
  })
  const submit = form.handleSubmit(async ({ name }) => {
    clear()
    try {
      await rename.mutateAsync({ id: passkey.id, name })
      onClose()
    } catch (error) {
      for (const { message } of fieldErrorsOf(error)) form.setError('name', { message })
      fail(error, problemTitle(error, 'Failed to rename the passkey'))
    }
  })
  return (
    <FormDialog
      isAboutAccount
      title="Rename passkey"
      isDirty={form.formState.isDirty}
      onClose={onClose}
      problem={problem}
      footer={<FormButtons form="rename-passkey" label="Save" isBusy={rename.isPending} onCancel={onClose} />}
    >
      <form id="rename-passkey" onSubmit={submit} noValidate>
        <TextField
          label="Name"
          autoComplete="off"
          help="For example, the device it’s on."
          {...fieldIn(form, 'name')}
        />
      </form>
    </FormDialog>
  )
}
