import { Send } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Button } from './Button.tsx'
import { TextArea } from './Field.tsx'
import { type Note, useNote } from './note.web.ts'

interface NoteFormProps extends Omit<Note, 'failure'> {
  /** The form's accessible name. */
  name: string
  send: string
  hasIcon?: boolean
}

/** An inline form for a short note to the other side. */
export function NoteForm({ name, send, hasIcon = false, ...note }: NoteFormProps) {
  const form = useRef<HTMLFormElement>(null)
  // Focuses the field, so people can start typing right away.
  useEffect(() => form.current?.querySelector('textarea')?.focus(), [])
  const { field, submit, close, isBusy } = useNote({
    ...note,
    failure: 'Your note could not be sent. It is still here.',
  })
  return (
    <form
      ref={form}
      className="mt-3 grid gap-3"
      aria-label={name}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <TextArea {...field} />
      <div className="flex gap-2">
        <Button size="small" tone="quiet" onClick={close}>
          Cancel
        </Button>
        <Button size="small" tone="secondary" type="submit" busy={isBusy} busyText="Sending...">
          {hasIcon && <Send className="i" aria-hidden="true" />}
          {send}
        </Button>
      </div>
    </form>
  )
}
