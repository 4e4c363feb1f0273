import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { dayIn } from '#kernel/calendar-day.ts'
import type { InputOf } from '#kernel/endpoint.ts'
import { call } from '#platform/api.web.ts'
import { queryClient } from '#platform/query.web.ts'
import { EndFeed, MakeFeed, ReadFeed } from './feed.ts'
import { ChangeOccurrence, isOver, ListOccurrences, type Occurrence } from './occurrence.ts'
import {
  CreateSchedule,
  DeleteSchedule,
  ListSchedules,
  RestoreSchedule,
  type Schedule,
  UpdateSchedule,
} from './schedule.ts'

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

/**
 * Deletes a schedule. It disappears from the list right away and comes back if the server rejects the
 * request.
 */
export async function deleteSchedule(schedule: Schedule): Promise<void> {
  queryClient.setQueryData<Schedule[]>(['schedules'], (list) => list?.filter(({ id }) => id !== schedule.id))
  try {
    await call(DeleteSchedule, {}, { id: schedule.id })
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
