// Sends recordings or text to the server, also while someone is still speaking, and keeps the names learned from corrections.
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { dayIn } from '#kernel/calendar-day.ts'
import { call, CallFailed } from '#platform/api.web.ts'
import { queryClient } from '#platform/query.web.ts'
import type { Recorder } from '#platform/speech/recorder.web.ts'
import type { Level } from '#platform/speech/silence.ts'
import type { Correcting } from './correction.ts'
import { ForgetName, ForgetNames, LearnNames, ListLearnedNames, type NewName } from './learned-name.ts'
import { type Heard, momentToListen, NOTHING_HEARD, type Reason, settled } from './live-speech.ts'
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
async function processLive(recording: Blob, known: Heard, signal: AbortSignal): Promise<VoiceResult> {
  const audio = await inBase64(recording)
  return call(ProcessSpeech, { audio, live: known, today: dayIn(new Date()) }, { signal })
}

const LEVEL_MS = 100

/**
 * The latest result for a recording in progress; undefined until there's one. If the server can't keep up, or
 * doesn't transcribe recordings in progress at all, there's none, and the finished recording is all that counts.
 */
export function useLiveResult(recorder: Recorder, isAvailable: boolean): VoiceResult | undefined {
  const [result, setResult] = useState<VoiceResult>()
  useEffect(() => {
    if (!isAvailable) return undefined
    const levels: Level[] = []
    let [known, last, requests] = [NOTHING_HEARD, undefined as number | undefined, 0]
    let request: { reason: Reason; abort: AbortController } | undefined
    let isOver = false

    async function listen(reason: Reason) {
      request?.abort.abort()
      const own = (request = { reason, abort: new AbortController() })
      const { signal } = own.abort
      last = performance.now()
      requests += 1
      try {
        const heard = await processLive(await recorder.soFar(), known, signal)
        if (signal.aborted) return
        if (reason === 'pause') known = settled(known, heard)
        setResult(heard)
      } catch (error) {
        const isPassing = signal.aborted || (error instanceof CallFailed && PASSING.has(error.problem.code))
        if (!isPassing) isOver = true
      } finally {
        if (request === own) request = undefined
      }
    }
    const timer = setInterval(() => {
      levels.push({ at: performance.now(), level: recorder.level() })
      if (isOver) return
      const moment = momentToListen({ levels, last, requests, busyWith: request?.reason })
      if (moment) void listen(moment)
    }, LEVEL_MS)
    return () => {
      clearInterval(timer)
      request?.abort.abort()
    }
  }, [recorder, isAvailable])
  return result
}

/** Reasons that may not apply to the next request. */
const PASSING = new Set([
  'speech_busy',
  'speech_timeout',
  'recording_too_short',
  'recording_silent',
  'not_audio',
  'reading_timeout',
])

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
