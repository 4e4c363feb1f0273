// The tutor form. It holds what the user typed, so the rate and the subjects are strings.
import type { InputOf } from '#kernel/endpoint.ts'
import { amountInField, type Currency } from '#kernel/money.ts'
import { typedNumber, typedNumberOrNull } from '#kernel/typed-number.ts'
import { type AddTutor, subjectsOf, type Tutor } from './tutor.ts'

export type TutorInput = InputOf<typeof AddTutor>

interface TutorFields {
  name: string
  email: string
  phone: string
  hourly_rate: string
  subjects: string
  notes: string
}

/** The form's values for a tutor, or empty values for a new one. */
export function fieldsOf(tutor: Tutor | undefined, currency: Currency): TutorFields {
  return {
    name: tutor?.name ?? '',
    email: tutor?.email ?? '',
    phone: tutor?.phone ?? '',
    hourly_rate: amountInField(tutor?.hourly_rate, currency),
    subjects: tutor?.subjects.join(', ') ?? '',
    notes: tutor?.notes ?? '',
  }
}

/** The request body for a new tutor, without optional fields that are empty (docs/product.md, section 5). */
export function toNewTutor(fields: TutorFields): TutorInput {
  const { name, subjects, hourly_rate: rate, ...optional } = fields
  const list = subjectsOf(subjects)
  const given = Object.entries(optional).filter(([, text]) => text.trim() !== '')
  return {
    name,
    ...Object.fromEntries(given),
    ...(rate.trim() ? { hourly_rate: typedNumber(rate) } : {}),
    ...(list.length > 0 ? { subjects: list } : {}),
  }
}

/**
 * The request body for a changed tutor. Fields that were cleared in the form, including the rate, are also
 * cleared on the server.
 */
export function toTutorChanges(fields: TutorFields): TutorInput {
  return {
    ...fields,
    hourly_rate: typedNumberOrNull(fields.hourly_rate),
    subjects: subjectsOf(fields.subjects),
  }
}
