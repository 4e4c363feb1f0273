// A note to the other side: what is typed is kept until it is sent or given up, and sent once.
import { useState } from 'react'
import { CallFailed } from '#platform/api.web.ts'
import { forgetDraft, keepDraft, withDraft } from './draft.web.ts'

export interface Note {
  /** Under which what is typed stays until it is sent or given up. */
  draft: string
  label: string
  help: string
  maxLength: number
  /** What is said where nothing was typed. */
  missing: string
  /** What is said where it could not be sent and nobody said why. */
  failure: string
  onSend: (note: string) => Promise<unknown>
  onClose: () => void
  /** What happens once it was sent; the form closes where this is left out. */
  onSent?: () => void
}

/** What a form with one note does: `field` is its text area, `submit` sends, `close` also forgets the draft. */
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
