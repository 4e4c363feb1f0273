import { useState } from 'react'
import { UNKNOWN_STUDENT } from '#features/students/student.ts'
import { type CalendarDay, formatDay } from '#kernel/calendar-day.ts'
import { CallFailed } from '#platform/api.web.ts'
import { forgetDraft, keepDraft, withDraft } from '#platform/ui/draft.web.ts'
import { TextArea } from '#platform/ui/Field.tsx'
import { FormBoundary } from '#platform/ui/FormBoundary.tsx'
import { FormButtons } from '#platform/ui/FormButtons.tsx'
import { FormDialog } from '#platform/ui/FormDialog.tsx'
import { Notice } from '#platform/ui/Notice.tsx'
import type { Side } from '#platform/ui/Ticks.tsx'
import { useToast } from '#platform/ui/Toast.tsx'
import type { SharedSession } from './confirmation.ts'
import { eachWords, LESSON_WORDS, LONGEST_WORDS, WORDS_FIELDS, type WordsField } from './lesson-words.ts'
import { SessionWords } from './SessionRow.tsx'
import { otherSide } from './standing-text.ts'

interface SummaryDialogProps {
  session: SharedSession
  reader: Side
  /** Saves what's written, and confirms the session if it isn't confirmed yet. */
  onSend: (session: SharedSession, words: Record<WordsField, string>) => Promise<unknown>
  onClose: () => void
}

/** Lets the user write about a session's lesson and confirm the session. */
export function SummaryDialog(props: SummaryDialogProps) {
  const draft = `summary:${props.session.id}`
  return (
    <FormBoundary draft={draft}>
      <SummaryForm {...props} draft={draft} />
    </FormBoundary>
  )
}

function SummaryForm({ session, reader, onSend, onClose, draft }: SummaryDialogProps & { draft: string }) {
  const toast = useToast()
  // If the other side writes something while the dialog is open, the user gets to see it before overwriting
  // it.
  const [seen, setSeen] = useState(session)
  const [isLate, setIsLate] = useState(false)
  const [stored] = useState(() => eachWords((field) => session[field] ?? ''))
  const [words, setWords] = useState(() => withDraft(draft, stored))
  const [isBusy, setIsBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const isDirty = WORDS_FIELDS.some((field) => words[field] !== stored[field])
  const confirms = session.own_confirmation !== 'confirmed'
  const help = `You and ${otherSide(reader, session.other_name)} can see this`
  const close = () => {
    forgetDraft(draft)
    onClose()
  }
  const type = (typed: Partial<typeof words>) => {
    const next = { ...words, ...typed }
    setWords(next)
    keepDraft(draft, next)
  }
  const send = async () => {
    setIsBusy(true)
    setProblem(undefined)
    const current = isLate ? session : seen
    try {
      await onSend(current, words)
      toast.success(confirms ? 'Session confirmed' : 'Summary saved')
      close()
    } catch (error) {
      setIsBusy(false)
      setSeen(current)
      setIsLate(error instanceof CallFailed && error.problem.code === 'changed')
      setProblem(error instanceof CallFailed ? error.problem.title : 'The summary could not be saved')
    }
  }
  return (
    <FormDialog
      title="Lesson summary"
      isDirty={isDirty}
      onClose={close}
      problem={problem}
      footer={
        <FormButtons
          label={confirms ? 'Save and confirm' : 'Save'}
          isBusy={isBusy}
          onSubmit={() => void send()}
          onCancel={close}
        />
      }
    >
      <p className="mb-4 text-ink-2">
        {session.student_name ?? UNKNOWN_STUDENT}, {formatDay(session.date as CalendarDay)}
      </p>
      {isLate && session.version !== seen.version && (
        <div className="mb-4">
          <Notice>
            <p>This was changed while you were writing. Here’s what it says now. Save again to replace it.</p>
            <SessionWords session={session} />
          </Notice>
        </div>
      )}
      <div className="grid gap-4">
        {WORDS_FIELDS.map((field) => (
          <TextArea
            key={field}
            label={LESSON_WORDS[field].asked}
            placeholder={LESSON_WORDS[field].placeholder}
            help={help}
            maxLength={LONGEST_WORDS}
            value={words[field]}
            onChange={(event) => type({ [field]: event.target.value })}
          />
        ))}
      </div>
    </FormDialog>
  )
}
