import { Clock, Send } from 'lucide-react'
import { useState } from 'react'
import { useCanWrite } from '#features/accounts/client.web.ts'
import { useAskTutor, useEndLink, useLinks } from '#features/links/client.web.ts'
import type { Link } from '#features/links/link.ts'
import { newId } from '#kernel/id.ts'
import { CallFailed } from '#platform/api.web.ts'
import { Badge } from '#platform/ui/Badge.tsx'
import { Button } from '#platform/ui/Button.tsx'
import { ConfirmDialog } from '#platform/ui/ConfirmDialog.tsx'
import { FormDialog } from '#platform/ui/FormDialog.tsx'
import { ListRetry } from '#platform/ui/ListField.tsx'
import { Ticks } from '#platform/ui/Ticks.tsx'
import { useToast } from '#platform/ui/Toast.tsx'
import type { Tutor } from './tutor.ts'

/** Whether a tutor confirms sessions, and the way to ask or to end it. */
export function TutorLink({ tutor }: { tutor: Tutor }) {
  const links = useLinks()
  const canWrite = useCanWrite()
  const [dialog, setDialog] = useState<'ask' | 'end'>()
  if (tutor.is_self) return null
  if (!links.data) return <ListRetry list={links} plural="links" />
  const link = links.data.find((candidate) => candidate.tutor_id === tutor.id)
  if (!link && !canWrite) return null
  const isOpen = link?.state === 'asked' || link?.state === 'active'
  const askLabel = link ? 'Ask again' : 'Ask to confirm'
  return (
    <div className="mt-1.5 flex flex-wrap items-center gap-x-1.5">
      {link && <LinkState link={link} />}
      {canWrite && (
        <Button
          tone="quiet"
          size="small"
          className="-mx-3"
          aria-label={isOpen ? `End confirming with ${tutor.name}` : `${askLabel}, ${tutor.name}`}
          onClick={() => setDialog(isOpen ? 'end' : 'ask')}
        >
          {isOpen ? (
            'End'
          ) : (
            <>
              <Send className="size-4!" aria-hidden="true" />
              {askLabel}
            </>
          )}
        </Button>
      )}
      {dialog === 'ask' && <AskDialog tutor={tutor} onClose={() => setDialog(undefined)} />}
      {dialog === 'end' && link && (
        <EndDialog tutor={tutor} link={link} onClose={() => setDialog(undefined)} />
      )}
    </div>
  )
}

function LinkState({ link }: { link: Link }) {
  switch (link.state) {
    case 'active':
      return (
        <span className="ver mr-1.5">
          <Ticks isVerified />
          Confirms sessions
        </span>
      )
    case 'asked':
      return (
        <span className="mr-1.5">
          <Badge tone="warn">
            <Clock aria-hidden="true" />
            Asked, no answer yet
          </Badge>
        </span>
      )
    case 'declined':
      return (
        <span className="mr-1.5">
          <Badge>Declined</Badge>
        </span>
      )
    case 'ended':
      return (
        <span className="mr-1.5">
          <Badge>
            {link.ended_by === 'tutor'
              ? 'Ended by the tutor'
              : link.ended_by === null
                ? 'No answer'
                : 'Ended'}
          </Badge>
        </span>
      )
  }
}

function AskDialog({ tutor, onClose }: { tutor: Tutor; onClose: () => void }) {
  const toast = useToast()
  const ask = useAskTutor()
  const [idempotencyKey] = useState(newId)
  const [problem, setProblem] = useState<string>()
  const send = async () => {
    try {
      await ask.mutateAsync({ tutorId: tutor.id, idempotencyKey })
      toast.success('Question sent', `${tutor.name} gets a mail at ${tutor.email ?? ''}.`)
      onClose()
    } catch (error) {
      setProblem(error instanceof CallFailed ? error.problem.title : 'The question could not be sent')
    }
  }
  return (
    <FormDialog
      title={`Ask ${tutor.name} to confirm`}
      isDirty={false}
      onClose={onClose}
      footer={
        <>
          <Button tone="secondary" onClick={onClose}>
            Cancel
          </Button>
          {tutor.email && (
            <Button className="flex-1" busy={ask.isPending} busyText="Sending..." onClick={() => void send()}>
              Send the question
            </Button>
          )}
        </>
      }
    >
      {tutor.email ? (
        <>
          <p>
            <b className="break-words">{tutor.email}</b> gets a mail with a link. {tutor.name} needs no
            account.
          </p>
          <h3 className="mt-4">What {tutor.name} will see</h3>
          <ul className="mt-1.5 list-disc pl-5 text-ink-2">
            <li>your name, and the child&apos;s first name</li>
            <li>date, duration, subject, rate and amount of your sessions together</li>
          </ul>
          <p className="mt-3 text-ink-2">
            Never your notes, your phone numbers or other tutors. Either of you can end it at any time.
          </p>
        </>
      ) : (
        <p>
          There is no email on {tutor.name}&apos;s record yet. Edit the tutor, add an email, and ask again.
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

function EndDialog({ tutor, link, onClose }: { tutor: Tutor; link: Link; onClose: () => void }) {
  const toast = useToast()
  const end = useEndLink()
  const run = async () => {
    try {
      await end.mutateAsync(link)
      toast.success('Link ended')
      onClose()
    } catch {
      toast.error('Error', 'The link could not be ended')
    }
  }
  return (
    <ConfirmDialog
      title="End confirming"
      text={`${tutor.name} will no longer see or confirm your sessions.`}
      consequence="What was confirmed stays confirmed. You can ask again later."
      confirmLabel="End"
      busyText="Ending..."
      isBusy={end.isPending}
      onConfirm={() => void run()}
      onCancel={onClose}
    />
  )
}
