// Logging a class as scheduled with one tap, also while the server can't be reached.
import type { Me } from '#features/accounts/account.ts'
import { DeleteSession } from '#features/sessions/session.ts'
import { defaultRateOf, toWaiting } from '#features/sessions/session-form.ts'
import { type WaitingSession, without } from '#features/sessions/waiting.ts'
import { addWaiting, changeWaiting, sendNow } from '#features/sessions/waiting.web.ts'
import { studentsQuery } from '#features/students/client.web.ts'
import { tutorsQuery } from '#features/tutors/client.web.ts'
import { newId } from '#kernel/id.ts'
import { call, CallFailed } from '#platform/api.web.ts'
import { queryClient } from '#platform/query.web.ts'
import { formOfOccurrence, LogOccurrence, type Occurrence } from './occurrence.ts'

/** If the server hasn't responded within this time, the class is stored on the device and sent from there. */
const LOG_TIMEOUT_MS = 15_000

/** A class that was logged: on the server, or on this device until it can be sent. */
export interface LoggedClass {
  isWaiting: boolean
  /** Takes it back. The caller refreshes the lists. */
  undo: () => Promise<unknown>
}

/**
 * Logs a class as scheduled. Safe to retry: the server returns the same session every time. Doesn't refresh
 * the lists, so that several classes can be logged before.
 * @param family the connection with the family, if several share the student and none was chosen before
 * @param isOffline true to store it on this device without asking the server
 */
export async function logClass(
  me: Me,
  occurrence: Occurrence,
  { family, isOffline = false }: { family?: string | undefined; isOffline?: boolean } = {},
): Promise<LoggedClass> {
  if (isOffline) return keepClass(me, occurrence, family)
  try {
    const session = await call(
      LogOccurrence,
      { date: occurrence.original_date, ...(family ? { connection_id: family } : {}) },
      { id: occurrence.schedule_id, idempotencyKey: newId(), timeoutMs: LOG_TIMEOUT_MS },
    )
    return { isWaiting: false, undo: () => call(DeleteSession, {}, { id: session.id }) }
  } catch (error) {
    if (error instanceof CallFailed && error.isRetryable) return keepClass(me, occurrence, family)
    throw error
  }
}

async function keepClass(me: Me, occurrence: Occurrence, family: string | undefined): Promise<LoggedClass> {
  const item = waitingClass(me, occurrence, family)
  await addWaiting(me.id, item)
  void sendNow()
  const undo = async () => {
    let isThere = false
    await changeWaiting(me.id, (queue) => {
      isThere = queue.some(({ id }) => id === item.id)
      return without(queue, item.id)
    })
    if (!isThere) throw new Error('the class has already been sent')
  }
  return { isWaiting: true, undo }
}

function waitingClass({ workspace }: Me, occurrence: Occurrence, family: string | undefined): WaitingSession {
  const fields = { ...formOfOccurrence(occurrence), ...(family ? { connection_id: family } : {}) }
  const [students, tutors] = [studentsQuery(), tutorsQuery()].map(
    ({ queryKey }) => queryClient.getQueryData<{ id: string; hourly_rate: number | null }[]>(queryKey) ?? [],
  )
  const people = { student: occurrence.student_name, tutor: occurrence.tutor_name }
  const item = toWaiting(newId(), fields, people, defaultRateOf(fields, students ?? [], tutors ?? []), 0)
  return { ...item, input: { ...item.input, is_late: true }, isAsScheduled: true, workspace: workspace?.id }
}

/** Whether a class is waiting on this device to be sent. */
export function isWaitingClass(queue: readonly WaitingSession[], occurrence: Occurrence): boolean {
  return queue.some(
    ({ input }) =>
      input.schedule_id === occurrence.schedule_id && input.occurrence_date === occurrence.original_date,
  )
}
