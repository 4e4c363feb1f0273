// Runs the reader in its own process, so that one user's text doesn't block other requests (promise I19).
import { readFileSync } from 'node:fs'
import type { Currency } from '#kernel/money.ts'
import type { Transcription } from '#platform/speech/transcription.ts'
import { serveTasks } from '#platform/task-process.server.ts'
import { sessionsIn } from './transcription.ts'
import { readIn } from './large-money.ts'
import type { ReadingInput } from './reading/candidates.ts'
import { read } from './reading/read.ts'
import { LINES_FILE, loadWeights } from './reading/weights.server.ts'
import { SENTENCES, spokenSentences, type SpokenNames } from './spoken-sentences.ts'
import { chargesIn, type SpokenCharge } from './spoken-charge.ts'
import { toVoiceResult, type VoiceResult } from './voice.ts'

/** A transcript or typed text to read, with the account's lists. */
export interface ReadTask extends Omit<ReadingInput, 'transcript'> {
  transcription: Transcription
  currency: Currency
}
/** An account's names, used to generate sentences for a speech engine. The result has one sentence per line. */
interface SentencesTask {
  names: SpokenNames
}
export type ReaderTask = ReadTask | SentencesTask

const weights = loadWeights()
const lines = readFileSync(LINES_FILE, 'utf8').trim().split('\n')

serveTasks((task: ReaderTask): VoiceResult | string => {
  if ('names' in task) return spokenSentences(task.names, lines, SENTENCES).join('\n')
  const { transcription, currency, ...lists } = task
  const { text, found } = sessionsIn(transcription, lists, (transcript) =>
    readIn(currency, { ...lists, transcript: chargesIn(transcript).rest }, (input) => read(weights, input)),
  )
  const { charges, rest } = chargesIn(text)
  return toVoiceResult(text, found, { charges: agreed(charges, transcription), rest })
})

/** Charges are only certain if every transcript of a recording has the same ones. */
function agreed(
  charges: SpokenCharge[],
  { text, hypotheses = [], other = text }: Transcription,
): SpokenCharge[] {
  const factsIn = (all: SpokenCharge[]): string =>
    JSON.stringify(all.map(({ amount, unit, reason }) => [amount, unit, reason]))
  const texts = [text, other, ...hypotheses.map((one) => one.text)]
  const isAgreed = texts.every((one) => factsIn(chargesIn(one).charges) === factsIn(charges))
  return charges.map((charge) => ({ ...charge, isSure: charge.isSure && isAgreed }))
}
