// Runs the reader in its own process, so that one user's text doesn't block other requests (promise I19).
import { readFileSync } from 'node:fs'
import type { Currency } from '#kernel/money.ts'
import type { Transcription } from '#platform/speech/transcription.ts'
import { serveTasks } from '#platform/task-process.server.ts'
import { sessionsIn } from './transcription.ts'
import { corrected, type Correcting, factsOf } from './correction.ts'
import { readIn, told } from './large-money.ts'
import type { ReadingInput } from './reading/candidates.ts'
import type { Facts } from './reading/choices.ts'
import { LEAST, read, readFix } from './reading/read.ts'
import { LINES_FILE, loadWeights } from './reading/weights.server.ts'
import type { Person } from './reading/people.ts'
import { canBeLearned } from './learned-name.ts'
import { isEverydayWord } from './word-list.ts'
import { SENTENCES, spokenSentences, type SpokenNames } from './spoken-sentences.ts'
import { chargesIn, type SpokenCharge } from './spoken-charge.ts'
import { toCorrectedResult, toVoiceResult, type ProposedSession, type VoiceResult } from './voice.ts'

/** A transcript or typed text to read, with the account's lists. */
export interface ReadTask extends Omit<ReadingInput, 'transcript'> {
  transcription: Transcription
  currency: Currency
  /** The session that the text corrects. */
  correcting?: Correcting | undefined
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
  const { transcription, currency, correcting, ...lists } = task
  if (correcting) return correctedBy(transcription, correcting, currency, lists)
  const { text, found } = sessionsIn(transcription, lists, (transcript) =>
    readIn(currency, { ...lists, transcript: chargesIn(transcript).rest }, (input) => read(weights, input)),
  )
  const { charges, rest } = chargesIn(text)
  const result = toVoiceResult(text, found, { charges: agreed(charges, transcription), rest })
  return learnable(result, [...lists.students, ...lists.tutors])
})

/** Leaves out words that can't be learned: they're someone's name, or say something else in most sentences. */
function learnable(result: VoiceResult, people: readonly Person[]): VoiceResult {
  const kept = (said: string | null | undefined): string | null =>
    said && canBeLearned(said, people) && !isEverydayWord(said.toLowerCase()) ? said : null
  const inSession = <Session extends ProposedSession>(session: Session): Session => ({
    ...session,
    child_words: kept(session.child_words),
    tutor_words: kept(session.tutor_words),
  })
  return { ...inSession(result), sessions: result.sessions?.map(inSession) }
}

/** If the engine that knows the names heard nothing to change, what the other one heard may have it. */
function correctedBy(
  { text, other }: Transcription,
  correcting: Correcting,
  currency: Currency,
  lists: Omit<ReadingInput, 'transcript'>,
): VoiceResult {
  const results = [text, ...(other === undefined ? [] : [other])].map((transcript) => {
    const { input, by } = told(currency, { ...lists, transcript })
    const times = (rate: Facts['rate'], factor: number) =>
      rate === null ? null : Math.round(Number(rate) * factor)
    const former = factsOf(correcting)
    const fix = readFix(weights, input, { ...former, rate: times(former.rate, 1 / by) })
    const rate = fix.rate && { rate: { ...fix.rate, value: times(fix.rate.value, by) } }
    return toCorrectedResult(
      transcript,
      correcting,
      corrected(correcting, { ...fix, ...rate }, { today: lists.today, least: LEAST.plain }),
    )
  })
  return (results.find(({ changed }) => changed?.length) ?? results[0]) as VoiceResult
}

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
