import { useState } from 'react'
import { useSide } from '#features/accounts/client.web.ts'
import { Button } from '#platform/ui/Button.tsx'
import { readDraft } from '#platform/ui/draft.web.ts'
import { NoteForm } from '#platform/ui/NoteForm.tsx'
import { useToast } from '#platform/ui/Toast.tsx'
import { useAnswerDispute } from './client.web.ts'
import type { Session } from './session.ts'
import { capital, otherSide } from './standing-text.ts'

/** Shows the note on a session that the other side sent back. The user can reply without changing the session. */
export function AnswerBox({ session, onDone }: { session: Session; onDone: () => void }) {
  const other = otherSide(useSide(), session.tutor_name)
  const toast = useToast()
  const answer = useAnswerDispute()
  const draft = `answer:${session.id}`
  const [isOpen, setIsOpen] = useState(() => readDraft(draft) !== undefined)
  const send = async (note: string) => {
    await answer.mutateAsync({ session, note })
    toast.success('Answer sent')
  }
  return (
    <div className="mb-4 rounded-md border border-danger-line bg-danger-soft p-4">
      <p className="font-semibold">{capital(other)} sent this back</p>
      <p className="mt-1 break-words">“{session.dispute_note}”</p>
      <p className="mt-2 text-small text-ink-2">Fix it, or reply if it’s correct as is.</p>
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
