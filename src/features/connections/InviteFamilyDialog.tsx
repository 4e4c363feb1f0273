import { useState } from 'react'
import { useStudents } from '#features/students/client.web.ts'
import type { Student } from '#features/students/student.ts'
import { newId } from '#kernel/id.ts'
import { CallFailed } from '#platform/api.web.ts'
import { ConfirmDialog } from '#platform/ui/ConfirmDialog.tsx'
import { Disclosure } from '#platform/ui/Disclosure.tsx'
import { forgetDraft, keepDraft, withDraft } from '#platform/ui/draft.web.ts'
import { TextField } from '#platform/ui/Field.tsx'
import { FormBoundary } from '#platform/ui/FormBoundary.tsx'
import { FormButtons } from '#platform/ui/FormButtons.tsx'
import { FormDialog } from '#platform/ui/FormDialog.tsx'
import { useToast } from '#platform/ui/Toast.tsx'
import { useAsk, useConnections, useNeedsName } from './client.web.ts'
import type { Connection } from './connection.ts'
import { HandOverDialog, type MadeLink } from './HandOverDialog.tsx'
import { type AskingWay, WayChoice } from './WayChoice.tsx'
import { NameField } from './NameField.tsx'
import { openWith } from './matching.ts'
import { nameOfOther } from '#features/workspaces/sides.ts'
import { SharedFromField } from './SharedFromField.tsx'

interface InviteFamilyDialogProps {
  student: Student
  onClose: () => void
}

/** Asks a student's family, by email or with a link to hand over, to share and confirm sessions; siblings can be included. */
export function InviteFamilyDialog(props: InviteFamilyDialogProps) {
  const draft = `invite-family:${props.student.id}`
  const [handed, setHanded] = useState<Handed>()
  if (handed)
    return (
      <HandOverDialog {...handed} other={nameOfOther(handed.connection, 'tutor')} onClose={props.onClose} />
    )
  return (
    <FormBoundary draft={draft}>
      <InviteForm {...props} draft={draft} onHanded={setHanded} />
    </FormBoundary>
  )
}

/** A request by link, and the link unless it could not be made. */
interface Handed {
  connection: Connection
  made: MadeLink | undefined
}

const WORDS = {
  email: {
    label: 'Send the invitation',
    busyText: 'Sending...',
    reader: (email: string) => email.trim(),
    share: 'Share and send',
  },
  link: {
    label: 'Make the link',
    busyText: 'Making the link...',
    reader: () => 'Whoever opens the link',
    share: 'Share and make the link',
  },
}

interface Fields {
  way: AskingWay
  email: string
  name: string
  siblings: string[]
  /**
   * Sessions are shared from this day on (yyyy-MM-dd). Null shares all sessions; an empty string means that
   * no day has been chosen yet.
   */
  sharedFrom: string | null
}

interface InviteFormProps extends InviteFamilyDialogProps {
  draft: string
  onHanded: (handed: Handed) => void
}

function InviteForm({ student, onClose, draft, onHanded }: InviteFormProps) {
  const toast = useToast()
  const ask = useAsk()
  const needsName = useNeedsName()
  const [idempotencyKey, setIdempotencyKey] = useState(newId)
  const [fields, setFields] = useState(() =>
    withDraft<Fields>(draft, { way: 'email', email: '', name: '', siblings: [], sharedFrom: null }),
  )
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [isAsking, setIsAsking] = useState(false)
  const words = WORDS[fields.way]
  const others = useOthers(student)
  const siblings = others.filter(({ id }) => fields.siblings.includes(id)).map(({ name }) => name)
  const close = () => {
    forgetDraft(draft)
    onClose()
  }
  const change = (changes: Partial<Fields>) => {
    setFields({ ...fields, ...changes })
    keepDraft(draft, { ...fields, ...changes })
    setErrors({})
    setIdempotencyKey(newId())
  }
  const submit = () => {
    const missing = missingIn(fields, needsName ?? false)
    if (Object.keys(missing).length > 0) return setErrors(missing)
    // One wrong tap would show another child's lessons to this family.
    if (siblings.length > 0) return setIsAsking(true)
    void send()
  }
  const send = async () => {
    try {
      const { connection, made } = await ask.mutateAsync({
        input: {
          ...(fields.way === 'link' ? { by_link: true } : { email: fields.email }),
          student_ids: [student.id, ...fields.siblings],
          ...(needsName ? { name: fields.name } : {}),
          ...(fields.sharedFrom ? { shared_from: fields.sharedFrom } : {}),
        },
        idempotencyKey,
      })
      if (made !== undefined) {
        forgetDraft(draft)
        return onHanded({ connection, made: made ?? undefined })
      }
      toast.success('Invitation sent', `${fields.email.trim()} gets an email with a link.`)
      close()
    } catch (error) {
      setIsAsking(false)
      const failed = error instanceof CallFailed ? error : undefined
      setErrors(
        failed?.errorOf('email')
          ? { email: failed.errorOf('email') ?? '' }
          : {
              form:
                failed?.problem.title ?? 'The invitation could not be sent. What you typed is still here.',
            },
      )
    }
  }
  return (
    <FormDialog
      title={`Invite ${student.name}’s family`}
      isDirty={fields.email !== '' || fields.name !== '' || fields.sharedFrom !== null}
      onClose={close}
      problem={errors.form}
      footer={
        <FormButtons
          form="invite-family"
          label={words.label}
          isBusy={ask.isPending}
          busyText={words.busyText}
          blockedReason={needsName === undefined ? '' : undefined}
          onCancel={close}
        />
      }
    >
      <form
        id="invite-family"
        className="grid gap-4"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <WayFields fields={fields} error={errors.email} onChange={change} />
        {needsName && (
          <NameField
            other="the family"
            value={fields.name}
            error={errors.name}
            onChange={(name) => change({ name })}
          />
        )}
        <Siblings others={others} chosen={fields.siblings} onChange={(ids) => change({ siblings: ids })} />
        <SharedFromField
          value={fields.sharedFrom}
          error={errors.sharedFrom}
          onChange={(sharedFrom) => change({ sharedFrom })}
        />
      </form>
      <h3 className="mt-5">What the family will see</h3>
      <ul className="mt-1.5 list-disc pl-5 text-ink-2">
        <li>your name, and the student&apos;s first name</li>
        <li>date, duration, subject, rate and amount of these sessions</li>
      </ul>
      <p className="mt-3 text-ink-2">
        They never see your notes or your other students. Either of you can end it at any time, and then you
        each keep a copy.
      </p>
      {isAsking && (
        <ConfirmDialog
          title={`Share ${LIST.format(siblings.map((name) => `${name}’s`))} lessons too?`}
          text={`${words.reader(fields.email)} will see the lessons of ${LIST.format([student.name, ...siblings])}.`}
          confirmLabel={words.share}
          busyText={words.busyText}
          tone="primary"
          isBusy={ask.isPending}
          onConfirm={() => void send()}
          onCancel={() => setIsAsking(false)}
        />
      )}
    </FormDialog>
  )
}

interface WayFieldsProps {
  fields: Fields
  error: string | undefined
  onChange: (changes: Partial<Fields>) => void
}

/** How the family is asked, and its address if that's by email. */
function WayFields({ fields: { way, email }, error, onChange }: WayFieldsProps) {
  return (
    <>
      <div>
        <WayChoice value={way} onChange={(chosen) => onChange({ way: chosen })} />
        {way === 'link' && (
          <p className="help mt-1.5">
            The family scans a code from your screen, or gets the link in any messenger. They need neither an
            email address nor an account.
          </p>
        )}
      </div>
      {way === 'email' && (
        <TextField
          label="Family’s email"
          type="email"
          required
          autoComplete="off"
          help="They confirm by email and don’t need an account"
          value={email}
          error={error}
          onChange={(event) => onChange({ email: event.target.value })}
        />
      )}
    </>
  )
}

/** Messages for the fields that still have to be filled in. */
function missingIn({ way, email, name, sharedFrom }: Fields, needsName: boolean): Record<string, string> {
  return {
    ...(way === 'email' && email.trim() === '' ? { email: 'Enter the family’s email address' } : {}),
    ...(needsName && name.trim() === '' ? { name: 'Enter your name' } : {}),
    ...(sharedFrom === '' ? { sharedFrom: 'Choose the first day to share, or share all sessions' } : {}),
  }
}

const LIST = new Intl.ListFormat('en', { type: 'conjunction' })

/** Students without a connected family. Some of them may be siblings. */
function useOthers(student: Student): Student[] {
  const students = useStudents()
  const connections = useConnections()
  return (students.data ?? []).filter(({ id }) => id !== student.id && !openWith(connections.data ?? [], id))
}

interface SiblingsProps {
  others: Student[]
  chosen: string[]
  onChange: (ids: string[]) => void
}

/** Other students to share with the same family. Collapsed, because most families share just one. */
function Siblings({ others, chosen, onChange }: SiblingsProps) {
  if (others.length === 0) return null
  return (
    <Disclosure title="Also in this family" mustShow={others.some(({ id }) => chosen.includes(id))}>
      <fieldset className="max-h-56 overflow-y-auto">
        <legend className="sr-only">Also in this family</legend>
        {others.map(({ id, name }) => (
          <label key={id} className="flex min-h-11 cursor-pointer items-center gap-3">
            <input
              type="checkbox"
              className="size-5 shrink-0 accent-accent"
              checked={chosen.includes(id)}
              onChange={(event) =>
                onChange(event.target.checked ? [...chosen, id] : chosen.filter((one) => one !== id))
              }
            />
            <span className="min-w-0 wrap-anywhere">{name}</span>
          </label>
        ))}
      </fieldset>
    </Disclosure>
  )
}
