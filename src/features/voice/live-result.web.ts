// Reads a recording while it's still being made.
import { useEffect, useState } from 'react'
import { CallFailed } from '#platform/api.web.ts'
import type { Recorder } from '#platform/speech/recorder.web.ts'
import type { Level } from '#platform/speech/silence.ts'
import { processLive } from './client.web.ts'
import { momentToListen, NOTHING_HEARD, type Reason, settled } from './live-speech.ts'
import type { VoiceResult } from './voice.ts'

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
