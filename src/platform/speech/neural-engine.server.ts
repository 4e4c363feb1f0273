// The neural engine: Moonshine through sherpa-onnx, in a child process that keeps the model loaded. It's
// better than the local engine at free-form speech but doesn't use the account's names, so if both engines
// are available, both run. Its model is downloaded on the first start, or by `npm run admin -- voice-model
// install`.
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { IdleChild } from './idle-child.server.ts'
import { hasDecoder } from './decoder.server.ts'
import { type SpeechEngine, SpeechFailed } from './engine.server.ts'
import type { Transcription } from './transcription.ts'

/** The model's folder in SPEECH_MODEL_DIR, and the files it contains. */
export const NEURAL_FOLDER = 'moonshine'
export const NEURAL_FILES = {
  encoder: 'encoder_model.onnx',
  decoder: 'decoder_model_merged.onnx',
  tokens: 'tokens.txt',
} as const

const CHILD = fileURLToPath(new URL('neural-child.server.ts', import.meta.url))
/** A loaded model takes 200 MB of memory, so it's unloaded after this long without a recording. */
const IDLE_MS = 10 * 60_000

/**
 * Returns the neural model's folder. Returns undefined if the model, a decoder, or a recognizer for this
 * machine is missing.
 */
export function findNeuralModel(modelDir: string): string | undefined {
  const folder = join(modelDir, NEURAL_FOLDER)
  return Object.values(NEURAL_FILES).every((name) => existsSync(join(folder, name))) &&
    isSupported() &&
    hasDecoder()
    ? folder
    : undefined
}

/**
 * Transcribes with the model in a folder, one recording at a time.
 * @param idleMs how long an unused model stays loaded, in milliseconds
 */
export function neuralEngine(folder: string, idleMs = IDLE_MS): SpeechEngine {
  const child = new IdleChild(process.execPath, ['--max-old-space-size=128', CHILD, folder], idleMs)
  return {
    name: 'neural',
    async transcribe(pcm, _vocabulary, signal): Promise<Transcription> {
      const length = Buffer.alloc(4)
      length.writeUInt32LE(pcm.length)
      const line = await child.ask(Buffer.concat([length, pcm]), signal)
      if (line === undefined) throw new SpeechFailed('speech_failed', 'the neural recognizer ended')
      const text = (JSON.parse(line) as string).trim()
      if (!text) throw new SpeechFailed('nothing_heard')
      return { text }
    },
    async close() {
      child.end()
    },
  }
}

function isSupported(): boolean {
  try {
    createRequire(import.meta.url).resolve(
      `sherpa-onnx-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}/sherpa-onnx.node`,
    )
    return true
  } catch {
    return false
  }
}
