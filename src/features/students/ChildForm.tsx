import { PersonForm } from '#features/people/PersonForm.tsx'
import { TextArea, TextField } from '#platform/ui/Field.tsx'
import { FormPanel } from '#platform/ui/FormPanel.tsx'
import { studentCalls } from './client.web.ts'
import { NewStudent, type Student } from './student.ts'
import { fieldsOfChild, toChild } from './student-form.ts'

/** Adds a child or edits the given one, above the list. */
export function ChildForm({ child, onClose }: { child: Student | undefined; onClose: () => void }) {
  return (
    <PersonForm
      noun="Child"
      person={child}
      Frame={FormPanel}
      schema={NewStudent}
      toInput={toChild}
      values={fieldsOfChild(child)}
      calls={studentCalls}
      onClose={onClose}
    >
      {({ register, formState: { errors } }) => (
        <>
          <TextField
            label="Name"
            required
            autoComplete="off"
            error={errors.name?.message}
            {...register('name')}
          />
          <TextField label="Grade" autoComplete="off" error={errors.grade?.message} {...register('grade')} />
          <TextArea label="Notes" error={errors.notes?.message} {...register('notes')} />
        </>
      )}
    </PersonForm>
  )
}
