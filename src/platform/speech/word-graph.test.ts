import assert from 'node:assert/strict'
import { test } from 'node:test'
import { arpaModel, probabilitiesOf } from './trigram.ts'
import { likelyTexts, wordsOfGraph } from './word-graph.ts'

/** The recognizer's graph for "maya had", then "an" or "one", then "hour", with or without a pause. */
const GRAPH = `# getcwd: /this/is/bogus
# -logbase 1.000100e+00
#
Frames 100
#
Nodes 9 (NODEID WORD STARTFRAME FIRST-ENDFRAME LAST-ENDFRAME)
0 </s> 95 99 99 ; 0
1 hour 60 94 94 ; 0
2 an(2) 50 59 59 ; 0
3 one 50 59 59 ; 0
4 <sil> 46 49 49 ; 0
5 had 30 45 49 ; 0
6 maya 5 29 29 ; 0
7 <s> 0 4 4 ; 0
8 [NOISE] 46 49 49 ; 0
#
Initial 7
Final 0
#
BestSegAscr 0 (NODEID ENDFRAME ASCORE)
#
Edges (FROM-NODEID TO-NODEID ASCORE)
1 0 -100000
2 1 -100000
3 1 -100000
4 2 -50000
5 4 -200000
5 2 -200000
5 3 -200000
6 5 -200000
7 6 -50000
End
`
const even = () => Math.log(0.1)

test('every text of the graph is found once, the most likely first, and the probabilities sum to one', () => {
  const hypotheses = likelyTexts(GRAPH, even, 10)
  assert.deepEqual(hypotheses.map(({ text }) => text).sort(), ['maya had an hour', 'maya had one hour'])
  assert.ok(Math.abs(hypotheses.reduce((sum, { probability }) => sum + probability, 0) - 1) < 1e-9)
  assert.ok((hypotheses[0]?.probability ?? 0) >= (hypotheses[1]?.probability ?? 1))
  assert.deepEqual(
    likelyTexts(GRAPH, even, 1).map(({ probability }) => probability),
    [1],
  )
})

test('the language model decides between words that sound alike', () => {
  const preferring = (wanted: string) => (_beforeLast: string, last: string, word: string) =>
    last === 'had' ? Math.log(word === wanted ? 0.9 : 0.001) : even()
  for (const wanted of ['an', 'one']) {
    const [first] = likelyTexts(GRAPH, preferring(wanted), 10)
    assert.equal(first?.text, `maya had ${wanted} hour`)
    assert.ok(first.probability > 0.95)
  }
})

test('the model gets the last two words, and pauses are not words', () => {
  const asked = new Set<string>()
  likelyTexts(GRAPH, (...words) => (asked.add(words.join(' ')), even()), 10)
  assert.ok(
    asked.has('maya had an') &&
      asked.has(' <s> maya') &&
      asked.has('an hour </s>') &&
      asked.has('one hour </s>'),
  )
  assert.ok(![...asked].some((words) => /sil|NOISE/.test(words)))
})

test('a truncated or broken graph has no texts', () => {
  for (const broken of [
    '',
    'garbage',
    GRAPH.replace('1 0 -100000\n', ''),
    GRAPH.slice(0, 300),
    GRAPH.replace('Initial 7', 'Initial 77'),
    GRAPH.replace('1 0 -100000', '1 0 -100000\n0 7 -1'),
  ])
    assert.deepEqual(likelyTexts(broken, even, 10), [])
})

test('a model reads back unchanged for the requested words', () => {
  const { arpa } = arpaModel(['maya had an hour', 'maya had two hours', 'maya had an hour'], {
    words: new Map([['the', 1]]),
    share: 0.25,
  })
  const probability = probabilitiesOf(arpa, wordsOfGraph(GRAPH))
  const next = ['an', 'two', 'hour', 'the'].map((word) => Math.exp(probability('maya', 'had', word)))
  assert.ok((next[0] ?? 0) > 0.5, String(next))
  // The word list didn't include 'two'. 'hour' never follows 'maya had' in the model, so it backs off.
  assert.ok((next[1] ?? 1) < 1e-9 && (next[2] ?? 0) > 0 && (next[2] ?? 1) < 0.2)
  const written = /^(-[\d.]+) maya had an$/m.exec(arpa)
  assert.ok(Math.abs(probability('maya', 'had', 'an') - Number(written?.[1]) * Math.LN10) < 1e-9)
})
