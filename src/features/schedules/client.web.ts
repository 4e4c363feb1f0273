import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { DeleteSession, type Session } from '#features/sessions/session.ts'
import { dayIn } from '#kernel/calendar-day.ts'
import { newId } from '#kernel/id.ts'
import { call } from '#platform/api.web.ts'
import { queryClient } from '#platform/query.web.ts'
import { EndFeed, MakeFeed, ReadFeed } from './feed.ts'
import { ChangeOccurrence, isOver, ListOccurrences, LogOccurrence, type Occurrence } from './occurrence.ts'
import {
  CreateSchedules,
  DeleteSchedule,
  ListSchedules,
  RestoreSchedule,
  type Schedule,
  UpdateSchedule,
} from './schedule.ts'
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

export async function restoreSchedule(schedule: Schedule): Promise<void> {
  await call(RestoreSchedule, {}, { id: schedule.id })
  await refresh()
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
