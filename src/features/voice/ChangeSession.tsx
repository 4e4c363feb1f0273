import { Mic, Pencil, Square } from 'lucide-react'
import { type FormEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useMe } from '#features/accounts/client.web.ts'
import { refusalText } from '#platform/api.web.ts'
import { onSilence, type Recorder, startRecorder } from '#platform/speech/recorder.web.ts'
import { Button, IconButton } from '#platform/ui/Button.tsx'
import { TextField } from '#platform/ui/Field.tsx'
import { correctSession } from './client.web.ts'
import type { Changed, Correcting } from './correction.ts'
import { MOST_SECONDS, type ProposedSession } from './voice.ts'

interface ChangeSessionProps {
  isParent: boolean
  correcting: Correcting
  onChanged: (session: ProposedSession) => void
  /** Takes the last change back. */
  onUndo: (() => void) | undefined
}

/** How a change went: what was changed, or why nothing was. */
type Outcome = { changed: readonly Changed[] } | { problem: string }

const UNCLEAR =
  'We couldn’t tell what to change. Say or type it another way, such as “it was two hours”, or use Edit & Review.'
const NO_MICROPHONE = 'We couldn’t use the microphone. Type what should change.'

/** Changes single facts of a session by saying or typing what's wrong: "no, Friday". The others stay. */
export function ChangeSession({ isParent, correcting, onChanged, onUndo }: ChangeSessionProps) {
  const { speech_engine: engine } = useMe()
  const [isOpen, setIsOpen] = useState(false)
  const [text, setText] = useState('')
  const [recorder, setRecorder] = useState<Recorder>()
  const [isBusy, setIsBusy] = useState(false)
  const [outcome, setOutcome] = useState<Outcome>()
  const work = useRef<AbortController>(undefined)
  const recording = useRef<Recorder>(undefined)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (isOpen && !recorder) field.current?.focus()
  }, [isOpen, recorder])
  const isAsking = useRef(false)
  const isHere = useRef(true)
  useEffect(() => {
    isHere.current = true
    return () => {
      isHere.current = false
      work.current?.abort()
      recording.current?.discard()
    }
  }, [])

  const send = async (source: Blob | string) => {
    const started = new AbortController()
    work.current = started
    setIsBusy(true)
    try {
      const { changed = [], sessions } = await correctSession(source, correcting, started.signal)
      const [session] = sessions ?? []
      if (!session || changed.length === 0) return setOutcome({ problem: UNCLEAR })
      onChanged(session)
      setText('')
      setOutcome({ changed })
    } catch (error) {
      if (!started.signal.aborted)
        setOutcome({ problem: refusalText(error, 'That didn’t work. Please try again.') })
    } finally {
      setIsBusy(false)
    }
  }
  const record = async () => {
    if (isAsking.current) return
    isAsking.current = true
    setOutcome(undefined)
    try {
      const started = await startRecorder()
      // The user may have left before answering the browser's permission prompt.
      if (!isHere.current) return started.discard()
      recording.current = started
      setRecorder(started)
    } catch {
      setOutcome({ problem: NO_MICROPHONE })
    } finally {
      isAsking.current = false
    }
  }
  const finish = async () => {
    recording.current = undefined
    setRecorder(undefined)
    if (recorder) await send(await recorder.stop())
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (text.trim() && !isBusy) void send(text.trim())
  }

  return (
    <div className="border-t border-line px-5 py-3">
      {!isOpen ? (
        <Button tone="quiet" size="small" className="-ml-3" onClick={() => setIsOpen(true)}>
          <Pencil className="i" aria-hidden="true" />
          Change something
        </Button>
      ) : recorder ? (
        <Recording recorder={recorder} onFinish={() => void finish()} />
      ) : (
        <form className="grid gap-3" onSubmit={submit}>
          <TextField
            label="What should change?"
            help="Such as “no, Friday” or “it was two hours”. The rest stays."
            maxLength={1000}
            ref={field}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
          <div className="flex flex-wrap items-center gap-2">
            <Button type="submit" tone="secondary" busy={isBusy} busyText="Changing...">
              Change
            </Button>
            {engine !== 'off' && !isBusy && (
              <IconButton label="Say what should change" onClick={() => void record()}>
                <Mic className="i" aria-hidden="true" />
              </IconButton>
            )}
          </div>
        </form>
      )}
      <div role="status" className="text-small">
        {outcome && !isBusy && (
          <p className="mt-2 flex flex-wrap items-center gap-x-1">
            {'problem' in outcome ? outcome.problem : `Changed: ${inWords(outcome.changed, isParent)}.`}
            {'changed' in outcome && onUndo && (
              <Button
                tone="quiet"
                size="small"
                aria-label="Undo the change"
                onClick={() => {
                  onUndo()
                  setOutcome(undefined)
                }}
              >
                Undo
              </Button>
            )}
          </p>
        )}
      </div>
    </div>
  )
}

/** A recording of what should change. Ends when the speaker stops talking, or a second before the server's limit. */
function Recording({ recorder, onFinish }: { recorder: Recorder; onFinish: () => void }) {
  const stop = useRef<HTMLButtonElement>(null)
  const finish = useEffectEvent(onFinish)
  useEffect(() => {
    stop.current?.focus()
    const end = setTimeout(() => finish(), (MOST_SECONDS - 1) * 1000)
    const stopListening = onSilence(recorder, () => finish())
    return () => {
      clearTimeout(end)
      stopListening()
    }
  }, [recorder])
  return (
    <div className="flex items-center gap-3">
      <button type="button" className="ib" aria-label="Stop recording" ref={stop} onClick={onFinish}>
        <Square className="i fill-current" aria-hidden="true" />
      </button>
      <p className="font-semibold text-danger" role="status">
        Recording...
      </p>
    </div>
  )
}

function inWords(changed: readonly Changed[], isParent: boolean): string {
  const names: Record<Changed, string> = {
    childId: isParent ? 'child' : 'student',
    tutorId: 'tutor',
    date: 'date',
    duration: 'duration',
    hourly_rate: 'rate',
    subject: 'subject',
  }
  return changed.map((field) => names[field]).join(', ')
}
