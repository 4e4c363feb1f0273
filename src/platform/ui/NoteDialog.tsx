import type { ReactNode } from 'react'
import { TextArea } from './Field.tsx'
import { inFormBoundary } from './FormBoundary.tsx'
import { FormButtons } from './FormButtons.tsx'
import { FormDialog } from './FormDialog.tsx'
import { type Note, useNote } from './note.web.ts'

interface NoteDialogProps extends Note {
  title: string
  send: string
  busyText?: string
  /** What the note refers to. */
  children: ReactNode
}

/** A dialog for a short note to the other side. */
export const NoteDialog = inFormBoundary(Content, ({ draft }) => draft)

function Content({ title, send, busyText = 'Sending...', children, ...note }: NoteDialogProps) {
  const { field, submit, close, isBusy, isDirty } = useNote(note)
  return (
    <FormDialog
      title={title}
      isDirty={isDirty}
      onClose={close}
      footer={
        <FormButtons
          label={send}
          isBusy={isBusy}
          busyText={busyText}
          onSubmit={() => void submit()}
          onCancel={close}
        />
      }
    >
      <p className="mb-4 text-ink-2">{children}</p>
      <TextArea {...field} />
    </FormDialog>
  )
}
