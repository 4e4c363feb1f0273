import { useState } from 'react'
import { useSide } from '#features/accounts/client.web.ts'
import { CallFailed } from '#platform/api.web.ts'
import { Button } from '#platform/ui/Button.tsx'
import { TextArea } from '#platform/ui/Field.tsx'
import { useToast } from '#platform/ui/Toast.tsx'
import { useAnswerDispute } from './client.web.ts'
import type { Session } from './session.ts'
import { capital, otherSide } from './standing-text.ts'

/** What the other side said when sending a session back, and a way to answer instead of changing it. */
export function AnswerBox({ session, onDone }: { session: Session; onDone: () => void }) {
  const toast = useToast()
  const answer = useAnswerDispute()
  const [isOpen, setIsOpen] = useState(false)
  const [note, setNote] = useState('')
  const [problem, setProblem] = useState<string>()
  const send = async () => {
    if (note.trim() === '') return setProblem('Write a short answer')
    try {
      await answer.mutateAsync({ session, note })
      toast.success('Answer sent')
      onDone()
    } catch (error) {
      setProblem(
        error instanceof CallFailed
          ? (error.errorOf('note') ?? error.problem.title)
          : 'The answer could not be sent',
      )
    }
  }
  return (
    <div className="mb-4 rounded-md border border-danger-line bg-danger-soft p-4">
      <p className="font-semibold">{capital(otherSide(useSide(), session.tutor_name))} sent this back</p>
      <p className="mt-1 break-words">“{session.dispute_note}”</p>
      <p className="mt-2 text-small text-ink-2">Fix it, or answer if it's right as it is.</p>
      {isOpen ? (
        <div className="mt-3 grid gap-3">
          <TextArea
            label="Your answer"
            required
            maxLength={500}
            value={note}
            error={problem}
            onChange={(event) => setNote(event.target.value)}
          />
          <Button size="small" busy={answer.isPending} busyText="Sending..." onClick={() => void send()}>
            Send answer
          </Button>
        </div>
      ) : (
        <Button tone="secondary" size="small" className="mt-3" onClick={() => setIsOpen(true)}>
          Answer
        </Button>
      )}
    </div>
  )
}
