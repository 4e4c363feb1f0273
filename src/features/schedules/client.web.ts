import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { DeleteSession, type Session } from '#features/sessions/session.ts'
import { UNKNOWN_STUDENT } from '#features/students/student.ts'
import { dayIn } from '#kernel/calendar-day.ts'
import type { InputOf } from '#kernel/endpoint.ts'
import { newId } from '#kernel/id.ts'
import { call } from '#platform/api.web.ts'
import { deleteLater } from '#platform/delete-later.web.ts'
import { queryClient } from '#platform/query.web.ts'
import type { Toasts } from '#platform/ui/Toast.tsx'
import { EndFeed, MakeFeed, ReadFeed } from './feed.ts'
import { ChangeOccurrence, isOver, ListOccurrences, LogOccurrence, type Occurrence } from './occurrence.ts'
import { CreateSchedule, DeleteSchedule, ListSchedules, type Schedule, UpdateSchedule } from './schedule.ts'

const refresh = () => queryClient.invalidateQueries()

export function useSchedules() {
  return useQuery({ queryKey: ['schedules'], queryFn: ({ signal }) => call(ListSchedules, {}, { signal }) })
}

export function useSaveSchedule() {
  return useMutation({
    mutationFn: ({
      schedule,
      input,
      idempotencyKey,
    }: {
      schedule?: Schedule
      input: InputOf<typeof CreateSchedule>
      idempotencyKey: string
    }) =>
      schedule
        ? call(UpdateSchedule, input, { id: schedule.id, version: schedule.version })
        : call(CreateSchedule, input, { idempotencyKey }),
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

/** Loads the classes in a date range, inclusive. */
export function useOccurrences(from: string, to: string) {
  return useQuery({
    queryKey: ['occurrences', from, to],
    queryFn: ({ signal }) => call(ListOccurrences, { from, to }, { signal }),
    placeholderData: keepPreviousData,
  })
}

/** Logs a class as scheduled. Safe to retry: the server returns the same session every time. */
export function useLogOccurrence() {
  return useMutation({
    mutationFn: ({ occurrence, family }: { occurrence: Occurrence; family?: string }) =>
      call(
        LogOccurrence,
        { date: occurrence.original_date, ...(family ? { connection_id: family } : {}) },
        { id: occurrence.schedule_id, idempotencyKey: newId() },
      ),
    onSuccess: refresh,
  })
}

/** Undoes LogOccurrence. */
export async function unlog(session: Session): Promise<void> {
  await call(DeleteSession, {}, { id: session.id })
  await refresh()
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
