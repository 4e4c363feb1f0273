import { useState } from 'react'
import { useSide } from '#features/accounts/client.web.ts'
import { useAnswers } from '#features/agreements/client.web.ts'
import { Button } from '#platform/ui/Button.tsx'
import { readDraft } from '#platform/ui/draft.web.ts'
import { NoteForm } from '#platform/ui/NoteForm.tsx'
import { useToast } from '#platform/ui/Toast.tsx'
import { sessionKind, useAnswerDispute, useShared } from './client.web.ts'
import type { SharedSession } from './confirmation.ts'
import { proposalInWords } from './not-right.ts'
import type { Session } from './session.ts'
import { capital, otherSide } from './standing-text.ts'

/** Shows the note on a session that the other side sent back. The user can reply without changing the session. */
export function AnswerBox({ session, onDone }: { session: Session; onDone: () => void }) {
  const other = otherSide(useSide(), session.tutor_name)
  const toast = useToast()
  const answer = useAnswerDispute()
  const answers = useAnswers<SharedSession>(sessionKind(useSide()))
  const shared = useShared('waiting').data?.sessions.find(({ id }) => id === session.id)
  const draft = `answer:${session.id}`
  const [isOpen, setIsOpen] = useState(() => readDraft(draft) !== undefined)
  const send = async (note: string) => {
    await answer.mutateAsync({ session, note })
    toast.success('Answer sent')
  }
  return (
    <div className="mb-4 rounded-md border border-danger-line bg-danger-soft p-4">
      <p className="font-semibold">{capital(other)} sent this back</p>
      {shared?.proposal?.by === 'other' && (
        <p className="num mt-1 wrap-anywhere">
          {capital(other)} says {proposalInWords(shared, shared.proposal)}
        </p>
      )}
      {session.dispute_note && <p className="mt-1 break-words">“{session.dispute_note}”</p>}
      <p className="mt-2 text-small text-ink-2">Fix it, or reply if it’s correct as is.</p>
      {shared?.proposal?.by === 'other' && !isOpen && (
        <Button
          size="small"
          className="mt-3 mr-2"
          busy={answers.busyWith(shared) === 'accept'}
          busyText="Accepting..."
          onClick={() => void answers.accept(shared).then((isDone) => isDone && onDone())}
        >
          Accept
        </Button>
      )}
      {isOpen ? (
        <NoteForm
          draft={draft}
          name="Answer"
          label="Your answer"
          help={`${capital(other)} will see this`}
          maxLength={500}
          missing="Write a short answer"
          send="Send answer"
          onSend={send}
          onSent={onDone}
          onClose={() => setIsOpen(false)}
        />
      ) : (
        <Button tone="secondary" size="small" className="mt-3" onClick={() => setIsOpen(true)}>
          Answer
        </Button>
      )}
    </div>
  )
}
