import { useMe } from '#features/accounts/client.web.ts'
import { PersonForm } from '#features/people/PersonForm.tsx'
import { inCurrency } from '#kernel/money.ts'
import { TextArea, TextField } from '#platform/ui/Field.tsx'
import { fieldIn } from '#platform/ui/form.web.ts'
import { FormAmountField } from '#platform/ui/FormEntryField.tsx'
import { FormPanel } from '#platform/ui/FormPanel.tsx'
import { tutorCalls } from './client.web.ts'
import { NewTutor, type Tutor } from './tutor.ts'
import { fieldsOf, toNewTutor, toTutorChanges } from './tutor-form.ts'

interface TutorFormProps {
  tutor: Tutor | undefined
  /** Called with the new tutor after they've been added. */
  onAdded: (tutor: Tutor) => void
  onClose: () => void
}

/** Adds a tutor or edits the given one, above the list. */
export function TutorForm({ tutor, onAdded, onClose }: TutorFormProps) {
  const { currency } = useMe()
  return (
    <PersonForm
      noun="Tutor"
      person={tutor}
      Frame={FormPanel}
      schema={NewTutor}
      toInput={tutor ? toTutorChanges : toNewTutor}
      values={fieldsOf(tutor, currency)}
      amountFields={['hourly_rate']}
      calls={tutorCalls}
      onAdded={onAdded}
      onClose={onClose}
    >
      {(form) => (
        <>
          <TextField label="Name" required autoComplete="off" {...fieldIn(form, 'name')} />
          <TextField label="Email" type="email" autoComplete="off" {...fieldIn(form, 'email')} />
          <TextField label="Phone" type="tel" autoComplete="off" {...fieldIn(form, 'phone')} />
          <FormAmountField
            control={form.control}
            name="hourly_rate"
            label={inCurrency('Hourly Rate ($)', currency)}
          />
          <TextField
            label="Subjects"
            help="Separate subjects with commas"
            autoComplete="off"
            {...fieldIn(form, 'subjects')}
          />
          <TextArea label="Notes" {...fieldIn(form, 'notes')} />
        </>
      )}
    </PersonForm>
  )
}
