import { PersonForm } from '#features/people/PersonForm.tsx'
import { TextArea, TextField } from '#platform/ui/Field.tsx'
import { fieldIn } from '#platform/ui/form.web.ts'
import { FormPanel } from '#platform/ui/FormPanel.tsx'
import { studentCalls } from './client.web.ts'
import { NewStudent, type Student } from './student.ts'
import { fieldsOfChild, toChild } from './student-form.ts'

/** Adds a child or edits the given one, above the list. */
export function ChildForm({
  child,
  onAdded,
  onClose,
}: {
  child: Student | undefined
  onAdded: () => void
  onClose: () => void
}) {
  return (
    <PersonForm
      noun="Child"
      person={child}
      Frame={FormPanel}
      schema={NewStudent}
      toInput={toChild}
      values={fieldsOfChild(child)}
      calls={studentCalls}
      onAdded={onAdded}
      onClose={onClose}
    >
      {(form) => (
        <>
          <TextField label="Name" required autoComplete="off" {...fieldIn(form, 'name')} />
          <TextField label="Grade" autoComplete="off" {...fieldIn(form, 'grade')} />
          <TextArea label="Notes" {...fieldIn(form, 'notes')} />
        </>
      )}
    </PersonForm>
  )
}
