// Records from the microphone and reports the current level. You can stop a recording or discard it.

import { endsInSilence, type Level } from './silence.ts'

/** Thrown if there's no microphone, the browser is too old, or the page isn't served over TLS. */
export class NoMicrophone extends Error {}

export interface Recorder {
  /** The current level, from 0 to 1. */
  level(): number
  /** The recording so far. */
  soFar(): Promise<Blob>
  stop(): Promise<Blob>
  discard(): void
}

/** How often to measure the level, in milliseconds. */
export const LEVEL_MS = 100

/** Calls `finish` once the speaker has stopped talking. Returns a function that stops listening for that. */
export function onSilence(recorder: Recorder, finish: () => void): () => void {
  const levels: Level[] = []
  const timer = setInterval(() => {
    levels.push({ at: performance.now(), level: recorder.level() })
    if (!endsInSilence(levels)) return
    clearInterval(timer)
    finish()
  }, LEVEL_MS)
  return () => clearInterval(timer)
}

const TYPES = ['audio/webm;codecs=opus', 'audio/webm', 'audio/mp4', 'audio/ogg;codecs=opus']

/**
 * Asks for microphone access and starts recording. Throws NoMicrophone, or the browser's error if permission
 * is denied.
 */
export async function startRecorder(): Promise<Recorder> {
  // `mediaDevices` is missing without TLS.
  if (!('mediaDevices' in navigator) || typeof MediaRecorder === 'undefined') throw new NoMicrophone()
  const stream = await navigator.mediaDevices
    .getUserMedia({
      audio: { channelCount: 1, echoCancellation: true, noiseSuppression: true, autoGainControl: true },
    })
    .catch((error: unknown) => {
      throw error instanceof DOMException && error.name === 'NotFoundError' ? new NoMicrophone() : error
    })
  const type = TYPES.find((candidate) => MediaRecorder.isTypeSupported(candidate))
  const recorder = new MediaRecorder(stream, {
    ...(type ? { mimeType: type } : {}),
    audioBitsPerSecond: 32_000,
  })
  const parts: Blob[] = []
  recorder.addEventListener('dataavailable', ({ data }) => {
    if (data.size > 0) parts.push(data)
  })

  const context = new AudioContext()
  const analyser = context.createAnalyser()
  analyser.fftSize = 1024
  context.createMediaStreamSource(stream).connect(analyser)
  const samples = new Float32Array(analyser.fftSize)
  recorder.start(1000)

  const release = () => {
    for (const track of stream.getTracks()) track.stop()
    void context.close().catch(() => undefined)
  }
  return {
    level() {
      analyser.getFloatTimeDomainData(samples)
      const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length
      // Speech is between -50 and -10 dB, so this maps -55 to -10 dB to 0 to 1.
      return Math.min(1, Math.max(0, (10 * Math.log10(power + 1e-10) + 55) / 45))
    },
    soFar() {
      return new Promise((resolve) => {
        const done = () => resolve(new Blob(parts, { type: recorder.mimeType || type || 'audio/webm' }))
        if (recorder.state !== 'recording') return done()
        // What was recorded before this call is in the next part.
        recorder.addEventListener('dataavailable', done, { once: true })
        recorder.requestData()
      })
    },
    stop() {
      return new Promise((resolve) => {
        recorder.addEventListener(
          'stop',
          () => {
            release()
            resolve(new Blob(parts, { type: recorder.mimeType || type || 'audio/webm' }))
          },
          { once: true },
        )
        if (recorder.state === 'inactive') recorder.dispatchEvent(new Event('stop'))
        else recorder.stop()
      })
    },
    discard() {
      if (recorder.state !== 'inactive') recorder.stop()
      release()
    },
  }
}
