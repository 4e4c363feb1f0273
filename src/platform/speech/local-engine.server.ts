// The local engine: pocketsphinx in a child process, with a language model that includes the account's names.
// Nothing personal is written to disk. Models stay in memory, and the process gets the audio and the models
// through unlinked files.
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { programPath, runChild, UnnamedFile } from './child.server.ts'
import { hasDecoder, isAudible } from './decoder.server.ts'
import { type Vocabulary, type SpeechEngine, SpeechFailed } from './engine.server.ts'
import type { Transcription } from './transcription.ts'
import { hypothesesInWorker } from './hypotheses.server.ts'
import { buildModelInWorker, type LanguageModel } from './language-model.server.ts'
import { noiseLevel, quieted } from './noise.server.ts'
import type { Hypothesis } from './word-graph.ts'

/** The Debian and Ubuntu packages that the local engine needs. */
export const DEBIAN_PACKAGES = ['pocketsphinx', 'pocketsphinx-en-us', 'espeak-ng', 'ffmpeg']

/** How many accounts' models to cache. Each takes about 4 MB. */
const KEPT_MODELS = 16
/** A name's pronunciation depends on its language. These voices cover most names that aren't in cmudict. */
const VOICES = ['en-us', 'en-gb', 'es', 'pl']
/**
 * Limits for two ratios of path scores (which are negative): the account's model against plain phones, and
 * the account's model against the stock model. If the first ratio is low, the recording is about sessions.
 * Otherwise, the second ratio decides. We measured 211 clips about sessions, and 42 clips of other speech
 * about lessons and families. The first ratio was 0.84 to 1.83 for sessions and 1.29 to 2.75 for other
 * speech. For clips where the first ratio was too high, the second was at most 0.83 for sessions (0.89 with
 * noise at 15 dB) and up to 1.28 for other speech. Half of the other speech is within both limits and is
 * rejected later based on its text. Speech about unrelated subjects is even further outside the limits.
 */
const SURE_AGAINST_PHONES = 1.4
const SURE_AGAINST_STOCK = 0.88
/** A word graph takes about 10 KB per second of noisy speech and 1 KB per second of clean speech. */
const MOST_GRAPH_BYTES = 4_000_000
/**
 * Faster settings for the stock model, because we need only its score. Narrower beams and a single pass cut
 * its running time in half and are just as good at telling sessions from other speech.
 */
const FAST_OPTIONS = ['-beam', '1e-40', '-wbeam', '7e-25', '-fwdflat', 'no']
const PHONE_LOOP = ['-allphone_ci', 'yes', '-lw', '2.0', '-pip', '0.3', '-beam', '1e-20', '-pbeam', '1e-20']
/** The account's model and dictionary, as a child process's first two files. */
const OWN_MODEL = ['-lm', '/dev/fd/3', '-dict', '/dev/fd/4']
/** The recording is samples without a header, in a file whose name has no ending. */
const RECORDING = ['-cepdir', '/dev', '-cepext', '', '-adcin', 'yes', '-adchdr', '0']
const RESULT = ['-hyp', '/dev/stdout', '-logfn', '/dev/null']
/** Building a model usually takes 0.5 s. On a busy machine, it takes longer. */
const MODEL_TIMEOUT_MS = 60_000
const HYPOTHESIS = /^(.*?) ?\(\d+ (-?\d+)\)\s*$/s

interface LocalTools {
  recognizer: string
  synthesizer: string
  /** Folder with the acoustic model, the dictionary and the stock language model. */
  modelDir: string
}

/** Finds the local engine's programs and model. Returns undefined if any of them is missing. */
export function findLocalTools(modelDir: string): LocalTools | undefined {
  const recognizer = programPath('pocketsphinx_batch')
  const synthesizer = programPath('espeak-ng')
  const folder = [
    join(modelDir, 'en-us'),
    '/usr/share/pocketsphinx/model/en-us',
    '/usr/local/share/pocketsphinx/model/en-us',
  ].find((place) => existsSync(join(place, 'cmudict-en-us.dict')))
  return recognizer && synthesizer && folder && hasDecoder()
    ? { recognizer, synthesizer, modelDir: folder }
    : undefined
}

// If the caller gives up, this stops waiting but lets the work finish for other callers.
function until<Value>(signal: AbortSignal, work: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    const leave = () => reject(signal.reason as Error)
    if (signal.aborted) return leave()
    signal.addEventListener('abort', leave, { once: true })
    work
      .then(resolve, (error: unknown) =>
        reject(error instanceof DOMException ? new SpeechFailed('speech_timeout') : error),
      )
      .finally(() => signal.removeEventListener('abort', leave))
  })
}

export class LocalEngine implements SpeechEngine {
  readonly name = 'local'
  readonly #tools: LocalTools
  readonly #models = new Map<string, Promise<LanguageModel>>()

  constructor(tools: LocalTools) {
    this.#tools = tools
  }

  async transcribe(recorded: Buffer, vocabulary: Vocabulary, signal: AbortSignal): Promise<Transcription> {
    const noise = noiseLevel(recorded)
    const pcm = noise === undefined ? recorded : await quieted(recorded, noise, signal)
    const model = await until(signal, this.#modelOf(vocabulary))
    const [own, phones] = await Promise.all([
      this.#decodeWithModel(pcm, model, signal),
      this.#decode(pcm, ['-allphone', this.#file('en-us-phone.lm.bin'), ...PHONE_LOOP], [], signal),
    ])
    const withHypotheses = async (): Promise<Transcription> => ({
      text: own.text,
      hypotheses: await own.hypotheses,
      isNoisy: noise !== undefined,
    })
    if (own.text && own.score / phones.score < SURE_AGAINST_PHONES) return withHypotheses()
    // If the result is unclear, compares it with the stock model's. That model is slower, but better at
    // everything other than sessions.
    const stock = await this.#decode(
      pcm,
      ['-lm', this.#file('en-us.lm.bin'), '-dict', '/dev/fd/3', ...FAST_OPTIONS],
      [new UnnamedFile(model.stockDictionary)],
      signal,
    )
    if (own.text && own.score / stock.score < SURE_AGAINST_STOCK) return withHypotheses()
    if (!stock.text) throw new SpeechFailed('nothing_heard')
    return { ...(await withHypotheses()), text: stock.text, isOfThisKind: false }
  }

  async preview(recorded: Buffer, vocabulary: Vocabulary, signal: AbortSignal): Promise<string> {
    // Before the first word, too, so that the model is ready by then.
    const { model, dictionary } = await until(signal, this.#modelOf(vocabulary))
    if (!isAudible(recorded)) return ''
    const noise = noiseLevel(recorded)
    const pcm = noise === undefined ? recorded : await quieted(recorded, noise, signal)
    const files = [new UnnamedFile(model), new UnnamedFile(dictionary)]
    return (await this.#decode(pcm, OWN_MODEL, files, signal)).text
  }

  async close(): Promise<void> {
    this.#models.clear()
  }

  #file(name: string): string {
    return join(this.#tools.modelDir, name)
  }

  /**
   * Returns the model for these names. Each model is built only once, and the cache evicts the least recently
   * used one.
   */
  #modelOf(vocabulary: Vocabulary): Promise<LanguageModel> {
    const key = createHash('sha256')
      .update(JSON.stringify([vocabulary.names, vocabulary.subjects, vocabulary.rates]))
      .digest('base64')
    const model = this.#models.get(key) ?? this.#makeModel(vocabulary)
    this.#models.delete(key)
    this.#models.set(key, model)
    model.catch(() => this.#models.delete(key))
    if (this.#models.size > KEPT_MODELS) this.#models.delete(this.#models.keys().next().value as string)
    return model
  }

  // Keeps going even if the caller gives up, because the next caller can use the finished model.
  async #makeModel(vocabulary: Vocabulary): Promise<LanguageModel> {
    const signal = AbortSignal.timeout(MODEL_TIMEOUT_MS)
    return buildModelInWorker(
      {
        sentences: await vocabulary.sentences(),
        names: await this.#soundsOf(vocabulary.words, signal),
        dictionaryFile: this.#file('cmudict-en-us.dict'),
        wordsFile: this.#file('en-us.lm.bin'),
      },
      signal,
    )
  }

  async #soundsOf(words: string[], signal: AbortSignal): Promise<Map<string, string[]>> {
    const spoken = await Promise.all(
      VOICES.map(async (voice) => {
        const { code, output } = await runChild(
          this.#tools.synthesizer,
          ['-q', '--ipa', '-v', voice],
          { signal, megabytes: 512, seconds: 10, outputBytes: 1_000_000 },
          { input: `${words.join('\n')}\n` },
        )
        const lines = output.toString('utf8').trim().split('\n')
        if (code !== 0 || lines.length !== Math.max(1, words.length))
          throw new SpeechFailed(
            'speech_failed',
            `the synthesizer ended with ${code} and ${lines.length} lines for ${words.length} words`,
          )
        return lines
      }),
    )
    return new Map(words.map((word, index) => [word, spoken.map((lines) => lines[index] ?? '')]))
  }

  /** @param graph the file to write the word graph to */
  async #decode(
    pcm: Buffer,
    model: string[],
    files: UnnamedFile[],
    signal: AbortSignal,
    graph?: UnnamedFile,
  ): Promise<{ text: string; score: number }> {
    // The recognizer names the graph file after the recording. We therefore use a file descriptor's number as
    // the recording's name.
    const [control, name] = [3 + files.length, 4 + files.length]
    const acoustic = ['-hmm', this.#file('en-us')]
    const list = ['-ctl', `/dev/fd/${control}`]
    const lattice = graph ? ['-outlatdir', '/dev/fd', '-outlatext', ''] : []
    const own = {
      input: new UnnamedFile(pcm),
      output: new UnnamedFile(),
      list: new UnnamedFile(Buffer.from(`stdin 0 -1 ${name}\n`)),
    }
    try {
      const { code, output } = await runChild(
        this.#tools.recognizer,
        [...acoustic, ...model, ...list, ...lattice, ...RECORDING, ...RESULT],
        { signal, megabytes: 400, seconds: 60, outputBytes: 64 * 1024 },
        { input: own.input, output: own.output, files: [...files, own.list, ...(graph ? [graph] : [])] },
      )
      const found = HYPOTHESIS.exec(output.toString('utf8'))
      if (!found) throw new SpeechFailed('speech_failed', `the recognizer ended with ${code}`)
      return { text: found[1] ?? '', score: Number(found[2]) }
    } finally {
      for (const stream of [own.input, own.output, own.list, ...files]) stream.close()
    }
  }

  /** Transcribes with the account's model. The alternatives are computed while the stock model runs. */
  async #decodeWithModel(
    pcm: Buffer,
    { model, dictionary }: LanguageModel,
    signal: AbortSignal,
  ): Promise<{ text: string; score: number; hypotheses: Promise<Hypothesis[]> }> {
    const graph = new UnnamedFile()
    try {
      const { text, score } = await this.#decode(
        pcm,
        OWN_MODEL,
        [new UnnamedFile(model), new UnnamedFile(dictionary)],
        signal,
        graph,
      )
      const hypotheses =
        text === ''
          ? Promise.resolve([])
          : hypothesesInWorker(
              { graph: graph.read(MOST_GRAPH_BYTES).toString('latin1'), arpa: model },
              signal,
            )
      // Whoever waits for the alternatives gets the error. Without this, it would count as unhandled until then.
      hypotheses.catch(() => undefined)
      return { text, score, hypotheses }
    } finally {
      graph.close()
    }
  }
}
