import { useEffect, useRef, useState } from 'react'
import { CallFailed } from '#platform/api.web.ts'
import { Button } from '#platform/ui/Button.tsx'
import { forgetDraft, keepDraft, withDraft } from '#platform/ui/draft.web.ts'
import { TextArea } from '#platform/ui/Field.tsx'

interface NoteFormProps {
  /** What the form is called, for who does not see where it stands. */
  name: string
  /** Under which what is typed stays until it is sent or given up. */
  draft: string
  label: string
  help: string
  maxLength: number
  /** What is said where nothing was typed. */
  missing: string
  send: string
  onSend: (note: string) => Promise<unknown>
  onClose: () => void
}

/** A few words that the other side reads, typed where they belong in the page. */
export function NoteForm({
  name,
  draft,
  label,
  help,
  maxLength,
  missing,
  send,
  onSend,
  onClose,
}: NoteFormProps) {
  const form = useRef<HTMLFormElement>(null)
  // It was opened to be written in.
  useEffect(() => form.current?.querySelector('textarea')?.focus(), [])
  const [note, setNote] = useState(() => withDraft(draft, { note: '' }).note)
  const [isBusy, setIsBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const close = () => {
    forgetDraft(draft)
    onClose()
  }
  const submit = async () => {
    if (note.trim() === '') return setProblem(missing)
    setIsBusy(true)
    try {
      await onSend(note)
      close()
    } catch (error) {
      setProblem(
        error instanceof CallFailed
          ? (error.problem.errors?.[0]?.message ?? error.problem.title)
          : 'Your note could not be sent. It is still here.',
      )
    } finally {
      setIsBusy(false)
    }
  }
  return (
    <form
      ref={form}
      className="mt-3 grid gap-3"
      aria-label={name}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!isBusy) void submit()
      }}
    >
      <TextArea
        label={label}
        required
        maxLength={maxLength}
        help={help}
        value={note}
        error={problem}
        onChange={(event) => {
          setNote(event.target.value)
          setProblem(undefined)
          keepDraft(draft, { note: event.target.value })
        }}
      />
      <div className="flex gap-2">
        <Button size="small" tone="quiet" onClick={close}>
          Cancel
        </Button>
        <Button size="small" tone="secondary" type="submit" busy={isBusy} busyText="Sending...">
          {send}
        </Button>
      </div>
    </form>
  )
}
