import { useState } from 'react'
import { useMe, useSeesAmounts, useSide } from '#features/accounts/client.web.ts'
import type { ChargeBeside } from '#features/charges/charge-form.ts'
import { useLogSessions } from '#features/sessions/client.web.ts'
import { familiesToAsk } from '#features/sessions/family-choice.ts'
import { emptySession, type SessionFields, toNewSession } from '#features/sessions/session-form.ts'
import { useSessionUndo } from '#features/sessions/undo.web.ts'
import { paths } from '#features/site/paths.ts'
import { useStudents } from '#features/students/client.web.ts'
import { newId } from '#kernel/id.ts'
import { CallFailed } from '#platform/api.web.ts'
import { Button } from '#platform/ui/Button.tsx'
import { useNavigateFromHere } from '#platform/ui/navigate.web.ts'
import { useToast } from '#platform/ui/Toast.tsx'
import { ProposedCharges } from './ProposedCharges.tsx'
import { ProposedSessionCard } from './ProposedSessionCard.tsx'
import type { VoiceResult } from './voice.ts'
import { type Chosen, heardCharges, proposedFields, isComplete } from './voice-form.ts'

interface VoiceResultCardProps {
  result: VoiceResult
  onUse: (proposed: Partial<SessionFields>, charges: ChargeBeside[]) => void
  onAgain: () => void
}

/** The sessions found in the transcript, each on a card. The user checks them before anything is entered. */
export function VoiceResultCard({ result, onUse, onAgain }: VoiceResultCardProps) {
  const seesAmounts = useSeesAmounts()
  const { currency } = useMe()
  const sessions = result.sessions?.length ? result.sessions : [result]
  const [chosen, setChosen] = useState(() =>
    sessions.map(({ childId, tutorId, notes }): Chosen => ({ studentId: childId, tutorId, notes })),
  )
  const [charges, setCharges] = useState(() => heardCharges(result))
  const picked = charges.flatMap(({ isPicked, charge }) => (isPicked ? [charge] : []))
  const cards = sessions.map((session, index) => {
    const own = chosen[index] ?? { studentId: null, tutorId: null, notes: null }
    const proposed = proposedFields(session, own, currency, result.is_session)
    const fields = { ...proposed, ...(seesAmounts ? {} : { hourly_rate: '' }) }
    return { session, own, fields }
  })
  return (
    <>
      {cards.map(({ session, own, fields }, index) => (
        <ProposedSessionCard
          key={index}
          result={result}
          session={session}
          place={index}
          count={sessions.length}
          chosen={own}
          onChoose={(now) => setChosen((all) => all.map((one, place) => (place === index ? now : one)))}
          onUse={() => onUse(fields, picked)}
          charges={index === 0 && <ProposedCharges result={result} charges={charges} onPick={setCharges} />}
          again={
            index === sessions.length - 1 && (
              <div className="mt-3 text-center">
                <Button tone="quiet" onClick={onAgain}>
                  Say it again
                </Button>
              </div>
            )
          }
        />
      ))}
      {cards.length > 1 && (
        <AddAll
          sessions={cards.map(({ fields }) => fields)}
          areComplete={cards.every(({ session, own }) => isComplete(session, own))}
        />
      )}
    </>
  )
}

/** Adds all sessions from a recording with one tap. If one can't be added, none are. */
function AddAll({ sessions, areComplete }: { sessions: Partial<SessionFields>[]; areComplete: boolean }) {
  const navigate = useNavigateFromHere()
  const reader = useSide()
  const toast = useToast()
  const students = useStudents()
  const log = useLogSessions()
  const { tellLogged } = useSessionUndo()
  const [idempotencyKey, setIdempotencyKey] = useState(newId)
  const asksFamily = sessions.some(
    ({ student_id: id }) => familiesToAsk(students.data ?? [], id ?? '').length > 0,
  )

  async function add() {
    try {
      const added = await log.mutateAsync({
        inputs: sessions.map((proposed) => toNewSession({ ...emptySession(''), ...proposed })),
        idempotencyKey,
      })
      tellLogged(added.sessions)
      navigate(paths.dashboard)
    } catch (error) {
      // If the server rejected the request, the next attempt sends a new one. If it didn't respond, the next
      // attempt resends the same request.
      if (error instanceof CallFailed && !error.isRetryable) setIdempotencyKey(newId())
      const isSame = error instanceof CallFailed && error.problem.code === 'same_lesson'
      toast.error(
        'Nothing was added',
        isSame
          ? `${reader === 'parent' ? 'The tutor' : 'The family'} already logged one of these lessons. Add them one by one.`
          : 'Failed to add sessions. Please try again.',
      )
    }
  }

  return (
    <div className="pinned above-nav mt-3 lg:border-0">
      <Button
        className="w-full"
        onClick={() => void add()}
        busy={log.isPending}
        busyText="Adding..."
        blockedReason={
          areComplete && !asksFamily ? undefined : 'Something is missing. Complete the sessions one by one.'
        }
      >
        Add all {sessions.length}
      </Button>
    </div>
  )
}
