import { Check } from 'lucide-react'
import { useRef, useState } from 'react'
import { useMe } from '#features/accounts/client.web.ts'
import { type LoggedClass, logClass, momentNow } from '#features/schedules/client.web.ts'
import { isWaitingClass, yourTime } from '#features/schedules/occurrence.ts'
import { familiesToAsk } from '#features/sessions/family-choice.ts'
import { useSessionUndo } from '#features/sessions/undo.web.ts'
import { useWaiting } from '#features/sessions/waiting.web.ts'
import { useStudents } from '#features/students/client.web.ts'
import { isolated } from '#kernel/isolate.ts'
import { formatTime } from '#kernel/wall-clock.ts'
import { CallFailed } from '#platform/api.web.ts'
import { queryClient } from '#platform/query.web.ts'
import { Button } from '#platform/ui/Button.tsx'
import { SectionHeading } from '#platform/ui/Card.tsx'
import { late } from '#platform/ui/late.tsx'
import { useToast } from '#platform/ui/Toast.tsx'
import { useOnceTrue } from './client.web.ts'
import type { TodayClass } from './dashboard.ts'
import { TodayRow } from './TodayRow.tsx'
import { type Attempt, dayAt, daySum, keyOf, sumInWords } from './today.ts'
import { TODAY } from './WaitingKinds.tsx'

const OccurrenceDialog = late(
  async () => (await import('#features/schedules/OccurrenceDialog.tsx')).OccurrenceDialog,
)
// Here it's offered to tutors, in DueSection to parents.
const PushCard = late(async () => (await import('#features/push/PushCard.tsx')).PushCard)

/** Today's classes as a page of the book: logged ones, those that have ended and ask for an answer, and later ones. */
export default function TodaySection({ classes }: { classes: TodayClass[] }) {
  const queue = useWaiting(useMe())
  const { data: students, isLoading: areStudentsLoading } = useStudents()
  const { attempts, log } = useLogging()
  const [opened, setOpened] = useState<TodayClass>()
  const shown = classes.map((one) => {
    const attempt = attempts.get(keyOf(one))
    const isWaiting = isWaitingClass(queue, one)
    const isDone = isWaiting || attempt?.state === 'logged'
    const families = familiesToAsk(students ?? [], one.student_id)
    return {
      ...one,
      ...(one.status === 'planned' && isDone && { status: 'logged' as const }),
      attempt,
      isWaiting,
      asksFamily: families.length > 0 && !families.some(({ connection_id: id }) => id === one.connection_id),
    }
  })
  const day = dayAt(shown, momentNow())
  const all = [...day.past, ...day.later]
  const [ready, sum] = [day.open.filter(({ asksFamily }) => !asksFamily), daySum(all)]
  return (
    <section id={TODAY} className="mt-6 empty:hidden" aria-label="Today">
      {all.length > 0 && (
        <>
          <SectionHeading>Today</SectionHeading>
          <YesToAll day={day} ready={ready} isLoading={areStudentsLoading} onYes={() => log(ready)} />
          <ul className="card list overflow-hidden">
            {all.map((one) => (
              <TodayRow
                key={keyOf(one)}
                of={one}
                isLater={day.later.includes(one)}
                onYes={() => (one.asksFamily ? setOpened(one) : log([one]))}
                onOpen={() => setOpened(one)}
              />
            ))}
            {sum && (
              <li className="num flex flex-wrap justify-between gap-x-4 px-5 py-3">
                Today <b className="font-semibold">{sum}</b>
              </li>
            )}
          </ul>
          {attempts.size > 0 && <PushCard />}
          {opened && <OccurrenceDialog occurrence={opened} onClose={() => setOpened(undefined)} />}
        </>
      )}
    </section>
  )
}

interface YesToAllProps {
  day: ReturnType<typeof dayAt>
  /** The classes that can be logged without another question. */
  ready: TodayClass[]
  isLoading: boolean
  onYes: () => void
}

/**
 * Logs all classes that have ended. Its place is kept from the second class of a day on, so that the rows don't
 * move when a class ends or is answered.
 */
function YesToAll({ day: { open, later }, ready, isLoading, onYes }: YesToAllProps) {
  const hasPlace = useOnceTrue(open.length + later.length > 1)
  const hasButton = useOnceTrue(ready.length > 1)
  if (!hasPlace) return null
  const [next] = later
  const rest =
    open.length > 0
      ? `${open.length === 1 ? '1 class' : `${open.length} classes`} to answer`
      : next
        ? `Next: ${isolated(next.student_name)}, ${formatTime(yourTime(next))}`
        : 'All answered'
  if (!hasButton) return <p className="mb-2.5 flex min-h-12 items-center text-ink-2">{rest}</p>
  const canLog = ready.length > 1
  return (
    <Button
      className="mb-2.5 w-full md:w-auto md:min-w-80"
      tone={canLog ? 'primary' : 'secondary'}
      blockedReason={canLog && !isLoading ? undefined : ''}
      onClick={onYes}
    >
      {canLog ? (
        <>
          <Check className="i" aria-hidden="true" />
          {yesToAll(ready, open.length)}
        </>
      ) : (
        rest
      )}
    </Button>
  )
}

/** For example "Yes to all 6, $340.00 and 1 without a rate". */
function yesToAll(ready: readonly TodayClass[], open: number): string {
  const count = ready.length === open ? `all ${open}` : `${ready.length} of ${open}`
  const sum = sumInWords(ready)
  const unrated = ready.filter(({ amount }) => amount === null).length
  if (!sum) return `Yes to ${count}`
  return `Yes to ${count}, ${sum}${unrated > 0 ? ` and ${unrated} without a rate` : ''}`
}

/**
 * Logs classes as scheduled, one after the other, so that one question about a closed month is enough and the
 * rest of an offline day goes to the device at once. Each class shows its result, and those that failed can
 * be tried again.
 */
function useLogging() {
  const me = useMe()
  const toast = useToast()
  const { undoLogged } = useSessionUndo()
  const [attempts, setAttempts] = useState<ReadonlyMap<string, Attempt>>(new Map())
  // Ignores a second tap before the buttons change.
  const sending = useRef(new Set<string>())

  const note = (classes: readonly TodayClass[], attempt?: Attempt) =>
    setAttempts((now) => {
      const next = new Map(now)
      for (const one of classes)
        if (attempt) next.set(keyOf(one), attempt)
        else next.delete(keyOf(one))
      return next
    })

  const log = async (asked: readonly TodayClass[]) => {
    const classes = asked.filter((one) => !sending.current.has(keyOf(one)))
    if (classes.length === 0) return
    for (const one of classes) sending.current.add(keyOf(one))
    note(classes, { state: 'sending' })
    const done: { one: TodayClass; logged: LoggedClass }[] = []
    const failed: TodayClass[] = []
    for (const one of classes) {
      try {
        const isOffline = done.some(({ logged }) => logged.isWaiting)
        done.push({ one, logged: await logClass(me, one, { isOffline }) })
        note([one], { state: 'logged' })
      } catch (error) {
        failed.push(one)
        sending.current.delete(keyOf(one))
        note([one], failure(error))
      }
    }
    tell(done, failed)
    await queryClient.invalidateQueries()
    for (const one of classes) sending.current.delete(keyOf(one))
    note(done.map(({ one }) => one))
  }

  const tell = (done: { one: TodayClass; logged: LoggedClass }[], failed: TodayClass[]) => {
    if (failed.length > 0) {
      const names = failed.map(({ student_name: name }) => name).join(', ')
      const others = done.length > 0 ? ' The others are in your log.' : ''
      return toast.error('Error', `Not logged: ${names}.${others}`)
    }
    const undo = async () => {
      const forgotten = done.flatMap(({ logged }) => (logged.isWaiting ? [logged.forget()] : []))
      const sessions = done.flatMap(({ logged }) => (logged.isWaiting ? [] : [logged.session]))
      if (sessions.length > 0) await undoLogged(sessions)
      const results = await Promise.allSettled(forgotten)
      await queryClient.invalidateQueries()
      if (results.some(({ status }) => status === 'rejected'))
        toast.error('Error', 'What has been sent by now is in your log')
    }
    const [title, text] = message(done)
    toast.success(title, text, { label: 'Undo', run: () => void undo() })
  }

  return { attempts, log: (classes: readonly TodayClass[]) => void log(classes) }
}

function failure(error: unknown): Attempt {
  const problem = error instanceof CallFailed ? error.problem : undefined
  return {
    state: 'failed',
    reason: problem?.title ?? 'It wasn’t logged',
    // The other side logged a lesson at a different time that day. The form asks whether it's the same one.
    isSame: problem?.code === 'same_lesson',
  }
}

function message(done: { one: TodayClass; logged: LoggedClass }[]): [title: string, message?: string] {
  const isWaiting = done.some(({ logged }) => logged.isWaiting)
  if (isWaiting)
    return [
      'Waiting to be sent',
      done.length === 1
        ? "The session stays on this device until it's sent."
        : "The sessions stay on this device until they're sent.",
    ]
  if (done.length === 1) return ['Session added successfully']
  return [`${done.length} sessions added`, sumInWords(done.map(({ one }) => one))]
}
