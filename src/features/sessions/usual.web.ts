// Logging a usual lesson with one tap, from the dashboard and the form.
import { useMemo, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { useMe } from '#features/accounts/client.web.ts'
import { paths } from '#features/site/paths.ts'
import { useStudents } from '#features/students/client.web.ts'
import { useTutors } from '#features/tutors/client.web.ts'
import { dayIn } from '#kernel/calendar-day.ts'
import { newId } from '#kernel/id.ts'
import { CallFailed } from '#platform/api.web.ts'
import { useToast } from '#platform/ui/Toast.tsx'
import { useLogSession, useRecentSessions } from './client.web.ts'
import { familiesToAsk } from './family-choice.ts'
import { emptySession, runningTotal, toNewSession, toWaiting, usualPriceOf } from './session-form.ts'
import { useSessionUndo } from './undo.web.ts'
import { loggedOf, type Offer, offersOf, onHome } from './usual.ts'
import { addWaiting, sendNow, useWaiting } from './waiting.web.ts'

/** The people of the lists, and the default rate of a lesson with them. */
function usePeople() {
  const students = useStudents().data
  const tutors = useTutors().data
  return useMemo(() => ({ students: students ?? [], tutors: tutors ?? [] }), [students, tutors])
}

/** The lessons that the dashboard offers to log, with what each costs in cents. */
export function useOffers() {
  const { students, tutors } = usePeople()
  const recent = useRecentSessions().data
  const me = useMe()
  const { currency } = me
  const waiting = useWaiting(me)
  const today = dayIn(new Date())
  const offers = useMemo(() => {
    const logged = recent ? loggedOf(recent.sessions, waiting) : []
    return onHome(offersOf(logged, students, tutors, today), today).filter(
      ({ student_id: id }) => familiesToAsk(students, id).length === 0,
    )
  }, [recent, waiting, students, tutors, today])
  const costOf = (offer: Offer) =>
    runningTotal({ ...offer, hourly_rate: '' }, usualPriceOf(offer, students, tutors), currency)?.amount
  return { offers, students, tutors, today, costOf }
}

/**
 * Logs an offered lesson with one tap, and says which with Undo. If the other side may have logged it already, the
 * form asks; without a network, it waits on this device.
 */
export function useOneTap() {
  const { id: userId, workspace, currency } = useMe()
  const { students, tutors } = usePeople()
  const toast = useToast()
  const navigate = useNavigate()
  const log = useLogSession()
  const { tellLogged } = useSessionUndo()
  const [busy, setBusy] = useState<readonly Offer[]>([])
  // A second tap may come before the first one's answer.
  const sent = useRef(new Set<string>())

  const wait = async (offer: Offer, key: string) => {
    const fields = { ...emptySession(offer.date), ...fieldsOf(offer) }
    const nameIn = (people: { id: string; name: string }[], id: string) =>
      people.find((one) => one.id === id)?.name ?? ''
    const names = {
      student: nameIn(students, offer.student_id),
      tutor: nameIn(tutors, offer.tutor_id),
    }
    const item = toWaiting(key, fields, names, { price: usualPriceOf(fields, students, tutors), currency }, 1)
    await addWaiting(userId, { ...item, workspace: workspace?.id })
    toast.success('Waiting to be sent', "The session stays on this device until it's sent.")
    void sendNow()
  }
  /** Returns whether the lesson was added. */
  const add = async (offer: Offer): Promise<boolean> => {
    const key = JSON.stringify(offer)
    if (sent.current.has(key)) return false
    sent.current.add(key)
    setBusy((now) => [...now, offer])
    const idempotencyKey = newId()
    const fields = { ...emptySession(offer.date), ...fieldsOf(offer) }
    try {
      tellLogged([await log.mutateAsync({ input: toNewSession(fields), idempotencyKey })])
      return true
    } catch (error) {
      if (error instanceof CallFailed && error.isRetryable) {
        await wait(offer, idempotencyKey)
        return true
      }
      if (error instanceof CallFailed && error.problem.code === 'same_lesson') {
        toast.error('Same lesson?', error.problem.title)
        void navigate(paths.addSession, { state: { session: fields } })
      } else toast.error('Error', 'Failed to add session')
      return false
    } finally {
      sent.current.delete(key)
      setBusy((now) => now.filter((one) => one !== offer))
    }
  }
  return { add, busy }
}

const fieldsOf = ({ isUsualDay: _isUsualDay, ...fields }: Offer) => fields
