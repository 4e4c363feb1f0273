import { Controller, useForm } from 'react-hook-form'
import { useMe } from '#features/accounts/client.web.ts'
import { inCurrency } from '#kernel/money.ts'
import { Button } from '#platform/ui/Button.tsx'
import { withDraft } from '#platform/ui/draft.web.ts'
import { useEntryForm } from '#platform/ui/entry-form.web.ts'
import { AmountField } from '#platform/ui/EntryField.tsx'
import { TextArea, TextField } from '#platform/ui/Field.tsx'
import { FormBoundary } from '#platform/ui/FormBoundary.tsx'
import { FormPanel } from '#platform/ui/FormPanel.tsx'
import { checkedBy } from '#platform/ui/form.web.ts'
import { useSaveTutor } from './client.web.ts'
import { NewTutor, type Tutor } from './tutor.ts'
import { fieldsOf, toNewTutor, toTutorChanges, type TutorFields as Fields } from './tutor-form.ts'

interface TutorFormProps {
  tutor?: Tutor
  /** Called with the new tutor after they've been added. */
  onAdded?: (tutor: Tutor) => void
  onClose: () => void
}

/** Adds a tutor or edits the given one, above the list. Doesn't close until the tutor has been saved. */
export function TutorForm(props: TutorFormProps) {
  const draft = `tutor:${props.tutor?.id ?? 'new'}`
  return (
    <FormBoundary draft={draft}>
      <TutorFields draft={draft} {...props} />
    </FormBoundary>
  )
}

function TutorFields({ draft, tutor, onAdded, onClose }: TutorFormProps & { draft: string }) {
  const { currency } = useMe()
  const save = useSaveTutor()
  const toInput = tutor ? toTutorChanges : toNewTutor
  const form = useForm<Fields>({
    resolver: checkedBy(NewTutor, toInput),
    defaultValues: withDraft<Fields>(draft, fieldsOf(tutor)),
  })
  const { submit, close, problem, isDirty } = useEntryForm(form, {
    draft,
    save: async (fields, idempotencyKey) => {
      const saved = await save.mutateAsync({ tutor, input: toInput(fields), idempotencyKey })
      if (!tutor) onAdded?.(saved)
    },
    onDone: onClose,
    success: tutor ? 'Tutor updated successfully' : 'Tutor added successfully',
    failure: tutor ? 'Failed to update tutor' : 'Failed to add tutor',
  })
  const {
    register,
    control,
    formState: { errors },
  } = form

  return (
    <FormPanel
      title={tutor ? 'Edit Tutor' : 'Add New Tutor'}
      isDirty={isDirty}
      onClose={close}
      problem={problem}
      footer={
        <>
          <Button tone="secondary" onClick={close}>
            Cancel
          </Button>
          <Button
            type="submit"
            form="tutor-form"
            className="flex-1"
            busy={save.isPending}
            busyText="Saving..."
          >
            {tutor ? 'Update Tutor' : 'Add Tutor'}
          </Button>
        </>
      }
    >
      <form id="tutor-form" className="grid gap-4" onSubmit={submit} noValidate>
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
        <Controller
          control={control}
          name="hourly_rate"
          render={({ field }) => (
            <AmountField
              label={inCurrency('Hourly Rate ($)', currency)}
              value={field.value}
              onValueChange={field.onChange}
              onBlur={field.onBlur}
              ref={field.ref}
              error={errors.hourly_rate?.message}
            />
          )}
        />
        <TextField
          label="Subjects"
          help="Separate subjects with commas"
          autoComplete="off"
          error={errors.subjects?.message}
          {...register('subjects')}
        />
        <TextArea label="Notes" error={errors.notes?.message} {...register('notes')} />
      </form>
    </FormPanel>
  )
}
