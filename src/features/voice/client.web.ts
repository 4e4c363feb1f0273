// Sends a recording or a text to be read, from a screen.
import { dayIn } from '#kernel/calendar-day.ts'
import { call } from '#platform/api.web.ts'
import { ProcessSpeech, type VoiceResult } from './voice.ts'

/** What the server reads from a recording or a text; the user's own date is sent along. */
export function processSpeech(said: Blob | string, signal: AbortSignal): Promise<VoiceResult> {
  const today = dayIn(new Date())
  return typeof said === 'string'
    ? call(ProcessSpeech, { transcript: said, today }, { signal })
    : call(ProcessSpeech, { today }, { body: said, signal })
}
