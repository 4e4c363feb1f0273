// React hooks for a person's page and for what the cards of people say.
import { useQuery } from '@tanstack/react-query'
import { useMe } from '#features/accounts/client.web.ts'
import type { Tutor } from '#features/tutors/tutor.ts'
import { useBalances } from '#features/payments/client.web.ts'
import { timeNow, useMissed } from '#features/schedules/client.web.ts'
import { useStudents } from '#features/students/client.web.ts'
import type { ListedStudent } from '#features/students/student.ts'
import { useTutors } from '#features/tutors/client.web.ts'
import { dayIn, daysOfMonth, monthOf } from '#kernel/calendar-day.ts'
import { call } from '#platform/api.web.ts'
import { ListLessonDays } from './lesson-days.ts'
import type { Kind } from './account.ts'
import { firstMonth, ReadPersonMonths } from './person-months.ts'

/** When everyone last had a lesson, and their next class. */
export function useLessonDays() {
  const today = dayIn(new Date())
  return useQuery({
    queryKey: ['lesson-days', today],
    queryFn: ({ signal }) => call(ListLessonDays, { today, time: timeNow() }, { signal }),
  })
}

/** Today's balances, the same that home, Summary and Payments show. Not loaded for people who may not see them. */
export function useOwed() {
  const { has_all_students: hasAll, can_see_amounts: seesAmounts } = useMe()
  return useBalances(monthOf(dayIn(new Date())), hasAll && seesAmounts)
}

export function usePersonMonths(id: string) {
  const until = monthOf(dayIn(new Date()))
  return useQuery({
    queryKey: ['person-months', id, until],
    queryFn: ({ signal }) => call(ReadPersonMonths, { until }, { id, signal }),
  })
}

/** A person's classes of the last twelve months that didn't take place. */
export function useMissedOf(kind: Kind, id: string) {
  const until = monthOf(dayIn(new Date()))
  const missed = useMissed(daysOfMonth(firstMonth(until)).from, daysOfMonth(until).to)
  const isOf = kind === 'tutor' ? 'tutor_id' : 'student_id'
  return { ...missed, data: missed.data?.filter((one) => one[isOf] === id) }
}

/** A list that a person may be on. */
interface People<Row> {
  data: Row[] | undefined
  isError: boolean
  isSuccess: boolean
  refetch: () => unknown
}

/** A person as found on their list, active or archived. `isMissing` once neither list has them. */
function foundOn<Row extends { id: string }>(lists: readonly People<Row>[], id: string) {
  const person = lists.flatMap(({ data }) => data ?? []).find((one) => one.id === id)
  return {
    person,
    isMissing: !person && lists.every(({ isSuccess }) => isSuccess),
    isError: !person && lists.some(({ isError }) => isError),
    retry: () => lists.forEach((list) => void list.refetch()),
  }
}

export function useTutor(id: string) {
  return foundOn<Tutor>([useTutors('active'), useTutors('archived')], id)
}

export function useStudent(id: string) {
  return foundOn<ListedStudent>([useStudents('active'), useStudents('archived')], id)
}
