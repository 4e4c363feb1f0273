// Declares the app's operations: the contract of kernel/endpoint.ts, and who may call it.
import type * as z from 'zod/mini'
import type { Endpoint, Refusal, ServerSide } from '#kernel/endpoint.ts'
import type { Proof } from './proof.ts'
import type { MemberRole, Role } from './role.ts'

/**
 * Who may call an operation: anyone; signed-in users, confirmed or not; confirmed users; or confirmed users
 * with one of these roles and, with 'link', whoever has an emailed link (the header Tutorlog-Link).
 */
type Access = 'anyone' | 'signed-in' | 'confirmed' | readonly (Role | 'link')[]

/** Who may call an operation and when. Like ServerSide, browser builds leave it out. */
export interface Rules<
  Input extends z.ZodMiniType = z.ZodMiniType,
  Output extends z.ZodMiniType = z.ZodMiniType,
> {
  access: Access
  /**
   * Whether a link's call answered something, which accepts the connection's request. By default, every
   * change that isn't refused does.
   */
  isAnswer?(output: z.output<Output>): boolean
  /** Changes only data in the caller's own account, so viewers may call it too. */
  isOwn?: boolean
  /** Caregivers may call it, even though it changes the family's records. */
  isForCaregivers?: boolean
  /**
   * Roles that may not call it. There's no need to list viewers and caregivers, because they may call only
   * what the flags above allow.
   */
  closedTo?: readonly MemberRole[]
  /** Covers all students, so members who are limited to some of them may not call it. */
  needsAllStudents?: boolean
  /** Changes sessions or payments. If their month is closed, it returns 409 month_closed. */
  meetsClosedMonths?: boolean
  /**
   * Writes data, but may be called without a subscription after the trial has ended
   * (docs/product-decisions.md, section 6).
   */
  isFree?: boolean
  /** How the caller has to prove again that the account is theirs. */
  proof?: Proof
  /** Limits `proof` to some inputs. */
  needsProof?(input: z.output<Input>): boolean
}

/** Declares an operation. The types of its input, output and refusals are inferred from the schemas. */
/*@__NO_SIDE_EFFECTS__*/
export function endpoint<
  Input extends z.ZodMiniType,
  Output extends z.ZodMiniType,
  const Refusals extends Record<string, Refusal>,
>(
  declaration: Omit<Endpoint<Input, Output>, 'refusals'> &
    ServerSide<Output> &
    Rules<Input, Output> & { refusals?: Refusals },
): Endpoint<Input, Output, Extract<keyof Refusals, string>> {
  return { ...declaration, refusals: (declaration.refusals ?? {}) as Refusals }
}
