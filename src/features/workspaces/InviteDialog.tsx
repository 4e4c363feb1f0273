import { Controller, useForm, useWatch } from 'react-hook-form'
import { withDraft } from '#platform/ui/draft.web.ts'
import { useEntryForm } from '#platform/ui/entry-form.web.ts'
import { SelectField } from '#platform/ui/EntryField.tsx'
import { TextField } from '#platform/ui/Field.tsx'
import { checkedBy, fieldIn } from '#platform/ui/form.web.ts'
import { inFormBoundary } from '#platform/ui/FormBoundary.tsx'
import { FormButtons } from '#platform/ui/FormButtons.tsx'
import { FormDialog } from '#platform/ui/FormDialog.tsx'
import { useInviteMember } from './client.web.ts'
import { ROLE_RIGHTS, ROLE_WORDS } from './naming.ts'
import { type Person, StudentChoice } from './StudentChoice.tsx'
import { GIVEN_ROLES, INVITATION_DAYS, type Kind, NewInvitation } from './workspace.ts'

const DRAFT = 'member:new'

interface InviteDialogProps {
  kind: Kind
  /** The children or students that a member's access can be limited to. */
  students: Person[]
  onClose: () => void
}

/** A dialog to invite someone by email and give them a role. Closes only after the invitation is sent. */
export const InviteDialog = inFormBoundary(InviteForm, () => DRAFT)

function InviteForm({ kind, students, onClose }: InviteDialogProps) {
  const invite = useInviteMember()
  const roles = GIVEN_ROLES[kind]
  const form = useForm<{ email: string; role: (typeof roles)[number]; student_ids: string[] | null }>({
    resolver: checkedBy(NewInvitation, (fields) => fields),
    defaultValues: withDraft(DRAFT, { email: '', role: roles[0], student_ids: null }),
  })
  const { submit, close, problem, isDirty } = useEntryForm(form, {
    draft: DRAFT,
    save: (input, idempotencyKey) => invite.mutateAsync({ input, idempotencyKey }),
    onDone: onClose,
    success: 'Invitation sent',
    failure: 'The invitation was not sent',
  })
  const { control } = form
  const role = useWatch({ control, name: 'role' })
  return (
    <FormDialog
      title={`Invite to your ${kind}`}
      isDirty={isDirty}
      onClose={close}
      problem={problem}
      footer={
        <FormButtons
          form="invite-form"
          label="Send Invitation"
          isBusy={invite.isPending}
          busyText="Sending..."
          onCancel={close}
        />
      }
    >
      <form id="invite-form" className="grid gap-4" onSubmit={submit} noValidate>
        <TextField
          label="Email"
          type="email"
          required
          autoComplete="off"
          help={`The link in the email works for ${INVITATION_DAYS} days, and only for this address.`}
          {...fieldIn(form, 'email')}
        />
        <div>
          <SelectField label="Role" help={ROLE_RIGHTS[role]} {...fieldIn(form, 'role')}>
            {roles
              .filter((one) => one !== 'viewer' || role === 'viewer')
              .map((one) => (
                <option key={one} value={one}>
                  {ROLE_WORDS[one]}
                </option>
              ))}
          </SelectField>
          {/* Few families need this role, so it isn't in the list until it's asked for. */}
          {roles.some((one) => one === 'viewer') && role !== 'viewer' && (
            <button
              type="button"
              className="link min-h-11 text-small"
              onClick={() => form.setValue('role', 'viewer', { shouldDirty: true })}
            >
              They should only look
            </button>
          )}
        </div>
        {students.length > 0 && (
          <Controller
            control={control}
            name="student_ids"
            render={({ field }) => (
              <StudentChoice
                kind={kind}
                students={students}
                value={field.value}
                onChange={field.onChange}
                error={form.formState.errors.student_ids?.message}
              />
            )}
          />
        )}
      </form>
    </FormDialog>
  )
}
