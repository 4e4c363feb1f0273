// Transcribes recordings, with limits on time and on parallel work. The engine is chosen when the server
// starts.
import { availableParallelism } from 'node:os'
import { decodeAudio, decodeBegun, hasDecoder } from './decoder.server.ts'
import {
  BYTES_PER_SECOND,
  SAMPLE_RATE,
  type SpeechEngine,
  SpeechFailed,
  type Vocabulary,
} from './engine.server.ts'
import type { Transcription } from './transcription.ts'
import { Limiter } from './limiter.server.ts'
import { DEBIAN_PACKAGES, findLocalTools, LocalEngine } from './local-engine.server.ts'
import { findNeuralModel, neuralEngine } from './neural-engine.server.ts'
import { pairedEngine } from './paired-engine.server.ts'
import { remoteEngine } from './remote-engine.server.ts'

export interface SpeechSettings {
  engine: 'auto' | 'local' | 'remote' | 'off'
  url?: string
  apiKey?: string
  model?: string
  /** Folder for models that aren't in a system package. */
  modelDir: string
  /** Maximum number of parallel requests to a remote transcription server. */
  concurrency?: number
  /** Time limit per recording, including the wait. */
  timeoutMs?: number
}

/** The default if the setting is missing (docs/contract.md, Environment). */
const CONCURRENCY = 8
/** docs/design/voice.md: 30 s of processing. */
const TIMEOUT_MS = 30_000
/** A preview that takes longer is of no use. Includes the time to build the account's model. */
const PREVIEW_TIMEOUT_MS = 20_000

export type Transcriber = ReturnType<typeof openTranscriber>

/** Opens the engine named in the settings. If none is named, opens the best one available. */
export function openTranscriber(settings: SpeechSettings) {
  let engine = chooseEngine(settings)
  const cores = availableParallelism()
  // A local engine uses one core per recording. The queue holds as many recordings as run at once.
  const atOnce = engine?.name === 'remote' ? (settings.concurrency ?? CONCURRENCY) : cores
  const running = new Limiter(atOnce, atOnce)
  // Decoding uses a core no matter which engine runs. A recording that got a place above always gets a place
  // here, either running or waiting.
  const decoding = new Limiter(cores, atOnce)
  // Previews never take a finished recording's place. Few wait, because a newer one replaces an older one.
  const previewing = new Limiter(Math.max(1, cores - 1), cores)
  const decode = async (recording: Uint8Array, signal: AbortSignal) => {
    const sound = await decoding.run(signal, () => decodeAudio(recording, signal))
    if (!sound) throw new SpeechFailed('speech_busy')
    return sound.value
  }
  return {
    engine: engine?.name ?? ('off' as const),
    /** Throws SpeechFailed on failure or, if nobody is waiting anymore, the signal's reason. */
    async transcribe(
      recording: Uint8Array,
      vocabulary: Vocabulary,
      signal: AbortSignal,
    ): Promise<Transcription> {
      // On first start, the server is already handling requests while the neural model downloads.
      if (engine?.name === 'local' && findNeuralModel(settings.modelDir)) engine = chooseEngine(settings)
      const available = engine
      if (!available)
        throw new SpeechFailed(settings.engine === 'off' ? 'speech_off' : 'speech_engine_missing')
      const time = AbortSignal.timeout(settings.timeoutMs ?? TIMEOUT_MS)
      const either = AbortSignal.any([signal, time])
      try {
        const done = await running.run(either, async () =>
          available.transcribe(await decode(recording, either), vocabulary, either),
        )
        if (!done) throw new SpeechFailed('speech_busy')
        return done.value
      } catch (error) {
        if (time.aborted && !signal.aborted) throw new SpeechFailed('speech_timeout')
        throw error
      }
    },
    /**
     * Transcribes a recording that's still being made, starting at a second of it. Returns its length so far,
     * too. Throws SpeechFailed if the engine doesn't do that, or is busy.
     */
    async preview(
      recording: Uint8Array,
      from: number,
      vocabulary: Vocabulary,
      signal: AbortSignal,
    ): Promise<{ text: string; seconds: number }> {
      if (!engine?.preview) throw new SpeechFailed('speech_engine_missing')
      const listen = (pcm: Buffer, until: AbortSignal) => engine?.preview?.(pcm, vocabulary, until) ?? ''
      const time = AbortSignal.timeout(PREVIEW_TIMEOUT_MS)
      const either = AbortSignal.any([signal, time])
      try {
        const done = await previewing.run(either, async () => {
          const pcm = await decodeBegun(recording, either)
          const unheard = pcm.subarray(Math.round(from * SAMPLE_RATE) * (BYTES_PER_SECOND / SAMPLE_RATE))
          return { text: await listen(unheard, either), seconds: pcm.length / BYTES_PER_SECOND }
        })
        if (!done) throw new SpeechFailed('speech_busy')
        return done.value
      } catch (error) {
        if (time.aborted && !signal.aborted) throw new SpeechFailed('speech_timeout')
        throw error
      }
    },
    close: async () => engine?.close(),
  }
}

/** Tells the operator which engine these settings select, and what to install if none is available. */
export function describeTranscriber(settings: SpeechSettings): string {
  const engine = chooseEngine(settings)
  if (engine?.name === 'remote') return `Recordings are sent to ${settings.url}.`
  if (engine) {
    const models = [findLocalTools(settings.modelDir)?.modelDir, findNeuralModel(settings.modelDir)]
    return `Recordings are transcribed on this machine with the model in ${models.filter(Boolean).join(' and the one in ')}.`
  }
  if (settings.engine === 'off') return 'Recording is turned off: SPEECH_ENGINE is off.'
  return (
    "Recordings can't be transcribed: a program or a model is missing. " +
    `On Debian and Ubuntu: apt-get install ${DEBIAN_PACKAGES.join(' ')}. Put a different model in ${settings.modelDir}/en-us.`
  )
}

function chooseEngine({ engine, url, apiKey, model, modelDir }: SpeechSettings): SpeechEngine | undefined {
  if (engine === 'off') return undefined
  if (url && engine !== 'local') return hasDecoder() ? remoteEngine({ url, apiKey, model }) : undefined
  if (engine === 'remote') return undefined
  const [neural, tools] = [findNeuralModel(modelDir), findLocalTools(modelDir)]
  if (neural && tools) return pairedEngine(new LocalEngine(tools), neuralEngine(neural))
  if (neural) return neuralEngine(neural)
  return tools && new LocalEngine(tools)
}
