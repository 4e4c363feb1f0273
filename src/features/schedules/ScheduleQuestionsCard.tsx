import { useCanWrite, useSide } from '#features/accounts/client.web.ts'
import { AnswerButtons, AnswerRow } from '#features/agreements/AnswerRow.tsx'
import { UNKNOWN_STUDENT } from '#features/students/student.ts'
import { dayIn } from '#kernel/calendar-day.ts'
import { formatTime } from '#kernel/wall-clock.ts'
import { CallFailed } from '#platform/api.web.ts'
import { Button } from '#platform/ui/Button.tsx'
import { SectionHeading } from '#platform/ui/Card.tsx'
import { useMoney } from '#platform/ui/money.web.ts'
import { useToast } from '#platform/ui/Toast.tsx'
import {
  useAnswerClass,
  useAnswerSchedule,
  useAnswerEnding,
  useMovedClasses,
  useScheduleOffers,
  useSchedules,
} from './client.web.ts'
import type { MovedClass } from './occurrence.ts'
import type { ScheduleOffer } from './offer.ts'
import { OfferAnswer, otherSide } from './parts/OfferAnswer.tsx'
import { dayItCounts, placeText, ruleText } from './proposal-text.ts'
import { type Schedule, timesOfSchedule, WEEKDAYS } from './schedule.ts'

/**
 * What the other side proposes or declines about shared schedules: moved classes, changed rules, schedules it ended, which
 * this side may keep, and schedules that could be one. Renders nothing if there is nothing.
 * @param limit the maximum number to list; only the dashboard sets one
 */
export function ScheduleQuestionsCard({ limit = Infinity }: { limit?: number | undefined }) {
  const moved = useMovedClasses().data ?? []
  const schedules = useSchedules().data ?? []
  const canWrite = useCanWrite()
  const offers = (useScheduleOffers().data ?? []).filter(({ state }) => ASKS.has(state))
  const rules = schedules.filter(({ proposal }) => proposal?.by === 'other' || proposal?.is_declined)
  const ended = schedules.filter(({ ended_by_other: day }) => day !== null)
  const rows = [
    ...moved.map((one) => <ClassRow key={`${one.schedule_id} ${one.original_date}`} moved={one} />),
    ...rules.map((one) => <RuleRow key={one.id} schedule={one} />),
    ...ended.map((one) => <EndedRow key={one.id} schedule={one} />),
    ...offers.map((one) => (
      <OfferRow
        key={one.schedule_id ?? one.other?.id}
        offer={one}
        own={schedules.find(({ id }) => id === one.schedule_id)}
      />
    )),
  ].slice(0, limit)
  if (!canWrite || rows.length === 0) return null
  return (
    <section className="mt-6" aria-label="Changes to your schedule">
      <SectionHeading>Changes to your schedule</SectionHeading>
      <ul className="card list overflow-hidden">{rows}</ul>
    </section>
  )
}

/** What somebody has to answer or should know. */
const ASKS: ReadonlySet<ScheduleOffer['state']> = new Set(['waits', 'twin', 'declined'])

function OfferRow({ offer, own }: { offer: ScheduleOffer; own: Schedule | undefined }) {
  const rule = offer.other?.rule ?? own
  if (!rule) return null
  return (
    <AnswerRow
      date={dayItCounts(rule, dayIn(new Date()))}
      title={offer.student_name ?? UNKNOWN_STUDENT}
      amount=""
    >
      <OfferAnswer offer={offer} own={own} />
    </AnswerRow>
  )
}

function useAnswered(): (answer: Promise<unknown>, success: string) => void {
  const toast = useToast()
  return (answer, success) => {
    answer.then(
      () => toast.success(success),
      (error: unknown) =>
        toast.error(
          'Error',
          error instanceof CallFailed ? error.problem.title : 'Failed to send your answer',
        ),
    )
  }
}

function ClassRow({ moved }: { moved: MovedClass }) {
  const reader = useSide()
  const answer = useAnswerClass()
  const answered = useAnswered()
  const student = moved.student_name ?? UNKNOWN_STUDENT
  const say = (said: 'accept' | 'keep', success: string) =>
    answered(answer.mutateAsync({ of: moved, answer: said }), success)
  const other = otherSide(reader, moved.tutor_name)
  if (moved.is_declined)
    return (
      <AnswerRow date={moved.original_date} title={student} amount="">
        <p className="num wrap-anywhere">
          <bdi>{other}</bdi> can’t make {moved.proposed ? placeText(moved.proposed) : 'the usual time'}.{' '}
          <b className="font-semibold">
            {moved.now ? `The class stays ${placeText(moved.now)}.` : 'The class stays canceled.'}
          </b>
        </p>
        <OkButton name={student} isBusy={answer.isPending} onOk={() => say('keep', 'Class stays as it is')} />
      </AnswerRow>
    )
  return (
    <AnswerRow date={moved.original_date} title={student} amount="">
      <p className="num s">{moved.now ? placeText(moved.now) : 'This class is canceled'}</p>
      <p className="num mt-1 font-semibold wrap-anywhere">
        {moved.proposed ? (
          <>
            <bdi>{other}</bdi> asks for {placeText(moved.proposed)}
          </>
        ) : (
          <>
            <bdi>{other}</bdi> can’t then, and leaves it as planned
          </>
        )}
      </p>
      <AnswerButtons
        name={`${student}, ${moved.original_date}`}
        className="md:max-w-sm"
        busy={answer.isPending && answer.variables.answer === 'accept' ? 'accept' : undefined}
        yes={moved.proposed ? 'Accept' : 'OK'}
        no="Keep it as it is"
        onConfirm={() => say('accept', moved.proposed ? 'Class moved' : 'Class stays as planned')}
        onDispute={moved.proposed ? () => say('keep', 'Class stays as it is') : undefined}
      />
    </AnswerRow>
  )
}

function RuleRow({ schedule }: { schedule: Schedule }) {
  const reader = useSide()
  const money = useMoney()
  const answer = useAnswerSchedule()
  const answered = useAnswered()
  const student = schedule.student_name ?? UNKNOWN_STUDENT
  const say = (said: 'accept' | 'keep', success: string) =>
    answered(answer.mutateAsync({ schedule, answer: said }), success)
  if (!schedule.proposal) return null
  const countsFrom = dayItCounts(schedule.proposal, dayIn(new Date()))
  if (schedule.proposal.is_declined)
    return (
      <AnswerRow date={countsFrom} title={student} amount="">
        <p className="num wrap-anywhere">
          <bdi>{otherSide(reader, schedule.tutor_name)}</bdi> said no to{' '}
          {ruleText(schedule, schedule.proposal, money)}.{' '}
          <b className="font-semibold">
            It stays {WEEKDAYS[schedule.day_of_week]}s at {timesOfSchedule(schedule)}.
          </b>
        </p>
        <OkButton
          name={student}
          isBusy={answer.isPending}
          onOk={() => say('keep', 'Schedule stays as it is')}
        />
      </AnswerRow>
    )
  return (
    <AnswerRow date={countsFrom} title={student} amount="">
      <p className="num s">
        {WEEKDAYS[schedule.day_of_week]}s at {timesOfSchedule(schedule)}
      </p>
      <p className="num mt-1 font-semibold wrap-anywhere">
        <bdi>{otherSide(reader, schedule.tutor_name)}</bdi> proposes{' '}
        {ruleText(schedule, schedule.proposal, money)}
      </p>
      <AnswerButtons
        name={student}
        className="md:max-w-sm"
        busy={answer.isPending && answer.variables.answer === 'accept' ? 'accept' : undefined}
        yes="Accept"
        no="Keep it as it is"
        onConfirm={() => say('accept', 'Schedule changed')}
        onDispute={() => say('keep', 'Schedule stays as it is')}
      />
    </AnswerRow>
  )
}

function OkButton({ name, isBusy, onOk }: { name: string; isBusy: boolean; onOk: () => void }) {
  return (
    <Button
      size="small"
      tone="secondary"
      className="mt-2.5"
      busy={isBusy}
      busyText="Saving..."
      aria-label={`OK, ${name}`}
      onClick={onOk}
    >
      OK
    </Button>
  )
}

function EndedRow({ schedule }: { schedule: Schedule }) {
  const reader = useSide()
  const ending = useAnswerEnding()
  const answered = useAnswered()
  const student = schedule.student_name ?? UNKNOWN_STUDENT
  const day = schedule.ended_by_other ?? schedule.start_date
  return (
    <AnswerRow date={day} title={student} amount="">
      <p className="num wrap-anywhere">
        <bdi>{otherSide(reader, schedule.tutor_name)}</bdi> ended this schedule:{' '}
        {WEEKDAYS[schedule.day_of_week]}s at {formatTime(schedule.start_time)}.{' '}
        <b className="font-semibold">Keep it as yours?</b>
      </p>
      <div className="mt-2.5 flex flex-wrap gap-2 md:max-w-sm">
        <Button
          size="small"
          className="flex-1"
          busy={ending.isPending && ending.variables.answer === 'keep'}
          busyText="Keeping..."
          aria-label={`Keep it, ${student}`}
          onClick={() => answered(ending.mutateAsync({ schedule, answer: 'keep' }), 'Schedule kept')}
        >
          Keep it
        </Button>
        <Button
          size="small"
          tone="secondary"
          busy={ending.isPending && ending.variables.answer === 'let_go'}
          busyText="Saving..."
          aria-label={`OK, ${student}`}
          onClick={() => answered(ending.mutateAsync({ schedule, answer: 'let_go' }), 'Schedule ended')}
        >
          OK
        </Button>
      </div>
    </AnswerRow>
  )
}
