// The neural engine's child process. It reads recordings from standard input, each as a length in bytes (32
// bits, little endian) followed by the audio (16 kHz, mono, 16 bits). It writes each transcript to standard
// output as one line of JSON.
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { SAMPLE_RATE } from './engine.server.ts'
import { NEURAL_FILES } from './neural-engine.server.ts'
import { phrasesOf } from './phrases.ts'

/** The parts of sherpa-onnx-node that we use. The package comes without types. */
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

const HEADER_BYTES = 4
let waiting = Buffer.alloc(0)
process.stdin.on('data', (chunk: Buffer) => {
  waiting = Buffer.concat([waiting, chunk])
  while (waiting.length >= HEADER_BYTES && waiting.length - HEADER_BYTES >= waiting.readUInt32LE(0)) {
    const end = HEADER_BYTES + waiting.readUInt32LE(0)
    const text = textOf(waiting.subarray(HEADER_BYTES, end))
    waiting = waiting.subarray(end)
    process.stdout.write(`${JSON.stringify(text)}\n`)
  }
})

function textOf(bytes: Buffer): string {
  const sound = Float32Array.from(
    { length: bytes.length >> 1 },
    (_none, at) => bytes.readInt16LE(at * 2) / 32_768,
  )
  const texts = phrasesOf(sound).map((samples) => {
    const stream = recognizer.createStream()
    stream.acceptWaveform({ sampleRate: SAMPLE_RATE, samples })
    recognizer.decode(stream)
    return recognizer.getResult(stream).text.trim()
  })
  return texts.filter(Boolean).join(' ')
}
