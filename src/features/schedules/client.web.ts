import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import type { Me } from '#features/accounts/account.ts'
import type { Session } from '#features/sessions/session.ts'
import { defaultRateOf, toWaiting } from '#features/sessions/session-form.ts'
import { type WaitingSession, without } from '#features/sessions/waiting.ts'
import { studentsQuery } from '#features/students/client.web.ts'
import { UNKNOWN_STUDENT } from '#features/students/student.ts'
import { tutorsQuery } from '#features/tutors/client.web.ts'
import { dayIn } from '#kernel/calendar-day.ts'
import { newId } from '#kernel/id.ts'
import { call, CallFailed } from '#platform/api.web.ts'
import { deleteLater } from '#platform/delete-later.web.ts'
import { queryClient } from '#platform/query.web.ts'
import type { Toasts } from '#platform/ui/Toast.tsx'
import { EndFeed, MakeFeed, ReadFeed } from './feed.ts'
import {
  ChangeOccurrence,
  formOfOccurrence,
  isOver,
  ListOccurrences,
  LogOccurrence,
  type Occurrence,
} from './occurrence.ts'
import { CreateSchedules, DeleteSchedule, ListSchedules, type Schedule, UpdateSchedule } from './schedule.ts'
import { type ScheduleFields, toSchedule, toSchedules } from './schedule-form.ts'

const refresh = () => queryClient.invalidateQueries()

export function useSchedules() {
  return useQuery({ queryKey: ['schedules'], queryFn: ({ signal }) => call(ListSchedules, {}, { signal }) })
}

/** Changes a schedule, or creates one for each of the form's weekdays. */
export function useSaveSchedule() {
  return useMutation({
    mutationFn: async ({
      schedule,
      fields,
      idempotencyKey,
    }: {
      schedule?: Schedule
      fields: ScheduleFields
      idempotencyKey: string
    }): Promise<Schedule[]> => {
      if (!schedule) return (await call(CreateSchedules, toSchedules(fields), { idempotencyKey })).schedules
      const { id, version } = schedule
      return [await call(UpdateSchedule, toSchedule(fields), { id, version })]
    },
    onSuccess: refresh,
  })
}

/** Deletes a schedule, with Undo. */
export function deleteScheduleLater(toast: Toasts, schedule: Schedule): void {
  deleteLater(toast, {
    ids: [schedule.id],
    title: 'Schedule deleted successfully',
    message: schedule.student_name ?? UNKNOWN_STUDENT,
    send: (options) => call(DeleteSchedule, {}, { id: schedule.id, isSilent: true, ...options }),
    onFailed: () => toast.error('Error', 'Failed to delete schedule'),
  })
}

/**
 * Deletes schedules. They disappear from the list right away and come back if the server rejects the request.
 */
export async function deleteSchedules(schedules: readonly Schedule[]): Promise<void> {
  const ids = new Set(schedules.map(({ id }) => id))
  queryClient.setQueryData<Schedule[]>(['schedules'], (list) => list?.filter(({ id }) => !ids.has(id)))
  try {
    await Promise.all(schedules.map(({ id }) => call(DeleteSchedule, {}, { id })))
  } finally {
    await refresh()
  }
}

/** Loads the classes in a date range, inclusive. */
export function useOccurrences(from: string, to: string) {
  return useQuery({
    queryKey: ['occurrences', from, to],
    queryFn: ({ signal }) => call(ListOccurrences, { from, to }, { signal }),
    placeholderData: keepPreviousData,
  })
}

/** If the server hasn't responded within this time, the class is stored on the device and sent from there. */
const LOG_TIMEOUT_MS = 15_000

/** A class that was logged: on the server, or on this device until it can be sent, where it can be forgotten. */
export type LoggedClass =
  { isWaiting: false; session: Session } | { isWaiting: true; forget: () => Promise<unknown> }

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
    return { isWaiting: false, session }
  } catch (error) {
    if (error instanceof CallFailed && error.isRetryable) return keepClass(me, occurrence, family)
    throw error
  }
}

async function keepClass(me: Me, occurrence: Occurrence, family: string | undefined): Promise<LoggedClass> {
  // Loaded on demand, because it's rare. It's among the files kept on the device.
  const { addWaiting, changeWaiting, sendNow } = await import('#features/sessions/waiting.web.ts')
  const item = waitingClass(me, occurrence, family)
  await addWaiting(me.id, item)
  void sendNow()
  const forget = async () => {
    let isThere = false
    await changeWaiting(me.id, (queue) => {
      isThere = queue.some(({ id }) => id === item.id)
      return without(queue, item.id)
    })
    if (!isThere) throw new Error('the class has already been sent')
  }
  return { isWaiting: true, forget }
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

export type Place =
  { status: 'planned' | 'skipped' } | { status: 'moved'; moved_to: string; start_time: string }

export function useChangeOccurrence() {
  return useMutation({
    mutationFn: ({ occurrence, place }: { occurrence: Occurrence; place: Place }) =>
      call(ChangeOccurrence, { date: occurrence.original_date, ...place }, { id: occurrence.schedule_id }),
    onSuccess: refresh,
  })
}

/** Whether a class is over according to this device's clock. */
export function isOverNow(occurrence: Occurrence): boolean {
  return isOver(occurrence, dayIn(new Date()), timeNow())
}

/** The device's local time as HH:mm. */
export function timeNow(): string {
  const now = new Date()
  return `${String(now.getHours()).padStart(2, '0')}:${String(now.getMinutes()).padStart(2, '0')}`
}

export function useFeed() {
  return useQuery({ queryKey: ['calendar-feed'], queryFn: ({ signal }) => call(ReadFeed, {}, { signal }) })
}

export function useMakeFeed() {
  return useMutation({ mutationFn: () => call(MakeFeed, {}), onSuccess: refresh })
}

export function useEndFeed() {
  return useMutation({ mutationFn: () => call(EndFeed, {}), onSuccess: refresh })
}
