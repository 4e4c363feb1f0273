import { CircleHelp } from 'lucide-react'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { useCanAddPeople, useMe, useSeesAmounts } from '#features/accounts/client.web.ts'
import { useMoney } from '#platform/ui/money.web.ts'
import { priceAt } from '#features/prices/price.ts'
import { type UsualPrice, usualPriceOf } from '#features/sessions/session-form.ts'
import { useSaveStudent, useStudents } from '#features/students/client.web.ts'
import { useSaveTutor, useTutors } from '#features/tutors/client.web.ts'
import { calendarDay, dayIn, formatDay } from '#kernel/calendar-day.ts'
import { formatTime } from '#kernel/wall-clock.ts'
import { Badge } from '#platform/ui/Badge.tsx'
import { Button } from '#platform/ui/Button.tsx'
import { Notice } from '#platform/ui/Notice.tsx'
import type { HeardPeople } from './learned-name.ts'
import { NextTime } from './NextTime.tsx'
import { ProposedPerson, PLEASE_CHECK } from './ProposedPerson.tsx'
import { WhatWasSaid } from './WhatWasSaid.tsx'
import type { ProposedSession, VoiceResult } from './voice.ts'
import { asWritten, type Chosen, durationInWords } from './voice-form.ts'

const CONFIDENCE = {
  high: ['ok', 'High confidence'],
  medium: ['warn', 'Medium confidence'],
  low: ['danger', 'Low confidence'],
} as const

interface ProposedSessionCardProps {
  result: VoiceResult
  session: ProposedSession
  /** The session's 0-based index in the result. */
  place: number
  count: number
  chosen: Chosen
  onChoose: (chosen: Chosen) => void
  onUse: () => void
  /** The charges that were said along with the session. */
  charges: ReactNode
  /** Changes facts by saying or typing what's wrong. */
  correction: ReactNode
  /** Shown between the facts and the buttons. */
  again: ReactNode
}

/** A card for one of the sessions in the transcript. The first card also shows the transcript itself. */
export function ProposedSessionCard(props: ProposedSessionCardProps) {
  const { result, session, place, count, chosen, onChoose, onUse, correction, charges, again } = props
  const id = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (place === 0) heading.current?.focus({ preventScroll: true })
  }, [place])
  const [tone, words] = CONFIDENCE[session.confidence]
  const isSure = session.confidence !== 'low' && !session.is_future
  const isAlone = count === 1
  return (
    <>
      <section className="card mt-5 overflow-hidden" aria-labelledby={id}>
        <div className="flex flex-wrap items-center justify-between gap-2 px-5 pt-4 pb-3">
          <h2 id={id} ref={heading} tabIndex={-1}>
            AI Extracted Session Data
            {!isAlone && (
              <span className="text-small font-normal text-ink-2">
                {' '}
                {place + 1} of {count}
              </span>
            )}
          </h2>
          <Badge tone={tone}>{words}</Badge>
        </div>
        {place === 0 && (
          <>
            <WhatWasSaid text={result.transcript} />
            <Cautions result={result} isFuture={session.is_future} />
          </>
        )}
        {result.sounds_like !== 'foreign' && (
          <>
            <ProposedFacts
              session={session}
              isLesson={result.is_session}
              chosen={chosen}
              onChoose={onChoose}
            />
            {place === 0 && <UnreadWords unread={result.unread} chosen={chosen} onChoose={onChoose} />}
            {correction}
          </>
        )}
        {charges}
      </section>
      {again}
      <div className={`mt-3 grid grid-cols-2 gap-3 ${isAlone ? 'pinned above-nav lg:border-0' : ''}`}>
        <Button tone={isSure ? 'secondary' : 'primary'} onClick={onUse}>
          Edit &amp; Review
        </Button>
        <Button tone={isSure ? 'primary' : 'secondary'} onClick={onUse}>
          Use This Data
        </Button>
      </div>
    </>
  )
}

interface ProposedFactsProps extends Pick<ProposedSessionCardProps, 'session' | 'chosen' | 'onChoose'> {
  isLesson: boolean
}

/** The session's details. People can be chosen or added here. */
function ProposedFacts({ session, isLesson, chosen, onChoose }: ProposedFactsProps) {
  const { studentId, tutorId, notes } = chosen
  const isParent = useMe().role === 'parent'
  const canAdd = useCanAddPeople()
  const students = useStudents()
  const tutors = useTutors()
  const saveStudent = useSaveStudent()
  const saveTutor = useSaveTutor()
  const addStudent = async (name: string, idempotencyKey: string) =>
    (await saveStudent.mutateAsync({ input: { name, grade: '', notes: '' }, idempotencyKey })).id
  const addTutor = async (name: string, idempotencyKey: string) =>
    (await saveTutor.mutateAsync({ input: { name }, idempotencyKey })).id
  const pair = {
    student_id: studentId ?? '',
    tutor_id: tutorId ?? '',
    date: session.date ?? dayIn(new Date()),
  }
  const usual = usualPriceOf(pair, students.data ?? [], tutors.data ?? [])
  const named = tutors.data?.map((person) => (person.is_self ? { ...person, name: 'You' } : person))
  const nextTime = (who: keyof HeardPeople, id: string | null, list: { id: string; name: string }[] = []) => (
    <NextTime
      heard={chosen.heard[who]}
      chosen={list.find((one) => one.id === id)}
      onUndo={() => onChoose({ ...chosen, heard: { ...chosen.heard, [who]: { words: null, id } } })}
    />
  )
  const isUnsure = (field: UnsureField): boolean => session.unsure?.includes(field) === true
  return (
    <dl className="list border-t border-line">
      <ProposedPerson
        label={isParent ? 'Child' : 'Student'}
        noun={isParent ? 'child' : 'student'}
        list={students}
        id={studentId}
        isUnsure={isUnsure('childId') && studentId === session.childId}
        spokenName={session.suggested_child_name}
        onChoose={(id) => onChoose({ ...chosen, studentId: id })}
        onAdd={canAdd ? addStudent : undefined}
        nextTime={nextTime('child', studentId, students.data)}
      />
      <ProposedPerson
        label="Tutor"
        noun="tutor"
        list={{ ...tutors, data: named }}
        id={tutorId}
        isUnsure={isUnsure('tutorId') && tutorId === session.tutorId}
        spokenName={session.suggested_tutor_name}
        onChoose={(id) => onChoose({ ...chosen, tutorId: id })}
        onAdd={isParent && canAdd ? addTutor : undefined}
        nextTime={nextTime('tutor', tutorId, named)}
      />
      <ProposedDetails {...{ session, isLesson, notes, usual, isUnsure }} />
    </dl>
  )
}

type UnsureField = NonNullable<ProposedSession['unsure']>[number]

interface ProposedDetailsProps extends Pick<ProposedFactsProps, 'session' | 'isLesson'> {
  notes: Chosen['notes']
  /** The tutor's usual rate for this child. */
  usual: UsualPrice
  isUnsure: (field: UnsureField) => boolean
}

function ProposedDetails({ session, isLesson, notes, usual, isUnsure }: ProposedDetailsProps) {
  const seesAmounts = useSeesAmounts()
  const money = useMoney()
  const { currency } = useMe()
  const day = session.date === null ? undefined : calendarDay(session.date)
  return (
    <>
      <ProposedRow label="Date" isUnsure={isUnsure('date')}>
        {day ? formatDay(day) : isLesson && WHICH_DAY}
      </ProposedRow>
      {session.start_time && <ProposedRow label="Start">{formatTime(session.start_time)}</ProposedRow>}
      <ProposedRow label="Duration" isUnsure={isUnsure('duration')}>
        {session.duration !== null && durationInWords(session.duration)}
      </ProposedRow>
      <ProposedRow label="Subject">{session.subject && asWritten(session.subject)}</ProposedRow>
      {seesAmounts && (
        <ProposedRow label="Rate" isUnsure={isUnsure('hourly_rate')}>
          {session.hourly_rate !== null
            ? `${money(session.hourly_rate)}/hour`
            : usual !== null && (
                <span className="font-normal text-ink-2">
                  {usual.source === 'pair' ? 'Usual price' : 'Tutor’s default'}, {priceAt(usual, currency)}
                </span>
              )}
        </ProposedRow>
      )}
      {session.summary && <ProposedRow label="Summary">{asWritten(session.summary)}</ProposedRow>}
      {session.homework && <ProposedRow label="Homework">{asWritten(session.homework)}</ProposedRow>}
      <ProposedRow label="Notes">{notes && asWritten(notes)}</ProposedRow>
    </>
  )
}

/** The text doesn't say which day, so the form asks. */
const WHICH_DAY = (
  <Badge tone="warn">
    <CircleHelp className="i" aria-hidden="true" />
    Which day?
  </Badge>
)

interface UnreadWordsProps extends Pick<ProposedSessionCardProps, 'chosen' | 'onChoose'> {
  unread: VoiceResult['unread']
}

/** A button that adds the words we didn't understand to the notes. */
function UnreadWords({ unread, chosen, onChoose }: UnreadWordsProps) {
  const { notes } = chosen
  if (!unread || notes?.includes(unread)) return null
  return (
    <div className="px-5 pb-4">
      <Button
        tone="secondary"
        size="small"
        onClick={() => onChoose({ ...chosen, notes: notes ? `${notes}. ${asWritten(unread)}` : unread })}
      >
        <span className="wrap-anywhere">Add “{unread}” to the notes</span>
      </Button>
    </div>
  )
}

/** What to ask the user about the transcript, or why nothing was filled in. */
const SOUNDS: Partial<Record<NonNullable<VoiceResult['sounds_like']>, string>> = {
  maybe: 'Did this lesson take place?',
  planned: 'This sounds like a lesson that hasn’t happened yet. Did it take place?',
  asked: 'Sounds like a question about a lesson, so nothing was filled in.',
  foreign: 'I read English and Spanish.',
}

function Cautions({ result, isFuture }: { result: VoiceResult; isFuture: boolean }) {
  const asked = SOUNDS[result.sounds_like ?? 'session']
  const cautions = [
    ...(asked
      ? [asked]
      : result.is_session
        ? []
        : ['This doesn’t sound like a session, so nothing was filled in.']),
    ...(isFuture && result.sounds_like !== 'planned'
      ? ['This date is in the future. Did the session already take place?']
      : []),
    ...(result.sessions_heard > 1 ? [`We heard ${result.sessions_heard} sessions.`] : []),
  ]
  return cautions.map((caution) => (
    <div key={caution} className="mx-5 mb-3">
      <Notice>{caution}</Notice>
    </div>
  ))
}

function ProposedRow({
  label,
  isUnsure = false,
  children,
}: {
  label: string
  isUnsure?: boolean
  children: ReactNode
}) {
  return (
    <div className="flex min-h-12 items-center gap-3 px-5 py-2">
      <dt className="w-[74px] shrink-0 text-small text-ink-3">{label}</dt>
      <dd className="min-w-0 flex-1 leading-snug font-medium wrap-anywhere">
        {children || <span className="font-normal text-ink-3">Not detected</span>}
      </dd>
      {isUnsure && <dd>{PLEASE_CHECK}</dd>}
    </div>
  )
}
