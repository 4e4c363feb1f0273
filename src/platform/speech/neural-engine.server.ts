// The neural engine: Moonshine through sherpa-onnx, in a child process for each recording. It understands free speech better
// than the local engine but knows no names. Used if its model is present; `npm run admin -- voice-model install` downloads it.
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runChild, UnnamedFile } from './child.server.ts'
import { hasDecoder } from './decoder.server.ts'
import { type Heard, type SpeechEngine, SpeechFailed } from './engine.server.ts'

/** The model's folder under SPEECH_MODEL_DIR, and its files. */
export const NEURAL_FOLDER = 'moonshine'
export const NEURAL_FILES = {
  encoder: 'encoder_model.onnx',
  decoder: 'decoder_model_merged.onnx',
  tokens: 'tokens.txt',
} as const

const CHILD = fileURLToPath(new URL('neural-child.server.ts', import.meta.url))
/** Address space, most of it only reserved by Node.js: a recording of 120 s takes 420 MB of memory. */
const MEGABYTES = 4096
/** A transcript of two minutes is about 2 kB. */
const OUTPUT_BYTES = 64 * 1024

/** The folder of the neural model, or undefined if it, a decoder or the recognizer for this machine is missing. */
export function findNeuralModel(modelDir: string): string | undefined {
  const folder = join(modelDir, NEURAL_FOLDER)
  return Object.values(NEURAL_FILES).every((name) => existsSync(join(folder, name))) &&
    isSupported() &&
    hasDecoder()
    ? folder
    : undefined
}

/** Recognizes speech with the model in a folder. */
export function neuralEngine(folder: string): SpeechEngine {
  return {
    name: 'neural',
    async transcribe(pcm, _listenFor, signal): Promise<Heard> {
      const input = new UnnamedFile(pcm)
      try {
        const { code, output } = await runChild(
          process.execPath,
          ['--max-old-space-size=128', CHILD, folder],
          { signal, megabytes: MEGABYTES, seconds: 60, outputBytes: OUTPUT_BYTES },
          { input },
        )
        if (code !== 0) throw new SpeechFailed('speech_failed', `the neural recognizer ended with ${code}`)
        const text = output.toString('utf8').trim()
        if (!text) throw new SpeechFailed('nothing_heard')
        return { text }
      } finally {
        input.close()
      }
    },
    async close() {},
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
