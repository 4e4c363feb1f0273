// What an hour of a session costs. The form, the server, one-tap answers, voice and import all ask here (decisions, section 13).

/** The rates that a session could have, all in the same unit; null or left out where there is none. */
export interface PossibleRates<Money extends number> {
  /** The session's own. */
  override?: Money | null
  schedule?: Money | null
  student?: Money | null
  tutor?: Money | null
}

/** The rate that applies: the session's own, else the schedule's, else the student's, else the tutor's; null without any. */
export function rateThatApplies<Money extends number>({
  override,
  schedule,
  student,
  tutor,
}: PossibleRates<Money>): Money | null {
  return override ?? schedule ?? student ?? tutor ?? null
}

/** A session's student and tutor, and the rates that these have now. */
export interface Pair<Money extends number> {
  studentId: string | null
  tutorId: string | null
  student: Money | null
  tutor: Money | null
}

/**
 * The rate of a changed session that has none of its own: the one it was logged with, unless another tutor taught it, or the
 * student comes with a rate or loses one.
 * @param kept the rate it was logged with
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
