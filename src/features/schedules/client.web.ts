import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import type { Me } from '#features/accounts/account.ts'
import { useSide } from '#features/accounts/client.web.ts'
import type { Session } from '#features/sessions/session.ts'
import { toWaiting, usualPriceOf } from '#features/sessions/session-form.ts'
import { type WaitingSession, without } from '#features/sessions/waiting.ts'
import { studentsQuery } from '#features/students/client.web.ts'
import { UNKNOWN_STUDENT } from '#features/students/student.ts'
import { tutorsQuery } from '#features/tutors/client.web.ts'
import { useNoticeHours } from '#features/terms/client.web.ts'
import { isWaivable, type Outcome } from '#features/terms/outcome.ts'
import { dayIn } from '#kernel/calendar-day.ts'
import type { OutputOf } from '#kernel/endpoint.ts'
import { newId } from '#kernel/id.ts'
import { call, CallFailed } from '#platform/api.web.ts'
import { deleteLater } from '#platform/delete-later.web.ts'
import { queryClient } from '#platform/query.web.ts'
import { type Toasts, useToast } from '#platform/ui/Toast.tsx'
import { EndFeed, MakeFeed, ReadFeed } from './feed.ts'
import {
  AnswerOccurrence,
  ChangeOccurrence,
  formOfOccurrence,
  isOver,
  ListMovedClasses,
  ListOccurrences,
  LogOccurrence,
  type Moment,
  type Occurrence,
} from './occurrence.ts'
import { AnswerScheduleOffer, KeepScheduleApart, ListScheduleOffers, OfferSchedule } from './offer.ts'
import { costInWords, ListMissed, type MissedClass, outcomeChoices, suggestedOutcome } from './outcome.ts'
import {
  AnswerEnding,
  AnswerSchedule,
  CreateSchedules,
  DeleteSchedule,
  ListSchedules,
  ReadScheduleHistory,
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
export function useOccurrences(from: string, to: string, isAsked = true) {
  return useQuery({
    enabled: isAsked,
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

function waitingClass(
  { workspace, currency }: Me,
  occurrence: Occurrence,
  family: string | undefined,
): WaitingSession {
  const fields = { ...formOfOccurrence(occurrence, currency), ...(family ? { connection_id: family } : {}) }
  const [students, tutors] = [studentsQuery(), tutorsQuery()].map(
    ({ queryKey }) => queryClient.getQueryData<{ id: string; hourly_rate: number | null }[]>(queryKey) ?? [],
  )
  const people = { student: occurrence.student_name, tutor: occurrence.tutor_name }
  const price = usualPriceOf(fields, students ?? [], tutors ?? [])
  const item = toWaiting(newId(), fields, people, { price, currency }, 0)
  return { ...item, input: { ...item.input, is_late: true }, isAsScheduled: true, workspace: workspace?.id }
}

export type Place = { status: 'planned' } | { status: 'moved'; moved_to: string; start_time: string }

export function useChangeOccurrence() {
  return useMutation({
    mutationFn: ({ occurrence, place }: { occurrence: Occurrence; place: Place }) =>
      call(ChangeOccurrence, { date: occurrence.original_date, ...place }, { id: occurrence.schedule_id }),
    onSuccess: refresh,
  })
}

/** The classes that the other side would like to move. */
export function useMovedClasses() {
  return useQuery({
    queryKey: ['moved-classes'],
    queryFn: ({ signal }) => call(ListMovedClasses, {}, { signal }),
    select: ({ classes }) => classes,
  })
}

type Said = 'accept' | 'keep'

/** Answers what the other side proposes about a class, or takes back an own proposal. */
export function useAnswerClass() {
  return useMutation({
    mutationFn: ({ of, answer }: { of: Pick<Occurrence, 'schedule_id' | 'original_date'>; answer: Said }) =>
      call(AnswerOccurrence, { date: of.original_date, answer }, { id: of.schedule_id }),
    onSuccess: refresh,
  })
}

/** Answers what the other side proposes about a schedule, or takes back an own proposal. */
export function useAnswerSchedule() {
  return useMutation({
    mutationFn: ({ schedule: { id, version }, answer }: { schedule: Schedule; answer: Said }) =>
      call(AnswerSchedule, { answer }, { id, version }),
    onSuccess: refresh,
  })
}

/** Keeps a schedule that the other side ended, or lets it go. */
export function useAnswerEnding() {
  return useMutation({
    mutationFn: ({ schedule: { id }, answer }: { schedule: Schedule; answer: 'keep' | 'let_go' }) =>
      call(AnswerEnding, { answer }, { id }),
    onSuccess: refresh,
  })
}

/** What could be one schedule of both sides, and what the other side offers. */
export function useScheduleOffers() {
  return useQuery({
    queryKey: ['schedule-offers'],
    queryFn: ({ signal }) => call(ListScheduleOffers, {}, { signal }),
    select: ({ offers }) => offers,
  })
}

/** Offers an own schedule to the other side. */
export function useOfferSchedule() {
  return useMutation({
    mutationFn: (id: string) => call(OfferSchedule, {}, { id }),
    // Also if it failed: the other side may have asked first.
    onSettled: refresh,
  })
}

/** Takes an offer back, or keeps a schedule one's own. */
export function useKeepScheduleApart() {
  return useMutation({
    mutationFn: (id: string) => call(KeepScheduleApart, {}, { id }),
    onSettled: refresh,
  })
}

/** Answers what the other side offers, as it was shown. */
export function useAnswerScheduleOffer() {
  return useMutation({
    mutationFn: ({ id, version, answer }: { id: string; version: number; answer: 'join' | 'keep' }) =>
      call(AnswerScheduleOffer, { answer, version }, { id }),
    onSettled: refresh,
  })
}

/** A schedule's history, which is the same for both sides. */
export function useScheduleHistory(scheduleId: string) {
  return useQuery({
    queryKey: ['schedules', 'history', scheduleId],
    queryFn: ({ signal }) => call(ReadScheduleHistory, {}, { id: scheduleId, signal }),
  })
}

/** Says how a class ended, or that it's planned again. */
async function recordOutcome(
  { schedule_id: id, original_date: date, outcome: was }: ClassRef,
  outcome: Outcome | null,
): Promise<OutputOf<typeof ChangeOccurrence>> {
  const said = outcome ? { status: 'canceled' as const, outcome } : { status: 'planned' as const }
  return call(ChangeOccurrence, { date, ...said, was }, { id })
}

type ClassRef = Pick<Occurrence, 'schedule_id' | 'original_date' | 'outcome'>

export function useRecordOutcome() {
  return useMutation({
    mutationFn: ({ occurrence, outcome }: { occurrence: ClassRef; outcome: Outcome | null }) =>
      recordOutcome(occurrence, outcome),
    // Also if it failed: somebody else may have answered.
    onSettled: refresh,
  })
}

type Waived = Pick<NonNullable<MissedClass['charge']>, 'id' | 'version'>

/** Waives what a missed class costs, and says so. */
export function useWaive() {
  const toast = useToast()
  const sent = useMutation({
    mutationFn: async (charge: Waived) => {
      // Loaded on demand, because it's rare.
      const { waiveCharge } = await import('#features/charges/client.web.ts')
      await waiveCharge(charge)
    },
  })
  const waive = async (charge: Waived): Promise<boolean> => {
    try {
      await sent.mutateAsync(charge)
      toast.success('Waived', 'Nobody owes anything for this class.')
      return true
    } catch {
      await refresh()
      toast.error('Error', 'This could not be waived. It may have changed.')
      return false
    }
  }
  return { waive, isWaiving: sent.isPending }
}

/** What there is to say once an outcome is recorded: what it costs, which whoever would be paid can waive. */
export function useCostToast() {
  const reader = useSide()
  const { waive } = useWaive()
  return (ended: Pick<MissedClass, 'because' | 'charge' | 'is_waived'>) => {
    const { because, charge } = ended
    return {
      message: because === null ? undefined : `${costInWords(ended)}. ${because}`,
      waive:
        charge && isWaivable(charge, reader) ? { label: 'Waive', run: () => void waive(charge) } : undefined,
    }
  }
}

/** What a missed class of a shared schedule costs; undefined if that isn't known, or nothing for the reader. */
export function useMissedClass(one: Pick<Occurrence, 'schedule_id' | 'original_date' | 'date'>) {
  return useMissed(one.date, one.date).data?.find(
    ({ schedule_id: id, original_date: day }) => id === one.schedule_id && day === one.original_date,
  )
}

/** What to choose from if a class is canceled now, the likeliest first. */
export function useOutcomesNow(one: Occurrence): Outcome[] {
  const noticeHours = useNoticeHours()(one)
  const now = new Date()
  const at = beginsAt(one)
  return outcomeChoices(suggestedOutcome(now, at, noticeHours), at <= now)
}

type Timed = Pick<Occurrence, 'date' | 'start_time' | 'duration' | 'ends_at'>

/** The moment a class begins. Without a time zone, that's decided by this device's clock. */
export function beginsAt({ date, start_time: time, duration, ends_at: end }: Timed): Date {
  return end === null ? new Date(`${date}T${time}`) : new Date(Date.parse(end) - duration * 3_600_000)
}

/** Loads the classes in a date range that didn't take place, inclusive. */
export function useMissed(from: string, to: string) {
  return useQuery({
    queryKey: ['missed', from, to],
    queryFn: ({ signal }) => call(ListMissed, { from, to }, { signal }),
  })
}

/** Whether a class is over according to this device's clock. */
export function isOverNow(occurrence: Occurrence): boolean {
  return isOver(occurrence, momentNow())
}

/** Now, by this device's clock. */
export function momentNow(): Moment {
  const now = new Date()
  return { today: dayIn(now), time: timeNow(), now }
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
