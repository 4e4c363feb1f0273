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
import { ChangeSession } from './ChangeSession.tsx'
import { learnNames } from './client.web.ts'
import { type HeardPeople, namesFrom } from './learned-name.ts'
import type { ProposedSession, VoiceResult } from './voice.ts'
import {
  type Chosen,
  chosenAfter,
  chosenIn,
  heardCharges,
  isComplete,
  proposedFields,
  toCorrect,
  toldOf,
} from './voice-form.ts'

interface VoiceResultCardProps {
  result: VoiceResult
  onUse: (proposed: Partial<SessionFields>, charges: ChargeBeside[], heard: HeardPeople) => void
  onAgain: () => void
}

/** A session as it stands on its card, and before it was corrected last. */
interface Standing {
  session: ProposedSession
  own: Chosen
  before?: Standing
}

/** The sessions found in the transcript, each on a card. The user checks them before anything is entered. */
export function VoiceResultCard({ result, onUse, onAgain }: VoiceResultCardProps) {
  const seesAmounts = useSeesAmounts()
  const { currency, role } = useMe()
  const sessions = result.sessions?.length ? result.sessions : [result]
  const [stands, setStands] = useState(() =>
    sessions.map((session): Standing => ({ session, own: chosenIn(session) })),
  )
  const change = (place: number, next: (one: Standing) => Standing) =>
    setStands((all) => all.map((one, at) => (at === place ? next(one) : one)))
  const [charges, setCharges] = useState(() => heardCharges(result))
  const picked = charges.flatMap(({ isPicked, charge }) => (isPicked ? [charge] : []))
  const cards = stands.map(({ session, own, before }) => {
    const proposed = proposedFields(session, own, currency, result.is_session)
    const fields = { ...proposed, ...(seesAmounts ? {} : { hourly_rate: '' }) }
    return { session, own, before, fields }
  })
  return (
    <>
      {cards.map(({ session, own, before, fields }, index) => (
        <ProposedSessionCard
          key={index}
          result={result}
          session={session}
          place={index}
          count={sessions.length}
          chosen={own}
          onChoose={(now) => change(index, (one) => ({ ...one, own: now }))}
          onUse={() => onUse(fields, picked, toldOf(own))}
          correction={
            <ChangeSession
              isParent={role === 'parent'}
              correcting={toCorrect(session, own)}
              onChanged={(now) =>
                change(index, (one) => ({ session: now, own: chosenAfter(now, one.own), before: one }))
              }
              onUndo={before && (() => change(index, () => before))}
            />
          }
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
          heard={cards.map(({ own }) => own.heard)}
          areComplete={cards.every(({ session, own }) => isComplete(session, own))}
        />
      )}
    </>
  )
}

interface AddAllProps {
  sessions: Partial<SessionFields>[]
  heard: HeardPeople[]
  areComplete: boolean
}

/** Adds all sessions from a recording with one tap. If one can't be added, none are. */
function AddAll({ sessions, heard, areComplete }: AddAllProps) {
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
      void learnNames(
        sessions.flatMap((session, place) => (heard[place] ? namesFrom(heard[place], session) : [])),
      )
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
