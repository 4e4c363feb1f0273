import { useSide } from '#features/accounts/client.web.ts'
import { UNKNOWN_STUDENT } from '#features/students/student.ts'
import { CallFailed } from '#platform/api.web.ts'
import { Button } from '#platform/ui/Button.tsx'
import { useMoney } from '#platform/ui/money.web.ts'
import type { Side } from '#platform/ui/Ticks.tsx'
import { useToast } from '#platform/ui/Toast.tsx'
import { useAnswerScheduleOffer, useKeepScheduleApart, useOfferSchedule } from '../client.web.ts'
import type { ScheduleOffer } from '../offer.ts'
import { differencesOf, type RuleFacts, wholeRuleText } from '../proposal-text.ts'
import { type Schedule, timesOfSchedule, WEEKDAYS } from '../schedule.ts'

/** The other side's name at the start of a line. */
export function otherSide(reader: Side, tutor: string | null): string {
  return reader === 'parent' ? (tutor ?? 'The tutor') : 'The family'
}

/** The same name within a line. */
function withinLine(other: string): string {
  return other.replace(/^The (?=family$|tutor$)/, 'the ')
}

interface OfferAnswerProps {
  offer: ScheduleOffer
  /** The reader's own schedule of this lesson, if there is one. */
  own: Schedule | undefined
}

/** What can become one schedule of both sides, with the buttons that decide it. */
export function OfferAnswer({ offer, own }: OfferAnswerProps) {
  if (offer.state === 'waits') return <Waits offer={offer} own={own} />
  if (!own) return null
  if (offer.state === 'twin') return <Twin offer={offer} own={own} />
  return <Own offer={offer} own={own} />
}

function useSaid(): (answer: Promise<unknown>, success: string, undo?: () => Promise<unknown>) => void {
  const toast = useToast()
  const failed = (error: unknown) =>
    toast.error('Error', error instanceof CallFailed ? error.problem.title : 'Failed to send your answer')
  return (answer, success, undo) => {
    answer.then(
      () =>
        toast.success(success, undefined, undo && { label: 'Undo', run: () => void undo().catch(failed) }),
      failed,
    )
  }
}

function Twin({ offer, own }: { offer: ScheduleOffer; own: Schedule }) {
  const other = otherSide(useSide(), offer.tutor_name)
  const offers = useOfferSchedule()
  const apart = useKeepScheduleApart()
  const said = useSaid()
  const student = offer.student_name ?? UNKNOWN_STUDENT
  const rule = offer.other?.rule
  if (!rule) return null
  return (
    <>
      <p className="num wrap-anywhere">
        <bdi>{other}</bdi> has this lesson too: {WEEKDAYS[rule.day_of_week]}s at {timesOfSchedule(rule)}.{' '}
        <b className="font-semibold">Make it one schedule?</b>
      </p>
      <Differences own={own} rule={rule} other={other} holds="own" />
      <div className="mt-2.5 flex flex-wrap gap-2 md:max-w-sm">
        <Button
          size="small"
          className="flex-auto whitespace-nowrap"
          busy={offers.isPending}
          busyText="Asking..."
          aria-label={`Make it one schedule, ${student}`}
          onClick={() =>
            said(offers.mutateAsync(own.id), `${other} was asked`, () => apart.mutateAsync(own.id))
          }
        >
          Make it one schedule
        </Button>
        <Button
          size="small"
          tone="secondary"
          busy={apart.isPending}
          busyText="Saving..."
          aria-label={`Keep both, ${student}`}
          onClick={() => said(apart.mutateAsync(own.id), 'Both schedules stay')}
        >
          Keep both
        </Button>
      </div>
    </>
  )
}

function Waits({ offer: { other: offered, ...offer }, own }: OfferAnswerProps) {
  const other = otherSide(useSide(), offer.tutor_name)
  const money = useMoney()
  const answer = useAnswerScheduleOffer()
  const said = useSaid()
  const student = offer.student_name ?? UNKNOWN_STUDENT
  if (!offered) return null
  const { id, version, rule } = offered
  const yes = own ? 'Make it one schedule' : 'Add to my schedules'
  const no = own ? 'Keep mine' : 'No, thanks'
  return (
    <>
      <p className="num wrap-anywhere">
        <bdi>{other}</bdi> {own ? 'asks to make it one schedule' : 'shares a schedule with you'}:{' '}
        <b className="font-semibold">{wholeRuleText(rule, money)}</b>
      </p>
      {own && <Differences own={own} rule={rule} other={other} holds="other" />}
      <div className="mt-2.5 flex flex-wrap gap-2 md:max-w-sm">
        <Button
          size="small"
          className="flex-auto whitespace-nowrap"
          busy={answer.isPending && answer.variables.answer === 'join'}
          busyText="Saving..."
          aria-label={`${yes}, ${student}`}
          onClick={() => said(answer.mutateAsync({ id, version, answer: 'join' }), 'It’s one schedule now')}
        >
          {yes}
        </Button>
        <Button
          size="small"
          tone="secondary"
          busy={answer.isPending && answer.variables.answer === 'keep'}
          busyText="Saving..."
          aria-label={`${no}, ${student}`}
          onClick={() =>
            said(
              answer.mutateAsync({ id, version, answer: 'keep' }),
              own ? 'Your schedule stays yours' : 'Not added',
            )
          }
        >
          {no}
        </Button>
      </div>
    </>
  )
}

/** An own schedule that nobody else has: shares it, or says what became of that. */
function Own({ offer, own }: { offer: ScheduleOffer; own: Schedule }) {
  const reader = useSide()
  const offers = useOfferSchedule()
  const apart = useKeepScheduleApart()
  const said = useSaid()
  const other = otherSide(reader, offer.tutor_name)
  const student = offer.student_name ?? UNKNOWN_STUDENT
  const share = `Share with ${reader === 'parent' ? (offer.tutor_name ?? 'the tutor') : 'the family'}`
  if (offer.state === 'alone' || offer.state === 'apart')
    return (
      <Button
        size="small"
        tone="quiet"
        className="-ml-4 text-left wrap-anywhere"
        busy={offers.isPending}
        busyText="Asking..."
        aria-label={`${share}, ${student}`}
        onClick={() =>
          said(offers.mutateAsync(own.id), `${other} was asked`, () => apart.mutateAsync(own.id))
        }
      >
        {share}
      </Button>
    )
  const isDeclined = offer.state === 'declined'
  return (
    <>
      <p className="text-small wrap-anywhere">
        {isDeclined ? (
          <>
            <bdi>{other}</bdi> said no to making it one schedule. Yours stays as it is.
          </>
        ) : (
          <>
            You asked to make it one schedule. Waiting for <bdi>{withinLine(other)}</bdi>.
          </>
        )}
      </p>
      <Button
        size="small"
        tone={isDeclined ? 'secondary' : 'quiet'}
        className={isDeclined ? 'mt-2.5' : '-ml-4'}
        busy={apart.isPending}
        busyText={isDeclined ? 'Saving...' : 'Taking back...'}
        aria-label={`${isDeclined ? 'OK' : 'Take back'}, ${student}`}
        onClick={() =>
          said(apart.mutateAsync(own.id), isDeclined ? 'Your schedule stays yours' : 'Taken back')
        }
      >
        {isDeclined ? 'OK' : 'Take back'}
      </Button>
    </>
  )
}

/** What's different in the two schedules, side by side, and which one will hold. */
function Differences({
  own,
  rule,
  other,
  holds,
}: {
  own: Schedule
  rule: RuleFacts
  other: string
  holds: 'own' | 'other'
}) {
  const differences = differencesOf(own, rule, useMoney())
  if (differences.length === 0) return null
  return (
    <>
      <table className="num mt-2 w-full max-w-lg table-fixed text-left text-small">
        <thead className="text-ink-3">
          <tr>
            <th scope="col" className="w-[5.5rem] pr-2 font-normal">
              <span className="sr-only">What</span>
            </th>
            <th scope="col" className="pr-2 font-normal">
              Yours
            </th>
            <th scope="col" className="font-normal wrap-anywhere">
              <bdi>{other}</bdi>
            </th>
          </tr>
        </thead>
        <tbody>
          {differences.map((one) => (
            <tr key={one.name} className="align-top">
              <th scope="row" className="pr-2 font-normal text-ink-2">
                {one.name}
              </th>
              <td className={`pr-2 wrap-anywhere ${holds === 'own' ? 'font-semibold' : ''}`}>{one.one}</td>
              <td className={`wrap-anywhere ${holds === 'other' ? 'font-semibold' : ''}`}>{one.other}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="mt-1 text-small text-ink-2">
        {holds === 'own' ? (
          <>
            Yours applies once <bdi>{withinLine(other)}</bdi> accepts.
          </>
        ) : (
          <>
            If you accept, <bdi>{`${withinLine(other)}’s`}</bdi> applies. Notes and changed classes of both
            stay.
          </>
        )}
      </p>
    </>
  )
}
