import { useMe } from '#features/accounts/client.web.ts'
import { PersonForm } from '#features/people/PersonForm.tsx'
import { TextArea, TextField } from '#platform/ui/Field.tsx'
import { fieldIn } from '#platform/ui/form.web.ts'
import { FormAmountField } from '#platform/ui/FormEntryField.tsx'
import { FormDialog } from '#platform/ui/FormDialog.tsx'
import { studentCalls } from './client.web.ts'
import { NewStudent, type Student } from './student.ts'
import { fieldsOfStudent, toStudent } from './student-form.ts'

/** A dialog to add a tutor's student or edit the given one. */
export function StudentDialog({ student, onClose }: { student: Student | undefined; onClose: () => void }) {
  const { currency } = useMe()
  return (
    <PersonForm
      noun="Student"
      person={student}
      Frame={FormDialog}
      schema={NewStudent}
      toInput={toStudent}
      values={fieldsOfStudent(student, currency)}
      amountFields={['hourly_rate']}
      calls={studentCalls}
      onClose={onClose}
    >
      {(form) => (
        <>
          <TextField
            label="Student Name"
            required
            autoComplete="off"
            placeholder="Enter student name"
            {...fieldIn(form, 'name')}
          />
          <TextField
            label="Grade (Optional)"
            autoComplete="off"
            placeholder="e.g., 8th Grade, Sophomore"
            {...fieldIn(form, 'grade')}
          />
          <FormAmountField
            control={form.control}
            name="hourly_rate"
            label="Hourly rate (Optional)"
            placeholder="Leave blank to use your hourly rate"
          />
          <TextArea
            label="Notes (Optional)"
            placeholder="Add any notes about the student..."
            {...fieldIn(form, 'notes')}
          />
        </>
      )}
    </PersonForm>
  )
}
