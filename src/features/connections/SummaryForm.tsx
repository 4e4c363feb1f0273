import { useEffect, useRef, useState } from 'react'
import type { SharedSession } from '#features/sessions/confirmation.ts'
import {
  LESSON_WORDS,
  type LessonWords,
  LONGEST_WORDS,
  WORDS_FIELDS,
  type WordsField,
} from '#features/sessions/lesson-words.ts'
import { CallFailed } from '#platform/api.web.ts'
import { Button } from '#platform/ui/Button.tsx'
import { forgetDraft, keepDraft, readDraft } from '#platform/ui/draft.web.ts'
import { TextArea } from '#platform/ui/Field.tsx'
import { FormAlert } from '#platform/ui/FormAlert.tsx'
import { summaryDraft } from './client.web.ts'

interface SummaryFormProps {
  session: SharedSession
  /** The form's label for screen readers. */
  what: string
  /** What to call the other side mid-sentence. */
  other: string
  /** Saves the summary and confirms the session. */
  onSend: (words: LessonWords) => Promise<unknown>
  onClose: () => void
}

/**
 * The fields for what's written about a lesson, in its row. They're submitted by both the form's button and the
 * button that confirms everything.
 */
export default function SummaryForm({ session, what, other, onSend, onClose }: SummaryFormProps) {
  const draft = summaryDraft(session.id)
  const form = useRef<HTMLFormElement>(null)
  // The user opened the form to type, so focus the first field.
  useEffect(() => form.current?.querySelector('textarea')?.focus(), [])
  // Contains only the fields the user edited, so that saving doesn't overwrite the other side's text in the
  // other field.
  const [typed, setTyped] = useState<LessonWords>(() => readDraft<LessonWords>(draft) ?? {})
  const [isBusy, setIsBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const type = (field: WordsField, text: string) => {
    setTyped({ ...typed, [field]: text })
    keepDraft(draft, { ...typed, [field]: text })
  }
  const close = () => {
    forgetDraft(draft)
    onClose()
  }
  const send = async () => {
    setIsBusy(true)
    setProblem(undefined)
    try {
      await onSend(typed)
      close()
    } catch (error) {
      setProblem(
        error instanceof CallFailed
          ? error.problem.title
          : 'The summary could not be saved. What you typed is still here.',
      )
    } finally {
      setIsBusy(false)
    }
  }
  return (
    <form
      ref={form}
      className="mt-2 grid gap-3"
      aria-label={`Summary, ${what}`}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!isBusy) void send()
      }}
    >
      {WORDS_FIELDS.map((field) => (
        <TextArea
          key={field}
          label={LESSON_WORDS[field].asked}
          placeholder={LESSON_WORDS[field].placeholder}
          maxLength={LONGEST_WORDS}
          value={typed[field] ?? session[field] ?? ''}
          onChange={(event) => type(field, event.target.value)}
        />
      ))}
      <p className="help">You and {other} can see this.</p>
      {problem && <FormAlert text={problem} />}
      <div className="flex gap-2">
        <Button size="small" tone="quiet" onClick={close}>
          Cancel
        </Button>
        <Button size="small" tone="secondary" type="submit" busy={isBusy} busyText="Saving...">
          Save and confirm
        </Button>
      </div>
    </form>
  )
}
