import { useState } from 'react'
import { useCanWrite, useSeesAmounts, useSide } from '#features/accounts/client.web.ts'
import { isToConfirm, standingOf } from '#features/agreements/answer.ts'
import { DeletionDialog } from '#features/agreements/AnswerDialogs.tsx'
import { AnswerButtons, DeletionButtons } from '#features/agreements/AnswerRow.tsx'
import { useAnswers } from '#features/agreements/client.web.ts'
import { dayIn } from '#kernel/calendar-day.ts'
import { sessionKind } from './client.web.ts'
import type { Session } from './session.ts'
import { SessionWord } from './SessionRow.tsx'

interface OwnWordBoxProps {
  session: Session
  /** Whether the form has unsaved changes, which these buttons wouldn't save. */
  isChanged: boolean
  /** Opens the form for sending the session back with a note. Omitted if that form is already open. */
  onDispute?: () => void
  /** @param isGone whether the session is no longer in the log */
  onDone: (isGone: boolean) => void
}

/**
 * Both sides' answers about a session, plus buttons if the reader needs to answer. Empty if nobody else can
 * confirm the session.
 */
export function OwnWordBox({ session, isChanged, onDispute, onDone }: OwnWordBoxProps) {
  const reader = useSide()
  const canWrite = useCanWrite()
  const seesAmounts = useSeesAmounts()
  const answers = useAnswers<Session>({ ...sessionKind(reader), kept: ['Session kept'] })
  const [isAsking, setIsAsking] = useState(false)
  if (standingOf(session) === 'own') return null
  const done = (isSaved: boolean) => isSaved && onDone(false)
  const mayAnswer = canWrite && session.is_shared && !session.is_read_only && !isChanged
  return (
    <div className="mb-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <div className="min-w-0">
        <SessionWord session={session} onLeft={() => onDone(true)} />
        {session.is_read_only && seesAmounts && (
          <p className="help">
            {reader === 'parent' ? 'The tutor' : 'The family'} closed their account, so only your own notes
            can be changed.
          </p>
        )}
      </div>
      {mayAnswer && isToConfirm(session) && session.date <= dayIn(new Date()) && (
        <AnswerButtons
          isBeside
          isPrimary={false}
          busy={answers.busyWith(session)}
          onConfirm={() => void answers.confirm(session).then(done)}
          onDispute={onDispute}
        />
      )}
      {mayAnswer && session.deletion_asked_by === 'other' && (
        <DeletionButtons
          isBeside
          busy={answers.busyWith(session)}
          agree="Agree to delete"
          onDelete={() => setIsAsking(true)}
          onKeep={() => void answers.keep(session).then(done)}
        />
      )}
      {isAsking && (
        <DeletionDialog
          answers={answers}
          entry={session}
          onRemoved={() => onDone(true)}
          onClose={() => setIsAsking(false)}
        />
      )}
    </div>
  )
}
