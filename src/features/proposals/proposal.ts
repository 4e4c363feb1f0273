// A proposal: a session that a linked tutor logged for a family, for the family to accept or correct.
import * as z from 'zod/mini'
import { Day } from '#kernel/calendar-day.ts'
import { durationInHours } from '#kernel/duration.ts'
import { endpoint } from '#kernel/endpoint.ts'
import { Currency, Rate } from '#kernel/money.ts'
import { Session, TOO_FAR_AHEAD } from '#features/sessions/session.ts'
import type { Student } from '#features/students/student.ts'

/** What the tutor logged: never the tutor's notes. */
export const Proposed = z.object({
  /** The id and the version of the tutor's own session. */
  id: z.string(),
  version: z.number(),
  tutor_id: z.string(),
  tutor_name: z.string(),
  student_first_name: z.nullable(z.string()),
  date: z.string(),
  /** Hours, and dollars. */
  duration: z.number(),
  rate: z.nullable(z.number()),
  total_amount: z.nullable(z.number()),
  /** The family's. */
  currency: Currency,
  subject: z.nullable(z.string()),
})
export type Proposed = z.output<typeof Proposed>

export const Proposal = z.object({
  ...Proposed.shape,
  /** The family's child that it seems to be about. */
  child_id: z.nullable(z.string()),
  /** The family's own session of the same lesson, and whether both say the same. */
  same_session: z.nullable(
    z.object({ id: z.string(), duration: z.number(), rate: z.nullable(z.number()), is_equal: z.boolean() }),
  ),
})
export type Proposal = z.output<typeof Proposal>

export const ListProposals = endpoint({
  operation: 'ListProposals',
  summary: 'Sessions that linked tutors logged for this family and that wait for its answer, newest first',
  method: 'GET',
  path: '/api/v1/proposals',
  access: ['parent'],
  input: z.strictObject({}),
  output: z.array(Proposal),
})
export const AcceptProposal = endpoint({
  operation: 'AcceptProposal',
  summary:
    'Take a proposal over, as it is or corrected; with session_id it becomes one with the own session of the same lesson',
  method: 'POST',
  path: '/api/v1/proposals/:id/accept',
  access: ['parent'],
  input: z.strictObject({
    student_id: z.uuid({ error: 'Please select a child' }),
    session_id: z.optional(z.uuid()),
    date: z.optional(Day),
    duration: z.optional(durationInHours(0.25, 0, 'Please enter duration')),
    /** Null takes the family's own rate for the tutor; left out, the proposed one. */
    hourly_rate: z.optional(z.nullable(Rate)),
  }),
  output: Session,
  refusals: {
    unknown_student: { status: 422, title: 'This child is no longer on your list', field: 'student_id' },
    unknown_session: { status: 422, title: 'This session is no longer there', field: 'session_id' },
    ...TOO_FAR_AHEAD,
  },
})
export const DeclineProposal = endpoint({
  operation: 'DeclineProposal',
  summary: 'Put a proposal aside; it comes back when the tutor changes it',
  method: 'POST',
  path: '/api/v1/proposals/:id/decline',
  access: ['parent'],
  input: z.strictObject({}),
  output: z.undefined(),
})

const firstName = (name: string) => name.trim().split(/\s+/)[0]?.toLowerCase() ?? ''

/** The child that a proposal is about: the one of that first name, else the only one there is. */
export function childOf(
  proposed: Pick<Proposed, 'student_first_name'>,
  children: Pick<Student, 'id' | 'name'>[],
): string | undefined {
  const named = children.filter(
    (child) => firstName(child.name) === firstName(proposed.student_first_name ?? ''),
  )
  if (named.length === 1) return named[0]?.id
  return children.length === 1 ? children[0]?.id : undefined
}

/**
 * The family's own session of the same lesson: same child, tutor and day. Sessions have no time of day, so two lessons of
 * some length on one day count as overlapping; of several the nearest in length is taken, and each only once.
 */
export function sameLesson(
  proposed: Proposed,
  childId: string | undefined,
  own: Session[],
  taken: ReadonlySet<string>,
): Session | undefined {
  const candidates = own.filter(
    (session) =>
      session.tutor_id === proposed.tutor_id &&
      session.student_id === childId &&
      session.date === proposed.date &&
      session.duration > 0 &&
      proposed.duration > 0 &&
      !taken.has(session.id),
  )
  return candidates.sort(
    (a, b) =>
      Math.abs(a.duration - proposed.duration) - Math.abs(b.duration - proposed.duration) ||
      a.id.localeCompare(b.id),
  )[0]
}

/** The proposals with the child and the own session that each seems to be about. */
export function recognised(
  proposed: Proposed[],
  children: Pick<Student, 'id' | 'name'>[],
  own: Session[],
): Proposal[] {
  const taken = new Set<string>()
  return proposed.map((one) => {
    const childId = childOf(one, children)
    const same = sameLesson(one, childId, own, taken)
    if (same) taken.add(same.id)
    return {
      ...one,
      child_id: childId ?? null,
      same_session: same
        ? {
            id: same.id,
            duration: same.duration,
            rate: same.effective_rate,
            is_equal: same.duration === one.duration && same.effective_rate === one.rate,
          }
        : null,
    }
  })
}
