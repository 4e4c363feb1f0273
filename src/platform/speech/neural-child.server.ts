// The neural engine's child process: audio on standard input (16 kHz, mono, 16 bits), text on standard output.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { SAMPLE_RATE } from './engine.server.ts'
import { NEURAL_FILES } from './neural-engine.server.ts'
import { phrasesOf } from './phrases.ts'

/** The parts of sherpa-onnx-node we use; it has no types. */
interface Sherpa {
  OfflineRecognizer: new (settings: object) => Recognizer
}
interface Recognizer {
  createStream(): Stream
  decode(stream: Stream): void
  getResult(stream: Stream): { text: string }
}
interface Stream {
  acceptWaveform(wave: { sampleRate: number; samples: Float32Array }): void
}

const sherpa = createRequire(import.meta.url)('sherpa-onnx-node') as Sherpa
const folder = process.argv[2] ?? ''
const recognizer = new sherpa.OfflineRecognizer({
  featConfig: { sampleRate: SAMPLE_RATE, featureDim: 80 },
  modelConfig: {
    moonshine: {
      encoder: join(folder, NEURAL_FILES.encoder),
      mergedDecoder: join(folder, NEURAL_FILES.decoder),
    },
    tokens: join(folder, NEURAL_FILES.tokens),
    numThreads: 1,
    provider: 'cpu',
    debug: 0,
  },
})

const bytes = readFileSync(0)
const sound = Float32Array.from(
  { length: bytes.length >> 1 },
  (_none, at) => bytes.readInt16LE(at * 2) / 32_768,
)
const heard = phrasesOf(sound).map((samples) => {
  const stream = recognizer.createStream()
  stream.acceptWaveform({ sampleRate: SAMPLE_RATE, samples })
  recognizer.decode(stream)
  return recognizer.getResult(stream).text.trim()
})
process.stdout.write(heard.filter(Boolean).join(' '))
