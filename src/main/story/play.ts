// Plays a story through the API: over HTTP, or the demo's in the browser.
import { AddCharge, ConfirmCharge } from '#features/charges/charge.ts'
import { AnswerConnection, AskConnection } from '#features/connections/connection.ts'
import { CloseMonth } from '#features/months/closing.ts'
import { ConfirmPayment } from '#features/payments/confirmation.ts'
import { SetPaymentWays } from '#features/payments/own-ways.ts'
import { AddPayment } from '#features/payments/payment.ts'
import { CreateSchedule } from '#features/schedules/schedule.ts'
import { ConfirmSession, DisputeSession } from '#features/sessions/confirmation.ts'
import { LogSession } from '#features/sessions/session.ts'
import { AddStudent } from '#features/students/student.ts'
import { AddTutor, UpdateTutor } from '#features/tutors/tutor.ts'
import { ConfirmTerms, ProposeTerms } from '#features/terms/terms.ts'
import type { Names, Operations, Step } from './story.ts'

const ENDPOINTS: Operations = {
  AddStudent,
  AddTutor,
  UpdateTutor,
  SetPaymentWays,
  CreateSchedule,
  AskConnection,
  AnswerConnection,
  LogSession,
  ConfirmSession,
  DisputeSession,
  AddPayment,
  ConfirmPayment,
  AddCharge,
  ConfirmCharge,
  CloseMonth,
  ProposeTerms,
  ConfirmTerms,
}

/** Whoever calls the API for one of the story's people. */
export interface Caller {
  call(method: string, path: string, input: object): Promise<{ status: number; body: unknown }>
}

/**
 * Plays the steps, except for those that would add something the names already include. Returns the steps that
 * the API accepted.
 * @param refused called with each problem. Without it, a problem is an error.
 */
export async function play(
  steps: readonly Step[],
  names: Names,
  callerOf: (step: Step) => Caller | Promise<Caller>,
  refused?: (problem: string) => void,
): Promise<Step[]> {
  const played: Step[] = []
  for (const step of steps) {
    const { by, day, operation, adds } = step
    if (adds && names.has(by, adds)) continue
    const { method, path } = ENDPOINTS[operation]
    const { id, input } = names.idsIn(step)
    const caller = await callerOf(step)
    const { status, body } = await caller.call(method, path.replace(':id', id), input)
    if (status < 300) {
      if (adds) names.learn(by, adds, (body as { id: string }).id)
      played.push(step)
      continue
    }
    const problem = `${day} ${by} ${operation}: ${status} ${JSON.stringify(body)}`
    if (!refused) throw new Error(problem)
    refused(problem)
  }
  return played
}
