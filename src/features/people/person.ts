// What children, students and tutors have in common: each is on a list of people, where they can be added,
// changed, archived and deleted.
export interface Person {
  id: string
  name: string
  /** In dollars. Null if there's none, as for children. */
  hourly_rate: number | null
  /** Hidden from lists and forms but kept in history. */
  archived: boolean
  version: number
}

/** What a screen calls one of these people. */
export type Noun = 'Child' | 'Student' | 'Tutor'
export const PLURALS = { Child: 'children', Student: 'students', Tutor: 'tutors' } as const satisfies Record<
  Noun,
  string
>

export const LONGEST_NAME = 120

/** The refusal for changing or deleting a person who has changed since. */
export const CHANGED = {
  changed: { status: 409, title: 'This was changed somewhere else. Please check it and try again.' },
} as const
/** The refusal for adding a person to a list that's full. */
export const LIST_FULL = {
  too_many_rows: { status: 422, title: "You've reached the limit of 500 on this list" },
} as const

/** The columns for what was sent, with the rate's own column. */
export function columnsOf<Input extends { hourly_rate?: Rate | null }, Rate>({
  hourly_rate: rate,
  ...values
}: Input) {
  return rate === undefined ? values : { ...values, hourly_rate_cents: rate }
}
