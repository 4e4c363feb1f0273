// A note to the other side: what's typed is stored until it's sent or discarded, and it's sent once.
import { useState } from 'react'
import { CallFailed } from '#platform/api.web.ts'
import { forgetDraft, keepDraft, withDraft } from './draft.web.ts'

export interface Note {
  /** The draft's name. */
  draft: string
  label: string
  help: string
  maxLength: number
  /** The message if nothing was typed. */
  missing: string
  /** The message if it couldn't be sent and the server gave no reason. */
  failure: string
  onSend: (note: string) => Promise<unknown>
  onClose: () => void
  /** What to do once it's sent; the form closes if this is left out. */
  onSent?: () => void
}

/** What a form with one note does: `field` is its text area, `submit` sends, `close` also deletes the draft. */
export function useNote({ draft, missing, failure, onSend, onClose, onSent = onClose, ...field }: Note) {
  const [note, setNote] = useState(() => withDraft(draft, { note: '' }).note)
  const [isBusy, setIsBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const close = () => {
    forgetDraft(draft)
    onClose()
  }
  const submit = async () => {
    if (isBusy) return
    if (note.trim() === '') return setProblem(missing)
    setIsBusy(true)
    try {
      await onSend(note)
      forgetDraft(draft)
      onSent()
    } catch (error) {
      setProblem(
        error instanceof CallFailed ? (error.problem.errors?.[0]?.message ?? error.problem.title) : failure,
      )
    } finally {
      setIsBusy(false)
    }
  }
  const type = (text: string) => {
    setNote(text)
    setProblem(undefined)
    keepDraft(draft, { note: text })
  }
  return {
    submit,
    close,
    isBusy,
    isDirty: note !== '',
    field: {
      ...field,
      required: true,
      value: note,
      error: problem,
      onChange: (event: { target: { value: string } }) => type(event.target.value),
    },
  }
}
