// Sends recordings or text to the server.
import { dayIn } from '#kernel/calendar-day.ts'
import { call } from '#platform/api.web.ts'
import { ProcessSpeech, type VoiceResult } from './voice.ts'

/** Sends a recording or text along with the user's date, and returns what the server recognized. */
export function processSpeech(source: Blob | string, signal: AbortSignal): Promise<VoiceResult> {
  const today = dayIn(new Date())
  return typeof source === 'string'
    ? call(ProcessSpeech, { transcript: source, today }, { signal })
    : call(ProcessSpeech, { today }, { body: source, signal })
}
