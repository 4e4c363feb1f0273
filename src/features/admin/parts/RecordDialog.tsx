import { useForm } from 'react-hook-form'
import { problemTitle } from '#platform/api.web.ts'
import { Button } from '#platform/ui/Button.tsx'
import { TextArea } from '#platform/ui/Field.tsx'
import { useFailure } from '#platform/ui/entry-form.web.ts'
import { inFormBoundary } from '#platform/ui/FormBoundary.tsx'
import { FormDialog } from '#platform/ui/FormDialog.tsx'
import { checkedBy, fieldIn } from '#platform/ui/form.web.ts'
import { type AccountLine, Purpose } from '../admin.ts'
import { useReadRecord } from '../client.web.ts'

/** Asks for a purpose, then shows a person's entries. */
export const RecordDialog = inFormBoundary(PurposeForm)

function PurposeForm({ person, onClose }: { person: AccountLine; onClose: () => void }) {
  const { problem, fail } = useFailure()
  const reading = useReadRecord()
  const form = useForm<{ purpose: string }>({
    resolver: checkedBy(Purpose, (values) => values),
    defaultValues: { purpose: '' },
  })
  const submit = form.handleSubmit(({ purpose }) =>
    reading.mutate(
      { person, purpose },
      { onError: (error) => fail(error, problemTitle(error, 'Failed to fetch the record')) },
    ),
  )
  const record = reading.data
  return (
    <FormDialog
      isAboutAccount
      title={`${person.full_name ?? person.email}’s record`}
      isDirty={form.formState.isDirty && !record}
      onClose={onClose}
      problem={problem}
      footer={
        <>
          <Button tone="secondary" onClick={onClose}>
            Close
          </Button>
          {!record && (
            <Button
              type="submit"
              form="read-record"
              className="flex-1"
              busy={reading.isPending}
              busyText="Opening..."
            >
              Open record
            </Button>
          )}
        </>
      }
    >
      {record ? (
        <dl className="grid gap-3">
          <div>
            <dt className="k">Students</dt>
            <dd>
              {record.students.map(({ name, grade }) => (grade ? `${name} (${grade})` : name)).join(', ') ||
                'None'}
            </dd>
          </div>
          <div>
            <dt className="k">Tutors</dt>
            <dd>{record.tutors.map(({ name }) => name).join(', ') || 'None'}</dd>
          </div>
          <div>
            <dt className="k">Sessions</dt>
            <dd>{record.sessions}</dd>
          </div>
          <div>
            <dt className="k">Schedules</dt>
            <dd>{record.schedules}</dd>
          </div>
        </dl>
      ) : (
        <form id="read-record" onSubmit={submit} noValidate>
          <p className="mb-4 text-ink-2">
            The record shows children’s names. The reason you enter is kept for a year and appears in the
            owner’s export.
          </p>
          <TextArea label="Purpose" required rows={3} {...fieldIn(form, 'purpose')} />
        </form>
      )}
    </FormDialog>
  )
}
