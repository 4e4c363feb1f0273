import { MicOff } from 'lucide-react'
import { Button } from '#platform/ui/Button.tsx'

/**
 * For each of the server's error codes, what went wrong and what to do about it. The errors in FINAL would
 * happen again with the same recording.
 */
const FINAL: Record<string, string> = {
  recording_too_short: 'The recording is shorter than a second. Speak a little longer.',
  recording_too_long: 'The recording is longer than two minutes. Try a shorter one.',
  recording_silent: 'The recording is silent. Is the microphone covered or muted?',
  nothing_heard: 'We couldn’t make out any words. Try again closer to the microphone.',
  not_audio: 'The recording couldn’t be read.',
  unsupported_audio: 'Recordings from this browser aren’t supported. You can type what happened instead.',
  recording_too_large: 'The recording is too large. Try a shorter one.',
  too_large: 'The recording is too large. Try a shorter one.',
  speech_off: 'This server doesn’t accept recordings. You can type what happened instead.',
  speech_engine_missing: 'No speech engine is installed on this server. You can type what happened instead.',
}
const TEMPORARY: Record<string, string> = {
  speech_busy: 'The server is busy with other requests. Try again in a moment.',
  speech_timeout: 'Processing took too long. Try again in a moment.',
  speech_failed: 'The speech engine didn’t respond. Try again in a moment.',
  reading_timeout: 'That took too long to process. Start over with a shorter description.',
  reading_failed: 'This couldn’t be processed. Try again in a moment.',
  too_many: 'Too many attempts. Wait a minute and try again.',
  offline: 'The server can’t be reached. Check your connection and try again.',
}

interface FailedCardProps {
  code: string
  onRetry: () => void
  onDismiss: () => void
}

/**
 * Shows a recording or text that couldn't be processed. We keep it, so the user can retry without recording
 * or typing it again.
 */
export function FailedCard({ code, onRetry, onDismiss }: FailedCardProps) {
  const isFinal = code in FINAL
  return (
    <section
      className="card mt-5 grid justify-items-center px-6 py-10 text-center"
      aria-labelledby="voice-failed"
    >
      <span className="grid size-14 place-items-center rounded-full bg-danger-soft text-danger">
        <MicOff className="size-6" aria-hidden="true" />
      </span>
      <h2 id="voice-failed" className="mt-5">
        Processing Failed
      </h2>
      <p className="mt-1.5 text-ink-2">
        {FINAL[code] ?? TEMPORARY[code] ?? 'Something went wrong on our side. Try again in a moment.'}
      </p>
      {!isFinal && <p className="mt-1.5 text-ink-2">What you said stays on this page until you leave.</p>}
      <div className="mt-5 flex flex-wrap justify-center gap-3">
        {!isFinal && <Button onClick={onRetry}>Try again</Button>}
        <Button tone={isFinal ? 'primary' : 'secondary'} onClick={onDismiss}>
          Start over
        </Button>
      </div>
    </section>
  )
}
