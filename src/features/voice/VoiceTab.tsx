import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useLocation, useNavigationType } from 'react-router'
import { useMe } from '#features/accounts/client.web.ts'
import type { ChargeBeside } from '#features/charges/charge-form.ts'
import type { SessionFields } from '#features/sessions/session-form.ts'
import { CallFailed } from '#platform/api.web.ts'
import { NoMicrophone, type Recorder, startRecorder } from '#platform/speech/recorder.web.ts'
import { useToast } from '#platform/ui/Toast.tsx'
import { processSpeech } from './client.web.ts'
import { FailedCard } from './FailedCard.tsx'
import { MissedCard } from './MissedCard.tsx'
import { ProcessingView } from './ProcessingView.tsx'
import { RecordingView } from './RecordingView.tsx'
import { SayView } from './SayView.tsx'
import type { HeardPeople } from './learned-name.ts'
import { VoiceResult } from './voice.ts'
import { TOAST_CHARACTERS } from './voice-form.ts'
import { VoiceResultCard } from './VoiceResultCard.tsx'

type State =
  | { step: 'ready'; trouble?: 'denied' | 'no-microphone' }
  | { step: 'asking' }
  | { step: 'recording'; recorder: Recorder }
  | { step: 'processing'; source: Blob | string }
  | { step: 'failed'; source: Blob | string; code: string }
  | { step: 'result'; result: VoiceResult }

interface VoiceTabProps {
  isShown: boolean
  /** Fills in the form, and what's saved along with the session. */
  onUse: (fields: Partial<SessionFields>, charges: ChargeBeside[], heard: HeardPeople) => void
}

/**
 * The tab for logging a session by voice or typed text. Takes the user through recording, processing and the
 * result, but doesn't save anything.
 */
export default function VoiceTab({ isShown, onUse }: VoiceTabProps) {
  const { speech_engine: engine } = useMe()
  const toast = useToast()
  const handed = VoiceResult.safeParse((useLocation().state as { voice?: unknown } | null)?.voice)
  const [state, setState] = useState<State>(
    handed.success ? { step: 'result', result: handed.data } : { step: 'ready' },
  )
  const [text, setText] = useState('')
  const work = useRef<AbortController>(undefined)
  const recorder = useRef<Recorder>(undefined)
  // Starts recording only if the user came here from the dashboard link, which pushes a history entry.
  // Switching tabs only replaces the entry, so switching tabs, reloading or going back never starts a
  // recording.
  const isByLink = useNavigationType() === 'PUSH'
  const [isListening] = useState(isShown && isByLink && engine !== 'off' && !handed.success)
  const isHere = useRef(true)

  // When the user leaves the page, stops the recording and cancels the request.
  useEffect(() => {
    isHere.current = true
    return () => {
      isHere.current = false
      work.current?.abort()
      recorder.current?.discard()
    }
  }, [])
  const recordAtOnce = useEffectEvent(() => void record())
  useEffect(() => {
    if (isListening) recordAtOnce()
  }, [isListening])
  useEffect(() => {
    isHere.current = isShown
    if (!isShown && recorder.current) void finish()
  })

  async function record() {
    setState({ step: 'asking' })
    try {
      const started = await startRecorder()
      // The user may have left the page before answering the browser's permission prompt.
      if (!isHere.current) {
        started.discard()
        return setState({ step: 'ready' })
      }
      recorder.current = started
      setState({ step: 'recording', recorder: started })
    } catch (error) {
      if (!(error instanceof NoMicrophone))
        toast.error('Microphone Access Denied', 'Please allow microphone access to use voice input.')
      setState({ step: 'ready', trouble: error instanceof NoMicrophone ? 'no-microphone' : 'denied' })
    }
  }

  async function finish() {
    const recording = recorder.current
    recorder.current = undefined
    if (recording) await read(await recording.stop())
  }

  function discard() {
    recorder.current?.discard()
    recorder.current = undefined
    setState({ step: 'ready' })
  }

  async function read(source: Blob | string) {
    const started = new AbortController()
    work.current = started
    setState({ step: 'processing', source })
    try {
      const result = await processSpeech(source, started.signal)
      setState({ step: 'result', result })
      toast.success('Speech Processed!', result.transcript.slice(0, TOAST_CHARACTERS))
    } catch (error) {
      if (started.signal.aborted) return
      setState({
        step: 'failed',
        source,
        code: error instanceof CallFailed ? error.problem.code : 'unexpected',
      })
      toast.error('Processing Failed', 'Failed to process the audio. Please try again.')
    }
  }

  function cancel() {
    work.current?.abort()
    setState({ step: 'ready' })
  }

  switch (state.step) {
    case 'recording':
      return (
        <RecordingView
          recorder={state.recorder}
          isLive={engine === 'local' || engine === 'neural'}
          onFinish={() => void finish()}
          onDiscard={discard}
        />
      )
    case 'processing':
      return <ProcessingView onCancel={cancel} />
    case 'failed':
      return (
        <FailedCard
          code={state.code}
          onRetry={() => void read(state.source)}
          onDismiss={() => setState({ step: 'ready' })}
        />
      )
    case 'result': {
      const { result } = state
      const again = () => {
        // The user can edit the transcript instead of saying everything again.
        setText((typed) => typed || result.transcript)
        setState({ step: 'ready' })
      }
      return result.missed ? (
        <MissedCard key={result.transcript} said={result.transcript} missed={result.missed} onAgain={again} />
      ) : (
        <VoiceResultCard key={result.transcript} result={result} onUse={onUse} onAgain={again} />
      )
    }
    default:
      return (
        <SayView
          engine={engine}
          isAsking={state.step === 'asking'}
          trouble={state.step === 'ready' ? state.trouble : undefined}
          text={text}
          onText={setText}
          onRecord={() => void record()}
          onRead={() => void read(text.trim())}
        />
      )
  }
}
