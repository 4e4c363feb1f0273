import { useMe } from '#features/accounts/client.web.ts'
import { PersonForm } from '#features/people/PersonForm.tsx'
import { inCurrency } from '#kernel/money.ts'
import { TextArea, TextField } from '#platform/ui/Field.tsx'
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
      values={fieldsOf(tutor)}
      calls={tutorCalls}
      onAdded={onAdded}
      onClose={onClose}
    >
      {({ register, control, formState: { errors } }) => (
        <>
          <TextField
            label="Name"
            required
            autoComplete="off"
            error={errors.name?.message}
            {...register('name')}
          />
          <TextField
            label="Email"
            type="email"
            autoComplete="off"
            error={errors.email?.message}
            {...register('email')}
          />
          <TextField
            label="Phone"
            type="tel"
            autoComplete="off"
            error={errors.phone?.message}
            {...register('phone')}
          />
          <FormAmountField
            control={control}
            name="hourly_rate"
            label={inCurrency('Hourly Rate ($)', currency)}
          />
          <TextField
            label="Subjects"
            help="Separate subjects with commas"
            autoComplete="off"
            error={errors.subjects?.message}
            {...register('subjects')}
          />
          <TextArea label="Notes" error={errors.notes?.message} {...register('notes')} />
        </>
      )}
    </PersonForm>
  )
}
