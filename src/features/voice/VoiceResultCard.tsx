import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useCanAddPeople, useMe, useSeesAmounts } from '#features/accounts/client.web.ts'
import { useMoney } from '#platform/ui/money.web.ts'
import { defaultRateOf, type SessionFields } from '#features/sessions/session-form.ts'
import { useSaveStudent, useStudents } from '#features/students/client.web.ts'
import { useSaveTutor, useTutors } from '#features/tutors/client.web.ts'
import { calendarDay, formatDay } from '#kernel/calendar-day.ts'
import { formatTime } from '#kernel/wall-clock.ts'
import { Badge } from '#platform/ui/Badge.tsx'
import { Button } from '#platform/ui/Button.tsx'
import { Notice } from '#platform/ui/Notice.tsx'
import { HeardPerson } from './HeardPerson.tsx'
import type { VoiceResult } from './voice.ts'
import { asWritten, heardDuration, heardFields } from './voice-form.ts'

const CONFIDENCE = {
  high: ['ok', 'High confidence'],
  medium: ['warn', 'Medium confidence'],
  low: ['danger', 'Low confidence'],
} as const

interface VoiceResultCardProps {
  result: VoiceResult
  onUse: (heard: Partial<SessionFields>) => void
  onAgain: () => void
}

/** What was heard, to check before anything is entered. */
export function VoiceResultCard({ result, onUse, onAgain }: VoiceResultCardProps) {
  const { role } = useMe()
  const canAdd = useCanAddPeople()
  const seesAmounts = useSeesAmounts()
  const money = useMoney()
  const students = useStudents()
  const tutors = useTutors()
  const saveStudent = useSaveStudent()
  const saveTutor = useSaveTutor()
  const [studentId, setStudentId] = useState(result.childId)
  const [tutorId, setTutorId] = useState(result.tutorId)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus({ preventScroll: true }), [])
  const isParent = role === 'parent'
  const usual = defaultRateOf(
    { student_id: studentId ?? '', tutor_id: tutorId ?? '' },
    students.data ?? [],
    tutors.data ?? [],
  )
  const [tone, words] = CONFIDENCE[result.confidence]
  const isSure = result.confidence !== 'low' && !result.is_future
  const day = result.date === null ? undefined : calendarDay(result.date)
  const use = () =>
    onUse({ ...heardFields(result, { studentId, tutorId }), ...(seesAmounts ? {} : { hourly_rate: '' }) })

  return (
    <>
      <section className="card mt-5 overflow-hidden" aria-labelledby="heard">
        <div className="flex flex-wrap items-center justify-between gap-2 px-5 pt-4">
          <h2 id="heard" ref={heading} tabIndex={-1}>
            AI Extracted Session Data
          </h2>
          <Badge tone={tone}>{words}</Badge>
        </div>
        <blockquote className="mx-5 mt-3 mb-3 max-h-48 overflow-y-auto rounded-md bg-sunken px-4 py-3 leading-snug wrap-anywhere">
          “{result.transcript}”
        </blockquote>
        <Cautions result={result} />
        <dl className="list border-t border-line">
          <HeardPerson
            label={isParent ? 'Child' : 'Student'}
            noun={isParent ? 'child' : 'student'}
            list={students}
            id={studentId}
            said={result.suggested_child_name}
            onChoose={setStudentId}
            onAdd={
              canAdd
                ? async (name, idempotencyKey) =>
                    (await saveStudent.mutateAsync({ input: { name, grade: '', notes: '' }, idempotencyKey }))
                      .id
                : undefined
            }
          />
          <HeardPerson
            label="Tutor"
            noun="tutor"
            list={{
              ...tutors,
              data: tutors.data?.map((person) => (person.is_self ? { ...person, name: 'You' } : person)),
            }}
            id={tutorId}
            said={result.suggested_tutor_name}
            onChoose={setTutorId}
            onAdd={
              isParent && canAdd
                ? async (name, idempotencyKey) =>
                    (await saveTutor.mutateAsync({ input: { name }, idempotencyKey })).id
                : undefined
            }
          />
          <HeardRow label="Date">{day && formatDay(day)}</HeardRow>
          {result.start_time && <HeardRow label="Start">{formatTime(result.start_time)}</HeardRow>}
          <HeardRow label="Duration">{result.duration !== null && heardDuration(result.duration)}</HeardRow>
          <HeardRow label="Subject">{result.subject && asWritten(result.subject)}</HeardRow>
          {seesAmounts && (
            <HeardRow label="Rate">
              {result.hourly_rate !== null
                ? `${money(result.hourly_rate)}/hour`
                : usual !== null && (
                    <span className="font-normal text-ink-2">Tutor’s default, {money(usual)}</span>
                  )}
            </HeardRow>
          )}
          {result.summary && <HeardRow label="Summary">{asWritten(result.summary)}</HeardRow>}
          {result.homework && <HeardRow label="Homework">{asWritten(result.homework)}</HeardRow>}
          <HeardRow label="Notes">{result.notes && asWritten(result.notes)}</HeardRow>
        </dl>
      </section>
      <div className="mt-3 text-center">
        <Button tone="quiet" onClick={onAgain}>
          Say it again
        </Button>
      </div>
      <div className="pinned above-nav mt-3 grid grid-cols-2 gap-3 lg:border-0">
        <Button tone={isSure ? 'secondary' : 'primary'} onClick={use}>
          Edit &amp; Review
        </Button>
        <Button tone={isSure ? 'primary' : 'secondary'} onClick={use}>
          Use This Data
        </Button>
      </div>
    </>
  )
}

function Cautions({ result }: { result: VoiceResult }) {
  const cautions = [
    ...(result.is_session ? [] : ['This doesn’t sound like a session, so nothing was filled in.']),
    ...(result.is_future ? ['This date is in the future. Has the session taken place?'] : []),
    ...(result.sessions_heard > 1
      ? [`We heard ${result.sessions_heard} sessions. This is the first; add the others after it.`]
      : []),
  ]
  return cautions.map((caution) => (
    <div key={caution} className="mx-5 mb-3">
      <Notice>{caution}</Notice>
    </div>
  ))
}

function HeardRow({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex min-h-12 items-center gap-3 px-5 py-2">
      <dt className="w-[74px] shrink-0 text-small text-ink-3">{label}</dt>
      <dd className="min-w-0 flex-1 leading-snug font-medium wrap-anywhere">
        {children || <span className="font-normal text-ink-3">Not detected</span>}
      </dd>
    </div>
  )
}
