import assert from 'node:assert/strict'
import { test } from 'node:test'
import { factChoices, FACTS } from '#features/voice/reading/choices.ts'
import { learn, packed } from '#features/voice/reading/model.ts'
import { loadWeights } from '#features/voice/reading/weights.server.ts'
import { scoreOf } from '../bench/voice-score.ts'
import { faultsOf, labeledIn, SPANISH, voiceFiles } from './voice-data.ts'
import { examplesOf, found, isRight, learnedFrom, taskOf, truthOf } from './voice-lab.ts'

/**
 * Sentences by four authors, written after training and never learned from
 * (docs/decisions/0020-a-learned-reader.md).
 */
const UNSEEN = new URL('../data/voice/unseen/', import.meta.url)
const all = learnedFrom([...labeledIn(voiceFiles()), ...labeledIn(voiceFiles(SPANISH))])
const texts = all.map((labeled) => found(taskOf(labeled)))
/**
 * Four authors with different styles: speech-engine spelling, an English learner, terse notes, long
 * sentences.
 */
const LEFT_OUT = new Set(['beth', 'bao', 'kim', 'graham'])
const HANDED_OUT = all.filter(({ author, sessions }) => author === 'handed-out' && sessions.length > 0)

test('the parsers propose the right value of every fact in 99.5% of sentences', () => {
  for (const fact of FACTS) {
    const missed = all.flatMap(({ sessions, text }, index) => {
      const [session] = sessions
      const line = texts[index]
      if (!session || sessions.length > 1 || !line) return []
      const choices = factChoices(line, fact, session.minutes)
      return choices.some(({ value }) => isRight(fact, value, truthOf(session)[fact])) ? [] : [text]
    })
    const sessions = all.filter((labeled) => labeled.sessions.length === 1).length
    assert.ok(missed.length <= 0.005 * sessions, `${fact}: ${missed.join('\n')}`)
  }
})

test('every handed-out sentence is read correctly', () => {
  const weights = loadWeights()
  assert.equal(HANDED_OUT.length, 123)
  assert.deepEqual(
    HANDED_OUT.map((labeled) => scoreOf(weights, labeled))
      .filter(({ wrong, allRight }) => wrong.length > 0 || !allRight)
      .map(({ labeled }) => labeled.text),
    [],
  )
})

test("training is deterministic, and 90% of unseen authors' sentences are read correctly", () => {
  const kept = all.flatMap((labeled, index) => {
    const line = texts[index]
    return LEFT_OUT.has(labeled.author) || !line ? [] : [examplesOf(labeled, line)]
  })
  const weights = packed(learn(kept.flat()))
  const some = kept.slice(0, 300).flat()
  assert.deepEqual(packed(learn(some, { rounds: 2 })), packed(learn(some, { rounds: 2 })))
  const scores = all.filter(({ author }) => LEFT_OUT.has(author)).map((one) => scoreOf(weights, one))
  const one = scores.filter(({ labeled }) => labeled.sessions.length === 1)
  const several = scores.filter(({ labeled }) => labeled.sessions.length > 1)
  const others = scores.filter(({ labeled }) => labeled.sessions.length === 0)
  const wrong = one.filter((score) => score.wrong.length > 0)
  assert.ok(wrong.length <= 0.1 * one.length, wrong.map(({ labeled }) => labeled.text).join('\n'))
  const refused = one.filter(({ got }) => got.sessions.length === 0)
  assert.ok(refused.length <= 0.02 * one.length, refused.map(({ labeled }) => labeled.text).join('\n'))
  const taken = others.filter(({ got }) => got.sounds === 'session')
  assert.ok(taken.length <= 0.03 * others.length, taken.map(({ labeled }) => labeled.text).join('\n'))
  assert.ok(several.filter(({ allRight }) => allRight).length >= 0.65 * several.length)
})

/**
 * What docs/decisions/0020-a-learned-reader.md says. For one pair of authors, 'high' is right less often than
 * its goal.
 */
const HELD = [
  { authors: ['gretchen', 'tariq'], right: 0.92, several: 0.8, highIsRight: 0.99 },
  { authors: ['nadine', 'desmond'], right: 0.92, several: 0.8, highIsRight: 0.98 },
  { authors: ['clementine', 'obi'], right: 0.92, several: 0.8, highIsRight: 0.99 },
]

test('sentences that were never learned from are read as well as decision 0020 says', () => {
  const weights = loadWeights()
  const unseen = labeledIn(voiceFiles(UNSEEN))
  assert.deepEqual(unseen.flatMap(faultsOf), [])
  assert.ok(unseen.every(({ author }) => HELD.some(({ authors }) => authors.includes(author))))
  for (const { authors, ...least } of HELD) {
    const scores = unseen
      .filter(({ author }) => authors.includes(author))
      .map((labeled) => scoreOf(weights, labeled))
    const one = scores.filter(({ labeled }) => labeled.sessions.length === 1)
    const others = scores.filter(({ labeled }) => labeled.sessions.length === 0)
    const several = scores.filter(({ labeled }) => labeled.sessions.length > 1)
    const high = one.filter(({ got }) => got.sessions[0]?.confidence === 'high')
    const share = (whole: typeof scores, test: (score: (typeof scores)[number]) => boolean) =>
      whole.filter(test).length / whole.length
    const got = {
      right: share(one, ({ wrong }) => wrong.length === 0),
      several: share(several, ({ allRight }) => allRight),
      highIsRight: share(high, ({ wrong }) => wrong.length === 0),
      isHigh: high.length / one.length,
      wrongFilled: share(one, ({ wrongFilled }) => wrongFilled.length > 0),
      othersFilled: share(others, ({ got: { sounds } }) => sounds === 'session'),
    }
    const said = `${authors.join(' and ')}: ${JSON.stringify(got)}`
    assert.ok(got.right >= least.right && got.several >= least.several, said)
    assert.ok(got.highIsRight >= least.highIsRight && got.isHigh >= 0.6, said)
    assert.ok(got.wrongFilled <= 0.02 && got.othersFilled <= 0.01, said)
  }
})

test('sentences about unclear days and prices that were never learned from are read as well as decision 0059 says', () => {
  const weights = loadWeights()
  const scores = labeledIn(voiceFiles(new URL('undated/', UNSEEN))).map((one) => scoreOf(weights, one))
  assert.deepEqual(
    scores.flatMap(({ labeled }) => faultsOf(labeled)),
    [],
  )
  const one = scores.filter(({ labeled }) => labeled.sessions.length === 1)
  const undated = one.filter(({ labeled }) => labeled.sessions[0]?.date === null)
  assert.ok(undated.length >= 40)
  const texts = (some: typeof scores): string => some.map(({ labeled }) => labeled.text).join('\n')
  const wrong = one.filter((score) => score.wrong.length > 0)
  assert.ok(wrong.length <= 0.08 * one.length, texts(wrong))
  const certain = undated.filter(
    ({ wrongFilled, got }) => wrongFilled.length > 0 && got.sessions[0]?.confidence !== 'low',
  )
  assert.ok(certain.length <= 0.03 * undated.length, texts(certain))
  const high = one.filter(({ got }) => got.sessions[0]?.confidence === 'high')
  assert.equal(texts(high.filter((score) => score.wrong.length > 0)), '')
})

test('sentences in Spanish by a person who was never learned from are read well (docs/decisions/0066-a-second-language.md)', () => {
  const weights = loadWeights()
  const scores = labeledIn(voiceFiles(new URL('es/', UNSEEN))).map((one) => scoreOf(weights, one))
  assert.deepEqual(
    scores.flatMap(({ labeled }) => faultsOf(labeled)),
    [],
  )
  const one = scores.filter(({ labeled }) => labeled.sessions.length === 1)
  const others = scores.filter(({ labeled }) => labeled.sessions.length === 0)
  const several = scores.filter(({ labeled }) => labeled.sessions.length > 1)
  const high = one.filter(({ got }) => got.sessions[0]?.confidence === 'high')
  const right = one.filter(({ wrong }) => wrong.length === 0).length
  const said = `${right} of ${one.length}`
  assert.ok(one.length >= 60 && right >= 0.8 * one.length, said)
  assert.ok(several.filter(({ allRight }) => allRight).length >= 0.6 * several.length)
  assert.ok(high.filter(({ wrong }) => wrong.length > 0).length <= 0.03 * one.length)
  assert.ok(others.filter(({ got }) => got.sounds === 'session').length <= 0.05 * others.length)
})

test('texts with several lessons that were never learned from are read as well as decision 0063 says', () => {
  const weights = loadWeights()
  const scores = labeledIn(voiceFiles(new URL('several/', UNSEEN))).map((one) => scoreOf(weights, one))
  assert.deepEqual(
    scores.flatMap(({ labeled }) => faultsOf(labeled)),
    [],
  )
  const several = scores.filter(({ labeled }) => labeled.sessions.length > 1)
  assert.ok(several.length >= 75)
  const wrong = several.filter(({ allRight }) => !allRight)
  assert.ok(wrong.length <= 0.25 * several.length, `${wrong.length}`)
  const sure = wrong.filter(({ got }) => got.sessions.every(({ confidence }) => confidence === 'high'))
  assert.ok(sure.length <= 0.1 * several.length, `${sure.length}`)
})
