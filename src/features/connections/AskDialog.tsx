import { useState } from 'react'
import type { Tutor } from '#features/tutors/tutor.ts'
import { newId } from '#kernel/id.ts'
import { CallFailed } from '#platform/api.web.ts'
import { Button } from '#platform/ui/Button.tsx'
import { FormDialog } from '#platform/ui/FormDialog.tsx'
import { useToast } from '#platform/ui/Toast.tsx'
import { useAsk, useNeedsName } from './client.web.ts'
import { HandOverDialog } from './HandOverDialog.tsx'
import { type AskingWay, WayChoice } from './WayChoice.tsx'
import { NameField } from './NameField.tsx'
import { SharedFromField } from './SharedFromField.tsx'

/** Asks a tutor to share and confirm sessions, by email or with a link to hand over. */
export function AskDialog({ tutor, onClose }: { tutor: Tutor; onClose: () => void }) {
  const toast = useToast()
  const ask = useAsk()
  const needsName = useNeedsName()
  const [idempotencyKey, setIdempotencyKey] = useState(newId)
  const [problem, setProblem] = useState<string>()
  const [way, setWay] = useState<AskingWay>(tutor.email ? 'email' : 'link')
  const [sharedFrom, setSharedFrom] = useState<string | null>(null)
  const [name, setName] = useState('')
  const [nameError, setNameError] = useState<string>()
  const send = async () => {
    if (sharedFrom === '') return setProblem('Choose the first day to share, or share all sessions')
    if (needsName && name.trim() === '') return setNameError('Enter your name')
    try {
      const { made } = await ask.mutateAsync({
        input: {
          tutor_id: tutor.id,
          by_link: way === 'link',
          ...(sharedFrom ? { shared_from: sharedFrom } : {}),
          ...(needsName ? { name } : {}),
        },
        idempotencyKey,
      })
      if (made !== undefined) return
      toast.success('Request sent', `${tutor.name} gets an email at ${tutor.email ?? ''}.`)
      onClose()
    } catch (error) {
      setProblem(error instanceof CallFailed ? error.problem.title : 'The request could not be sent')
    }
  }
  if (ask.data && ask.data.made !== undefined)
    return (
      <HandOverDialog
        connection={ask.data.connection}
        other={tutor.name}
        made={ask.data.made ?? undefined}
        onClose={onClose}
      />
    )
  return (
    <FormDialog
      title={`Ask ${tutor.name} to confirm`}
      isDirty={sharedFrom !== null || name !== ''}
      onClose={onClose}
      footer={
        <>
          <Button tone="secondary" onClick={onClose}>
            Cancel
          </Button>
          {(tutor.email || way === 'link') && (
            <Button
              className="flex-1"
              blockedReason={needsName === undefined ? '' : undefined}
              busy={ask.isPending}
              busyText={way === 'link' ? 'Making the link...' : 'Sending...'}
              onClick={() => void send()}
            >
              {way === 'link' ? 'Make the link' : 'Send request'}
            </Button>
          )}
        </>
      }
    >
      <WayChoice
        value={way}
        onChange={(chosen) => {
          setWay(chosen)
          setProblem(undefined)
          setIdempotencyKey(newId())
        }}
      />
      <p className="mt-3">
        {way === 'link' ? (
          `${tutor.name} scans a code from your screen, or gets the link in any messenger, and needs neither an email address nor an account.`
        ) : tutor.email ? (
          <>
            <b className="break-words">{tutor.email}</b> gets an email with a link. {tutor.name} doesn’t need
            an account.
          </>
        ) : (
          `${tutor.name}’s record doesn’t have an email yet. Edit the tutor to add one, or ask with a link.`
        )}
      </p>
      {needsName && (
        <div className="mt-4">
          <NameField
            other={tutor.name}
            value={name}
            error={nameError}
            onChange={(typed) => {
              setName(typed)
              setNameError(undefined)
              setIdempotencyKey(newId())
            }}
          />
        </div>
      )}
      <h3 className="mt-4">What {tutor.name} will see</h3>
      <ul className="mt-1.5 list-disc pl-5 text-ink-2">
        <li>your name, and the child&apos;s first name</li>
        <li>date, duration, subject, rate and amount of your sessions together</li>
      </ul>
      <p className="mt-3 text-ink-2">
        They never see your notes, phone numbers or other tutors. What {tutor.name} logs for your children
        shows up in your log, too. Either of you can end it at any time, and then you each keep a copy.
      </p>
      <div className="mt-2">
        <SharedFromField
          value={sharedFrom}
          onChange={(day) => {
            setSharedFrom(day)
            setProblem(undefined)
            setIdempotencyKey(newId())
          }}
        />
      </div>
      {problem && (
        <p role="alert" className="err mt-3">
          {problem}
        </p>
      )}
    </FormDialog>
  )
}
