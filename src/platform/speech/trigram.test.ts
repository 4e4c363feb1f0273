import assert from 'node:assert/strict'
import { test } from 'node:test'
import { arpaModel } from './trigram.ts'

const SENTENCES = ['maya had an hour', 'maya had two hours', 'an hour had maya']
const everyday = new Map([
  ['the', 3],
  ['an', 1],
])

/** Each n-gram's probability and back-off weight, parsed from the model's text. */
function read(arpa: string): Map<string, { probability: number; weight: number }> {
  return new Map(
    [...arpa.matchAll(/^(-[\d.]+) ([^\n]*?)(?: (-?[\d.]+))?$/gm)].map(
      ([, probability, words = '', weight]) => [
        words,
        { probability: 10 ** Number(probability), weight: weight === undefined ? 1 : 10 ** Number(weight) },
      ],
    ),
  )
}

test('the probabilities after any history sum to one, with the back-off the format defines', () => {
  const { arpa, vocabulary } = arpaModel(SENTENCES, { words: everyday, share: 0.25 })
  const model = read(arpa)
  const of = (history: string[], word: string): number => {
    const known = model.get([...history, word].join(' '))
    if (known) return known.probability
    return (model.get(history.join(' '))?.weight ?? 1) * of(history.slice(1), word)
  }
  const words = [...vocabulary, '</s>'].filter((word) => word !== '<s>')
  for (const history of [[], ['maya'], ['<s>', 'maya'], ['had', 'an'], ['the'], ['hours', 'the']]) {
    const sum = words.reduce((total, word) => total + of(history, word), 0)
    assert.ok(Math.abs(sum - 1) < 0.01, `${history.join(' ')}: ${sum}`)
  }
})

test('the counts in the header match the sections, and everyday words get their share', () => {
  const { arpa, vocabulary } = arpaModel(SENTENCES, { words: everyday, share: 0.25 })
  for (const order of [1, 2, 3]) {
    const part = arpa.split(`\\${order}-grams:\n`)[1]?.split('\n\n')[0]?.split('\n') ?? []
    assert.equal(Number(new RegExp(`ngram ${order}=(\\d+)`).exec(arpa)?.[1]), part.length)
  }
  assert.ok(vocabulary.has('the') && vocabulary.has('maya'))
  assert.ok(Math.abs((read(arpa).get('the')?.probability ?? 0) - 0.25 * 0.75) < 0.001)
})
