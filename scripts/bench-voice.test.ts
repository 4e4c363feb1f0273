import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { isFilled, isNonSession, scoreOf } from '../bench/voice-score.ts'
import { saidIn } from '../bench/voice-said.ts'

/** The minimum shares read correctly (design: 88% of another author's text, 97% if the badge says 'high'), and the most other talk that may fill in a field. */
const FILES: [name: string, right: number, filled: number][] = [
  ['tuned', 0.98, 0],
  ['held-out', 0.95, 0.01],
]

for (const [name, right, filled] of FILES) {
  test(`the labelled sentences '${name}' are read right, 'high' is said of right ones, and other talk fills nothing in`, () => {
    const scores = saidIn(
      readFileSync(new URL(`../bench/voice-${name}.txt`, import.meta.url), 'utf8'),
      name,
    ).map((labelled) => scoreOf(labelled))
    const sessions = scores.filter((score) => !isNonSession(score.case))
    const others = scores.filter((score) => isNonSession(score.case))
    const high = sessions.filter(({ got }) => got.confidence === 'high')
    const wrongOf = (all: typeof scores) =>
      all.filter(({ wrong }) => wrong.length > 0).map((score) => score.case.transcript)
    assert.ok(sessions.length >= 100 && others.length >= 100)
    assert.ok(wrongOf(sessions).length <= (1 - right) * sessions.length, wrongOf(sessions).join('\n'))
    assert.ok(wrongOf(high).length <= 0.03 * high.length, wrongOf(high).join('\n'))
    const leaks = others.filter(isFilled).map((score) => score.case.transcript)
    assert.ok(leaks.length <= filled * others.length, leaks.join('\n'))
  })
}
