// A note to the other side. What you type is stored until you send or discard the note. A note is sent only
// once.
import { useState } from 'react'
import { CallFailed } from '#platform/api.web.ts'
import { forgetDraft, keepDraft, withDraft } from './draft.web.ts'

export interface Note {
  draft: string
  label: string
  help: string
  maxLength: number
  /** The error message for an empty note. */
  missing: string
  /** The error message if sending fails and the server gives no reason. */
  failure: string
  onSend: (note: string) => Promise<unknown>
  onClose: () => void
  /** Called after the note is sent. By default, closes the form. */
  onSent?: () => void
}

/**
 * Logic for a form with a single note: `field` has the text area's props, `submit` sends the note, and
 * `close` also deletes the draft.
 */
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
