import assert from 'node:assert/strict'
import { test } from 'node:test'
import { corrections, faultsOf, labeledIn, SPANISH, voiceFiles } from './voice-data.ts'

test('the labels in data/voice are valid, and no sentence occurs twice', () => {
  const all = [...labeledIn(voiceFiles()), ...labeledIn(voiceFiles(SPANISH))]
  assert.ok(all.length > 5000)
  assert.deepEqual(
    all.flatMap((labeled) =>
      faultsOf(labeled).map((fault) => `${labeled.author}: ${labeled.text}: ${fault}`),
    ),
    [],
  )
  const keys = all.map(({ author, today, text, children }) => [author, today, text, ...children].join('|'))
  assert.deepEqual(
    keys.filter((key, index) => keys.indexOf(key) !== index),
    [],
  )
})

test('the labels of corrections are valid, and none that is only measured is learned', () => {
  const [learned, unseen] = [corrections(), corrections('corrections/unseen')]
  assert.ok(learned.length >= 150 && unseen.length >= 100)
  for (const { former, changes, ...labeled } of [...learned, ...unseen]) {
    const session = { subject: null, notes: null, ...former, ...changes }
    assert.deepEqual(faultsOf({ ...labeled, sessions: [session] }), [], labeled.correction)
  }
  const keyOf = ({ correction, text }: (typeof learned)[number]): string => `${text}|${correction}`
  const known = new Set(learned.map(keyOf))
  assert.deepEqual(
    unseen.map(keyOf).filter((key) => known.has(key)),
    [],
  )
})

test('reports impossible labels', () => {
  const session = {
    child: 'Maya',
    tutor: null,
    date: '2026-03-14',
    minutes: 60,
    rate: null,
    subject: null,
    notes: null,
  }
  const labeled = {
    author: 'a',
    today: '2026-03-14',
    children: ['Maya'],
    tutors: [],
    text: 'maya 1 hr',
    sessions: [session],
  }
  assert.deepEqual(faultsOf(labeled), [])
  const toAnn = (rate: number | null): string[] =>
    faultsOf({
      ...labeled,
      tutors: [{ name: 'Ann', rate }],
      sessions: [{ ...session, tutor: 'Ann', paid: 30 }],
    })
  assert.deepEqual([toAnn(40), toAnn(null).length], [[], 1])
  for (const wrong of [
    { child: 'Theo' },
    { tutor: 'Ann' },
    { date: '2026-03-15' },
    { minutes: 900 },
    { rate: -1 },
    { paid: 0 },
  ])
    assert.equal(
      faultsOf({ ...labeled, sessions: [{ ...session, ...wrong }] }).length,
      1,
      JSON.stringify(wrong),
    )
})
