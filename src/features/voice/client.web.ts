// Sends recordings or text to the server, and keeps the names learned from corrections.
import { useMutation, useQuery } from '@tanstack/react-query'
import { dayIn } from '#kernel/calendar-day.ts'
import { call } from '#platform/api.web.ts'
import { queryClient } from '#platform/query.web.ts'
import type { Correcting } from './correction.ts'
import { ForgetName, ForgetNames, LearnNames, ListLearnedNames, type NewName } from './learned-name.ts'
import type { Heard } from './live-speech.ts'
import { ProcessSpeech, type VoiceResult } from './voice.ts'

/** Sends a recording or text along with the user's date, and returns what the server recognized. */
export function processSpeech(source: Blob | string, signal: AbortSignal): Promise<VoiceResult> {
  const today = dayIn(new Date())
  return typeof source === 'string'
    ? call(ProcessSpeech, { transcript: source, today }, { signal })
    : call(ProcessSpeech, { today }, { body: source, signal })
}

/**
 * Sends a recording that's still being made.
 * @param known what needn't be transcribed again
 */
export async function processLive(recording: Blob, known: Heard, signal: AbortSignal): Promise<VoiceResult> {
  const audio = await inBase64(recording)
  return call(ProcessSpeech, { audio, live: known, today: dayIn(new Date()) }, { signal })
}

/** Sends a correction of a session, and returns the session as it stands after it. */
export async function correctSession(
  source: Blob | string,
  correcting: Correcting,
  signal: AbortSignal,
): Promise<VoiceResult> {
  const said = typeof source === 'string' ? { transcript: source } : { audio: await inBase64(source) }
  return call(ProcessSpeech, { ...said, correcting, today: dayIn(new Date()) }, { signal })
}

async function inBase64(recording: Blob): Promise<string> {
  const bytes = new Uint8Array(await recording.arrayBuffer())
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}

const LEARNED = ['learned-names']

export function useLearnedNames() {
  return useQuery({ queryKey: LEARNED, queryFn: ({ signal }) => call(ListLearnedNames, {}, { signal }) })
}

/** Learns names. What can't be learned now isn't missed: the next correction teaches it. */
export async function learnNames(names: NewName[]): Promise<void> {
  if (names.length === 0) return
  await call(LearnNames, { names }, { isSilent: true }).catch(() => undefined)
  await queryClient.invalidateQueries({ queryKey: LEARNED })
}

/** Deletes a learned name or, without an id, all of them. */
export function useForgetNames() {
  return useMutation({
    mutationFn: (id: string | undefined) =>
      id === undefined ? call(ForgetNames, {}) : call(ForgetName, {}, { id }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: LEARNED }),
  })
}
