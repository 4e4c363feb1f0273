// Determines a session's rate. Used by the form, the server, one-tap answers, voice and import
// (docs/product-decisions.md, section 13).

/** The rates that could apply to a session, all in the same unit. Rates that aren't set are null or omitted. */
interface PossibleRates<Money extends number> {
  /** The rate set on the session itself. */
  override?: Money | null
  schedule?: Money | null
  student?: Money | null
  tutor?: Money | null
}

/**
 * The rate that applies: the session's override, or else the first one set on the schedule, the student or
 * the tutor. Null if there isn't any.
 */
export function rateThatApplies<Money extends number>({
  override,
  schedule,
  student,
  tutor,
}: PossibleRates<Money>): Money | null {
  return override ?? schedule ?? student ?? tutor ?? null
}

/** A session's student and tutor, with their current rates. */
interface Pair<Money extends number> {
  studentId: string | null
  tutorId: string | null
  student: Money | null
  tutor: Money | null
}

/**
 * A session's default rate after a change. It stays as it was when the session was logged, unless the tutor
 * changes, or the student changes and the old or new student has a rate.
 * @param kept the default rate stored when the session was logged
 */
export function rateAfterChange<Money extends number>(
  kept: Money | null,
  before: Omit<Pair<Money>, 'tutor'>,
  after: Pair<Money>,
): Money | null {
  const isOtherTutor = after.tutorId !== before.tutorId
  const isOtherStudent = after.studentId !== before.studentId
  const hasStudentRate = after.student !== null || before.student !== null
  return isOtherTutor || (isOtherStudent && hasStudentRate) ? rateThatApplies(after) : kept
}
