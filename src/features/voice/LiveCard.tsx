import { useSeesAmounts, useMe } from '#features/accounts/client.web.ts'
import { useStudents } from '#features/students/client.web.ts'
import { useTutors } from '#features/tutors/client.web.ts'
import { calendarDay, formatDay } from '#kernel/calendar-day.ts'
import { useMoney } from '#platform/ui/money.web.ts'
import type { ProposedSession, VoiceResult } from './voice.ts'
import { asWritten, durationInWords } from './voice-form.ts'

/**
 * What has been understood so far, while someone is still speaking. It can't be changed or used: that's for the
 * card that follows the recording. Screen readers announce only that there's a card, because whoever is
 * speaking can't listen to every change.
 */
export function LiveCard({ result }: { result: VoiceResult | undefined }) {
  const sessions = result?.is_session ? (result.sessions ?? [result]) : []
  return (
    <>
      <p role="status" className="sr-only">
        {sessions.length > 0 && 'A card below fills in as you speak.'}
      </p>
      {result && sessions.length > 0 && (
        <section
          className="card my-4 w-full lg:order-last max-w-md overflow-hidden text-left"
          aria-label="What we heard so far"
        >
          <p className="px-5 pt-3 pb-2 text-small leading-snug text-ink-2 wrap-anywhere">
            “{ending(result.transcript)}”
          </p>
          {sessions.map((session, index) => (
            <LiveSession key={index} session={session} isAlone={sessions.length === 1} />
          ))}
        </section>
      )}
    </>
  )
}

/** A session's facts, in rows. If there are several sessions, each takes one line. */
function LiveSession({ session, isAlone }: { session: ProposedSession; isAlone: boolean }) {
  const isParent = useMe().role === 'parent'
  const seesAmounts = useSeesAmounts()
  const money = useMoney()
  const nameOf = (list: { id: string; name: string }[] | undefined, id: string | null): string | undefined =>
    list?.find((one) => one.id === id)?.name
  const student = nameOf(useStudents().data, session.childId) ?? session.suggested_child_name
  const tutors = useTutors().data?.map((one) => (one.is_self ? { ...one, name: 'You' } : one))
  const day = session.date === null ? undefined : calendarDay(session.date)
  const rows: [label: string, value: string | null | undefined][] = [
    [isParent ? 'Child' : 'Student', student],
    ['Tutor', nameOf(tutors, session.tutorId) ?? session.suggested_tutor_name],
    ['Date', day && formatDay(day)],
    ['Duration', session.duration === null ? null : durationInWords(session.duration)],
    ['Subject', session.subject && asWritten(session.subject)],
    ['Rate', seesAmounts && session.hourly_rate !== null ? `${money(session.hourly_rate)}/hour` : null],
  ]
  if (!isAlone)
    return (
      <p className="border-t border-line px-5 py-2 leading-snug font-medium wrap-anywhere">
        {rows.flatMap(([, value]) => value || []).join(' · ')}
      </p>
    )
  return (
    <dl className="list border-t border-line">
      {rows
        .filter(([label, value]) => value || label !== 'Rate')
        .map(([label, value]) => (
          <div key={label} className="flex min-h-9 items-center gap-3 px-5 py-1">
            <dt className="w-[74px] shrink-0 text-small text-ink-3">{label}</dt>
            <dd className="min-w-0 flex-1 leading-snug font-medium wrap-anywhere">
              {value || <span className="font-normal text-ink-3">–</span>}
            </dd>
          </div>
        ))}
    </dl>
  )
}

/** How many of the latest characters the card shows. */
const ENDING_CHARACTERS = 120

/** The end of a long text, from a whole word on. */
function ending(text: string): string {
  return text.length <= ENDING_CHARACTERS ? text : `…${text.slice(-ENDING_CHARACTERS).replace(/^\S*/, '')}`
}
