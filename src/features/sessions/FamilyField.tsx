import { useEffect } from 'react'
import { type UseFormReturn, useWatch } from 'react-hook-form'
import type { ListedStudent } from '#features/students/student.ts'
import { SelectField } from '#platform/ui/EntryField.tsx'
import { fieldIn } from '#platform/ui/form.web.ts'
import { familiesToAsk, familyNames } from './family-choice.ts'
import type { SessionFields } from './session-form.ts'

interface FamilyFieldProps {
  form: UseFormReturn<SessionFields>
  students: readonly ListedStudent[]
  /** The student of the session being edited, by id. We don't ask for this student's family again. */
  kept?: string | null
}

/** Lets the user choose which family a lesson is with if several families share the student. */
export function FamilyField({ form, students, kept }: FamilyFieldProps) {
  const { control, setValue } = form
  const fields = useWatch({ control }) as SessionFields
  const families = fields.student_id === kept ? [] : familiesToAsk(students, fields.student_id)
  const chosen = fields.connection_id
  // The chosen family may belong to a previously chosen student, or its connection may have ended.
  const isStale = Boolean(chosen) && !families.some(({ connection_id: id }) => id === chosen)
  const isLoaded = students.length > 0
  useEffect(() => {
    if (isStale && isLoaded) setValue('connection_id', '')
  }, [isStale, isLoaded, setValue])
  if (chosen === undefined || families.length === 0) return null
  const names = familyNames(families)
  return (
    <SelectField label="Which family?" required {...fieldIn(form, 'connection_id')}>
      <option value="">Select a family</option>
      {families.map(({ connection_id: id }, at) => (
        <option key={id} value={id}>
          {names[at]}
        </option>
      ))}
    </SelectField>
  )
}
