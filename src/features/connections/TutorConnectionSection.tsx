import { Clock, Send } from 'lucide-react'
import { useState } from 'react'
import type { Tutor } from '#features/tutors/tutor.ts'
import { newId } from '#kernel/id.ts'
import { CallFailed } from '#platform/api.web.ts'
import { Badge } from '#platform/ui/Badge.tsx'
import { Button } from '#platform/ui/Button.tsx'
import { FormDialog } from '#platform/ui/FormDialog.tsx'
import { ListRetry } from '#platform/ui/ListField.tsx'
import type { RowActions } from '#platform/ui/RowMenu.tsx'
import { Ticks } from '#platform/ui/Ticks.tsx'
import { useToast } from '#platform/ui/Toast.tsx'
import { useAsk, useConnections, useConnects, useNeedsName } from './client.web.ts'
import type { Connection } from './connection.ts'
import { useEnding } from './EndDialog.tsx'
import { isOpen } from './matching.ts'
import { NameField } from './NameField.tsx'
import { PairsLink } from './PairsCard.tsx'
import { SharedFromField, SharedFromLine } from './SharedFromField.tsx'

/** Shows whether a tutor shares and confirms sessions, with a button for the first request. */
export function TutorConnectionSection({ tutor }: { tutor: Tutor }) {
  const connections = useConnections()
  const connects = useConnects()
  const [isAsking, setIsAsking] = useState(false)
  if (tutor.is_self || !connections.isEnabled) return null
  if (!connections.data) return <ListRetry list={connections} plural="connections" />
  const connection = connections.data.find((candidate) => candidate.tutor_id === tutor.id)
  if (!connection && !connects) return null
  return (
    <>
      <div className="mt-1.5 flex flex-wrap items-center gap-x-1.5">
        {connection ? (
          <State connection={connection} />
        ) : (
          <span className="mr-1.5">
            <Badge>Not asked yet</Badge>
          </span>
        )}
        {connects && !connection && (
          <Button
            tone="quiet"
            size="small"
            className="-mx-4"
            aria-label={`Ask to confirm, ${tutor.name}`}
            onClick={() => setIsAsking(true)}
          >
            <Send className="size-4!" aria-hidden="true" />
            Ask to confirm
          </Button>
        )}
        {isAsking && <AskDialog tutor={tutor} onClose={() => setIsAsking(false)} />}
      </div>
      {connection && isOpen(connection) && <SharedFromLine connection={connection} />}
      {connects && connection && connection.pairs > 0 && <PairsLink connection={connection} />}
    </>
  )
}

/** The connection actions in a tutor's "..." menu: end the connection, or ask again. */
export function useTutorActions(): RowActions<Tutor> {
  const connections = useConnections()
  const connects = useConnects()
  const ending = useEnding()
  const [asked, setAsked] = useState<Tutor>()
  return {
    actionsFor(tutor) {
      const connection = connections.data?.find(({ tutor_id: id }) => id === tutor.id)
      if (!connects || !connection) return []
      if (isOpen(connection)) return [ending.action({ connection, other: tutor.name })]
      return [{ label: 'Ask again', Icon: Send, run: () => setAsked(tutor) }]
    },
    dialog: asked ? <AskDialog tutor={asked} onClose={() => setAsked(undefined)} /> : ending.question,
  }
}

function State({ connection }: { connection: Connection }) {
  if (connection.state === 'active')
    return connection.is_read_only ? (
      <span className="mr-1.5">
        <Badge>Account closed, read only</Badge>
      </span>
    ) : (
      <span className="ver mr-1.5">
        <Ticks />
        Confirms sessions
      </span>
    )
  if (connection.state === 'asked')
    return (
      <span className="mr-1.5">
        <Badge tone="warn">
          <Clock aria-hidden="true" />
          Request sent, no answer yet
        </Badge>
      </span>
    )
  return (
    <span className="mr-1.5">
      <Badge>{connection.state === 'declined' ? 'Declined' : endedWords(connection)}</Badge>
    </span>
  )
}

function endedWords({ ended_by: by }: Connection): string {
  return by === 'other' ? 'Ended by the tutor' : by === null ? 'No answer' : 'Ended'
}

/** Asks a tutor to share and confirm sessions. */
export function AskDialog({ tutor, onClose }: { tutor: Tutor; onClose: () => void }) {
  const toast = useToast()
  const ask = useAsk()
  const needsName = useNeedsName()
  const [idempotencyKey, setIdempotencyKey] = useState(newId)
  const [problem, setProblem] = useState<string>()
  const [sharedFrom, setSharedFrom] = useState<string | null>(null)
  const [name, setName] = useState('')
  const [nameError, setNameError] = useState<string>()
  const send = async () => {
    if (sharedFrom === '') return setProblem('Choose the first day to share, or share all sessions')
    if (needsName && name.trim() === '') return setNameError('Enter your name')
    try {
      await ask.mutateAsync({
        input: {
          tutor_id: tutor.id,
          ...(sharedFrom ? { shared_from: sharedFrom } : {}),
          ...(needsName ? { name } : {}),
        },
        idempotencyKey,
      })
      toast.success('Request sent', `${tutor.name} gets an email at ${tutor.email ?? ''}.`)
      onClose()
    } catch (error) {
      setProblem(error instanceof CallFailed ? error.problem.title : 'The request could not be sent')
    }
  }
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
          {tutor.email && (
            <Button
              className="flex-1"
              blockedReason={needsName === undefined ? '' : undefined}
              busy={ask.isPending}
              busyText="Sending..."
              onClick={() => void send()}
            >
              Send request
            </Button>
          )}
        </>
      }
    >
      {tutor.email ? (
        <>
          <p>
            <b className="break-words">{tutor.email}</b> gets an email with a link. {tutor.name} doesn’t need
            an account.
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
        </>
      ) : (
        <p>
          {tutor.name}&apos;s record doesn’t have an email yet. Edit the tutor to add one, then ask again.
        </p>
      )}
      {problem && (
        <p role="alert" className="err mt-3">
          {problem}
        </p>
      )}
    </FormDialog>
  )
}
