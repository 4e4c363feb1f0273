import { Mic } from 'lucide-react'
import type { FormEvent } from 'react'
import { useMe } from '#features/accounts/client.web.ts'
import { useRecentSessions } from '#features/sessions/client.web.ts'
import { useStudents } from '#features/students/client.web.ts'
import { useTutors } from '#features/tutors/client.web.ts'
import type { Me } from '#features/accounts/account.ts'
import { Button } from '#platform/ui/Button.tsx'
import { TextArea } from '#platform/ui/Field.tsx'
import { Notice } from '#platform/ui/Notice.tsx'
import { exampleOf } from './voice-form.ts'

interface SayViewProps {
  engine: Me['speech_engine']
  isAsking: boolean
  trouble?: 'denied' | 'no-microphone'
  text: string
  onText: (text: string) => void
  onRecord: () => void
  onRead: () => void
}

const TROUBLES = {
  denied:
    'The microphone is blocked for this page. Allow it in your browser settings, or type what happened.',
  'no-microphone': 'This page can’t use a microphone. Type what happened, or dictate it with your keyboard.',
}

/**
 * The start screen: tips on what to say, a text box that's always visible, and the record button within thumb
 * reach.
 */
export function SayView({ engine, isAsking, trouble, text, onText, onRecord, onRead }: SayViewProps) {
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (text.trim()) onRead()
  }
  return (
    <div className="flex min-h-[calc(100dvh-272px)] flex-col pt-4 lg:min-h-0">
      <h2 className="mt-2 text-[1.5rem]! leading-tight">Say what happened</h2>
      <p className="mt-1.5 text-ink-2">
        Include the student, the tutor, the date, and how long it was.
        {engine === 'local' && ' Speech recognition on this server is basic. Recordings aren’t stored.'}
        {engine === 'neural' && ' Recordings are processed on this server and aren’t stored.'}
      </p>
      <div className="mt-4 rounded-lg border border-line bg-surface p-4">
        <p className="text-small font-semibold text-ink-3">Try saying</p>
        <p className="mt-1.5 text-lead leading-snug">“{useExample()}”</p>
      </div>
      {engine === 'off' && (
        <div className="mt-4">
          <Notice>
            This server doesn’t accept recordings. Type what happened, or dictate it with your keyboard’s
            microphone.
          </Notice>
        </div>
      )}
      {trouble && (
        <div className="mt-4">
          <Notice>{TROUBLES[trouble]}</Notice>
        </div>
      )}
      <form className="mt-5 grid gap-3" onSubmit={submit}>
        <TextArea
          label={engine === 'off' ? 'Type or dictate it' : 'You can also type or dictate it'}
          maxLength={4000}
          value={text}
          onChange={(event) => onText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.metaKey || event.ctrlKey))
              event.currentTarget.form?.requestSubmit()
          }}
        />
        {text.trim() && (
          <Button
            type="submit"
            tone={engine === 'off' ? 'primary' : 'secondary'}
            className="justify-self-start"
          >
            Fill in the form
          </Button>
        )}
      </form>
      {engine !== 'off' && (
        <div className="mt-auto grid justify-items-center pt-6 pb-2">
          <button
            type="button"
            className="rec"
            aria-label="Start recording"
            aria-busy={isAsking || undefined}
            onClick={() => {
              if (!isAsking) onRecord()
            }}
          >
            <Mic className="i" aria-hidden="true" />
          </button>
          <p className="mt-5 text-ink-2">{isAsking ? 'Allow microphone access to start' : 'Tap to record'}</p>
        </div>
      )}
    </div>
  )
}

/**
 * An example sentence. Names the people in the latest session or, if there isn't one, the first people on the
 * lists.
 */
function useExample(): string {
  const isParent = useMe().role === 'parent'
  const last = useRecentSessions().data?.sessions.find((one) => one.student_name && one.tutor_name)
  const student = useStudents().data?.[0]?.name
  const tutor = useTutors().data?.[0]?.name
  return exampleOf(
    last?.student_name ?? student,
    isParent ? (last?.tutor_name ?? tutor ?? 'Ingrid') : undefined,
  )
}
