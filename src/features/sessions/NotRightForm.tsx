import { Send } from 'lucide-react'
import { useId, useState } from 'react'
import { type Currency, inCurrency } from '#kernel/money.ts'
import { CallFailed } from '#platform/api.web.ts'
import { Button } from '#platform/ui/Button.tsx'
import { forgetDraft, keepDraft, withDraft } from '#platform/ui/draft.web.ts'
import { AmountField, DurationField } from '#platform/ui/EntryField.tsx'
import { TextArea, TextField } from '#platform/ui/Field.tsx'
import { FormAlert } from '#platform/ui/FormAlert.tsx'
import { FormButtons } from '#platform/ui/FormButtons.tsx'
import { FormDialog } from '#platform/ui/FormDialog.tsx'
import { SegmentedChoice } from '#platform/ui/SegmentedChoice.tsx'
import type { SaidOfSession } from './confirmation.ts'
import {
  MAX_NOTE,
  notRightDraft,
  type NotRightFields,
  notRightFields,
  type Proposable,
  saidOf,
} from './not-right.ts'

interface NotRightProps {
  session: Proposable & { id: string; currency: Currency }
  /** What to call the other side mid-sentence. */
  other: string
  onSend: (said: SaidOfSession) => Promise<unknown>
  onClose: () => void
}

type Errors = Partial<Record<keyof NotRightFields, string>>

/** What's typed about a session that isn't right, kept as a draft until it's sent or canceled. */
function useNotRight({ session, onSend, onClose }: NotRightProps) {
  const draft = notRightDraft(session.id)
  const [fields, setFields] = useState(() => withDraft(draft, notRightFields(session)))
  const [errors, setErrors] = useState<Errors>({})
  const [problem, setProblem] = useState<string>()
  const [isBusy, setIsBusy] = useState(false)
  const set = (change: Partial<NotRightFields>) => {
    setFields({ ...fields, ...change })
    setErrors({})
    keepDraft(draft, { ...fields, ...change })
  }
  const close = () => {
    forgetDraft(draft)
    onClose()
  }
  const send = async () => {
    if (isBusy) return
    const told = saidOf(fields, session)
    setErrors('errors' in told ? told.errors : {})
    if ('errors' in told) return
    setIsBusy(true)
    setProblem(undefined)
    try {
      await onSend(told.said)
      close()
    } catch (error) {
      setProblem(
        error instanceof CallFailed
          ? (error.problem.errors?.[0]?.message ?? error.problem.title)
          : 'This could not be sent. What you typed is still here.',
      )
    } finally {
      setIsBusy(false)
    }
  }
  return { fields, errors, problem, isBusy, set, close, send }
}

/** The question, the field for the value that's right, and a note. */
function Fields({
  session,
  other,
  fields,
  errors,
  set,
}: Pick<NotRightProps, 'session' | 'other'> &
  Pick<ReturnType<typeof useNotRight>, 'fields' | 'errors' | 'set'>) {
  const name = useId()
  return (
    <>
      <SegmentedChoice
        label="What’s not right?"
        name={name}
        value={fields.what}
        onValueChange={(what) => set({ what })}
        options={[
          { value: 'time', label: 'Time' },
          { value: 'rate', label: 'Rate' },
          { value: 'removal', label: 'Didn’t happen' },
        ]}
      />
      {fields.what === 'time' && (
        <div className="pair">
          <DurationField
            label="Right duration (hours)"
            step={0.25}
            least={0}
            value={fields.duration}
            error={errors.duration}
            onValueChange={(duration) => set({ duration })}
          />
          <TextField
            label="Right date"
            type="date"
            value={fields.date}
            error={errors.date}
            onChange={(event) => set({ date: event.target.value })}
          />
        </div>
      )}
      {fields.what === 'rate' && (
        <AmountField
          label={inCurrency('Right rate ($/hour)', session.currency)}
          value={fields.rate}
          error={errors.rate}
          onValueChange={(rate) => set({ rate })}
        />
      )}
      <TextArea
        label={`Note to ${other}${fields.what ? ' (optional)' : ''}`}
        rows={1}
        maxLength={MAX_NOTE}
        value={fields.note}
        error={errors.note}
        onChange={(event) => set({ note: event.target.value })}
      />
    </>
  )
}

/** Asks in a session's row what isn't right about it. */
export function NotRightForm({ name, ...props }: NotRightProps & { name: string }) {
  const { problem, isBusy, close, send, ...form } = useNotRight(props)
  return (
    <form
      className="mt-3 grid grid-cols-1 gap-3"
      aria-label={`Not right, ${name}`}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <Fields {...props} {...form} />
      {problem && <FormAlert text={problem} />}
      <div className="flex gap-2">
        <Button size="small" tone="quiet" onClick={close}>
          Cancel
        </Button>
        <Button size="small" tone="secondary" type="submit" busy={isBusy} busyText="Sending...">
          <Send className="i" aria-hidden="true" />
          Send
        </Button>
      </div>
    </form>
  )
}

/** Asks on top of the page what isn't right about a session. */
export function NotRightDialog({ facts, ...props }: NotRightProps & { facts: string }) {
  const { problem, isBusy, close, send, ...form } = useNotRight(props)
  const { what, note } = form.fields
  return (
    <FormDialog
      title="Not right"
      isDirty={what !== '' || note !== ''}
      onClose={close}
      {...(problem !== undefined && { problem })}
      footer={
        <FormButtons
          label="Send"
          isBusy={isBusy}
          busyText="Sending..."
          onSubmit={() => void send()}
          onCancel={close}
        />
      }
    >
      <p className="mb-4 text-ink-2">{facts}</p>
      <div className="grid grid-cols-1 gap-4">
        <Fields {...props} {...form} />
      </div>
    </FormDialog>
  )
}
