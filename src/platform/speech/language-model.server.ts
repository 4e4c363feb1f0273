// Builds an account's language model and pronunciation dictionary. That takes about a second, so it's done in a
// worker thread to keep other requests moving.
import { readFileSync } from 'node:fs'
import { isMainThread, parentPort, workerData } from 'node:worker_threads'
import { runInWorker } from './worker-thread.server.ts'
import { everydayWords } from './everyday-words.server.ts'
import { dictionaryLines, phonesOfIpa, readDictionary, variantsOf } from './pronunciation.ts'
import { arpaModel } from './trigram.ts'

/** docs/design/voice.md: the number of common words and their share of the unigram probability. */
const EVERYDAY_WORDS = 6000
const EVERYDAY_SHARE = 0.25
/**
 * How many words of the stock model to put in its dictionary. The stock model's process runs for ten seconds.
 * It takes 103 MB with all 134,000 words, 67 MB with 10,000, and at most 60 MB with this many.
 */
const STOCK_WORDS = 4000

interface ModelSource {
  /** One sentence per line. */
  sentences: string
  /** Maps each word in the names to how the synthesizer's voices pronounce it, in IPA. */
  names: Map<string, string[]>
  dictionaryFile: string
  wordsFile: string
}

export interface LanguageModel {
  /** In ARPA format. */
  model: Uint8Array
  dictionary: Uint8Array
  /** Dictionary for the stock language model. The same for every account. */
  stockDictionary: Uint8Array
}

/** Builds a model from sentences, names and everyday words. */
function buildModel({ sentences, names, dictionaryFile, wordsFile }: ModelSource): LanguageModel {
  const known = readDictionary(readFileSync(dictionaryFile, 'latin1'))
  const everyday = everydayWords(wordsFile, EVERYDAY_WORDS)
  const { arpa, vocabulary } = arpaModel(sentences.split('\n'), { words: everyday, share: EVERYDAY_SHARE })
  const sounds = new Map(
    [...names].map(([name, voices]) => [name, voices.map(phonesOfIpa).flatMap(variantsOf)]),
  )
  return {
    model: Buffer.from(arpa),
    dictionary: Buffer.from(dictionaryLines(vocabulary, known, sounds)),
    stockDictionary: Buffer.from(
      dictionaryLines([...everyday.keys()].slice(0, STOCK_WORDS), known, new Map()),
    ),
  }
}

/** Builds the model in a worker thread. */
export function buildModelInWorker(source: ModelSource, signal: AbortSignal): Promise<LanguageModel> {
  return runInWorker(new URL(import.meta.url), source, signal)
}

if (!isMainThread && parentPort && isSource(workerData)) parentPort.postMessage(buildModel(workerData))

function isSource(data: unknown): data is ModelSource {
  return typeof data === 'object' && data !== null && 'dictionaryFile' in data
}
