import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CalendarDay } from '#kernel/calendar-day.ts'
import type { Cents } from '#kernel/money.ts'
import type { Transcription } from '#platform/speech/transcription.ts'
import { sessionsOfOneEngine, sessionsIn } from './transcription.ts'
import { read as readText } from './reading/read.ts'
import { loadWeights } from './reading/weights.server.ts'

const FAMILY = {
  today: '2026-06-17' as CalendarDay,
  students: [
    { id: 'anna', name: 'Anna' },
    { id: 'hannah', name: 'Hannah' },
  ],
  tutors: [
    { id: 'chen', name: 'David Chen', rate: 4500 as Cents, subjects: [] },
    { id: 'chan', name: 'Sarah Chan', rate: 4500 as Cents, subjects: [] },
  ],
}
const SAID = 'anna had an hour and a half with david chen on monday at fifty five dollars an hour'
const WHOLE = {
  studentId: 'anna',
  suggestedStudentName: null,
  tutorId: 'chen',
  suggestedTutorName: null,
  day: '2026-06-15',
  minutes: 90,
  rate: 5500,
  confidence: 'high',
}

const weights = loadWeights()
function sessionsFrom(transcription: Transcription, family: typeof FAMILY) {
  const { text, found } = sessionsOfOneEngine(transcription, family, (transcript) =>
    readText(weights, { ...family, transcript }),
  )
  const [first] = found.sessions
  return { text, found: { studentId: null, ...first, isSession: first !== undefined } }
}

/** Reads a sentence, given possible mishearings and their probabilities. */
function read(others: [from: string, to: string, probability: number][], isNoisy = false) {
  const rest = 1 - others.reduce((sum, [, , probability]) => sum + probability, 0)
  const hypotheses = [
    { text: SAID, probability: rest },
    ...others.map(([from, to, probability]) => ({ text: SAID.replace(from, to), probability })),
  ]
  const { studentId, suggestedStudentName, tutorId, suggestedTutorName, day, minutes, rate, confidence } =
    sessionsFrom({ text: SAID, hypotheses, isNoisy }, FAMILY).found
  return { studentId, suggestedStudentName, tutorId, suggestedTutorName, day, minutes, rate, confidence }
}

test('a text without other hypotheses is read as it is', () => {
  for (const hypotheses of [undefined, []])
    assert.equal(sessionsFrom({ text: SAID, hypotheses }, FAMILY).found.confidence, 'high')
})

test('a value that too few readings agree on is left out; a person is suggested instead', () => {
  assert.deepEqual(
    read([
      ['monday', 'sunday', 0.3],
      ['monday', 'tuesday', 0.25],
    ]),
    { ...WHOLE, day: null, confidence: 'low' },
  )
  assert.deepEqual(
    read([
      ['anna had', 'hannah had', 0.3],
      ['anna had', 'hannah has', 0.25],
    ]),
    { ...WHOLE, studentId: null, suggestedStudentName: 'Anna', confidence: 'medium' },
  )
  assert.deepEqual(
    read([
      ['david chen', 'sarah chan', 0.3],
      ['with david chen', 'and sarah chan', 0.25],
    ]),
    { ...WHOLE, tutorId: null, suggestedTutorName: 'David Chen', confidence: 'medium' },
  )
  assert.deepEqual(
    read([
      ['fifty five', 'forty five', 0.3],
      ['fifty five', 'sixty five', 0.25],
    ]),
    { ...WHOLE, rate: null, confidence: 'medium' },
  )
  assert.deepEqual(
    read([
      ['an hour and a half', 'half an hour', 0.3],
      ['an hour and a half', 'an hour', 0.25],
    ]),
    { ...WHOLE, minutes: null, confidence: 'low' },
  )
})

test("readings that differ only in other words, or that most others outvote, don't matter", () => {
  assert.deepEqual(read([['with', 'from', 0.5]]), WHOLE)
  assert.deepEqual(
    read([
      ['monday', 'sunday', 0.2],
      ['anna', 'hannah', 0.19],
    ]),
    WHOLE,
  )
})

test('with background noise, a value that nine in ten readings agree on is sure, and others are marked', () => {
  const isDayMarked = (probability: number, isNoisy: boolean) => {
    const hypotheses = [
      { text: SAID, probability: 1 - probability },
      { text: SAID.replace('monday', 'sunday'), probability },
    ]
    const { day, unsure, confidence } = sessionsFrom({ text: SAID, hypotheses, isNoisy }, FAMILY).found
    assert.equal(day, WHOLE.day)
    assert.equal(confidence === 'low', unsure?.includes('day'))
    return unsure?.includes('day')
  }
  assert.equal(isDayMarked(0.15, false), false)
  assert.equal(isDayMarked(0.15, true), true)
  assert.equal(isDayMarked(0.05, true), false)
})

test('only as much text is read as fits the time limit for a long recording', () => {
  const remark = ' they went over the homework and talked about the next test'.repeat(60)
  const text = `${SAID}${remark}`
  const hypotheses = [
    { text, probability: 0.2 },
    ...Array.from({ length: 24 }, () => ({
      text: `${SAID.replace('monday', 'sunday')}${remark}`,
      probability: 0.03,
    })),
  ]
  assert.equal(sessionsFrom({ text, hypotheses }, FAMILY).found.day, '2026-06-15')
})

test("a reading that names people on the lists wins, unless it's far less likely", () => {
  const between = (probability: number) =>
    sessionsFrom(
      {
        text: SAID.replace('anna', 'and a'),
        hypotheses: [
          { text: SAID.replace('anna', 'and a'), probability: 1 - probability },
          { text: SAID, probability },
        ],
      },
      FAMILY,
    )
  assert.deepEqual([between(0.3).text, between(0.3).found.studentId], [SAID, 'anna'])
  assert.deepEqual([between(0.15).text, between(0.15).found.studentId], [SAID.replace('anna', 'and a'), null])
})

test("no names are looked for if the likeliest reading isn't a session", () => {
  const said = 'can you hear me monday'
  const { text, found } = sessionsFrom(
    {
      text: said,
      hypotheses: [
        { text: said, probability: 0.5 },
        { text: SAID, probability: 0.5 },
      ],
    },
    FAMILY,
  )
  assert.deepEqual([text, found.isSession, found.studentId], [said, false, null])
})

/** What two engines heard together, and whether the first one's transcript is shown. */
function both(transcription: Omit<Transcription, 'text'> & { text?: string; isOfThisKind?: boolean }) {
  const { text = SAID } = transcription
  const { text: shown, found } = sessionsIn({ ...transcription, text }, FAMILY, (transcript) =>
    readText(weights, { ...FAMILY, transcript }),
  )
  const { studentId, suggestedStudentName, tutorId, day, minutes, rate, confidence } = found.sessions[0] ?? {}
  return {
    isOwn: shown === text,
    sounds: found.sounds,
    session: { studentId, suggestedStudentName, tutorId, day, minutes, rate, confidence },
  }
}
const { suggestedTutorName: _, ...BOTH } = WHOLE

test('with two engines, gaps are filled with what the other one heard, unless there is noise or they differ', () => {
  assert.deepEqual(both({ other: SAID }), { isOwn: true, sounds: 'session', session: BOTH })
  assert.deepEqual(both({ other: 'the weather is nice today' }).session, BOTH)
  const text = SAID.replace(' at fifty five dollars an hour', '')
  assert.deepEqual(both({ text, other: SAID }).session, BOTH)
  assert.equal(both({ text, other: SAID, isNoisy: true }).session.rate, null)
  assert.equal(both({ text, other: SAID.replace('monday', 'tuesday') }).session.rate, null)
})

test('where two engines differ, the one that knows the names counts, but it is not certain anymore', () => {
  for (const [one, other] of [
    ['an hour and a half', 'two hours'],
    ['anna', 'hannah'],
  ] as const)
    assert.deepEqual(both({ other: SAID.replace(one, other) }).session, { ...BOTH, confidence: 'medium' })
})

test('a value that the first engine doubts counts if the second one heard the same, and stays open otherwise', () => {
  const hypotheses = [
    { text: SAID, probability: 0.4 },
    { text: SAID.replace('monday', 'tuesday'), probability: 0.3 },
    { text: SAID.replace('monday', 'sunday'), probability: 0.3 },
  ]
  assert.equal(both({ hypotheses, other: SAID }).session.day, WHOLE.day)
  assert.equal(both({ hypotheses, other: SAID.replace('monday', 'tuesday') }).session.day, null)
  assert.equal(both({ hypotheses, other: SAID.replace('on monday', '') }).session.day, null)
})

test('an engine that knows the names did not hear one that is not in its transcript', () => {
  const text = SAID.replace('david', 'davit').replace('chen', 'ten')
  const hypotheses = [{ text, probability: 1 }]
  assert.equal(both({ text, other: SAID }).session.tutorId, 'chen')
  assert.equal(sessionsFrom({ text }, FAMILY).found.tutorId, 'chen')
  assert.equal(sessionsFrom({ text, hypotheses }, FAMILY).found.tutorId, null)
  assert.equal(both({ text, hypotheses, other: SAID }).session.tutorId, 'chen')
})

test('if only the second engine heard a session, it is filled in with a question, without what nothing supports', () => {
  const asked = { ...BOTH, confidence: 'low' }
  const text = 'and a had a nour'
  assert.deepEqual(both({ text, other: SAID, isOfThisKind: false }), {
    isOwn: false,
    sounds: 'maybe',
    session: asked,
  })
  // The first engine's best guess at a session can still contradict.
  const own = SAID.replace('an hour and a half', 'two hours')
  const hypotheses = [{ text: own, probability: 1 }]
  assert.deepEqual(both({ text, hypotheses, other: SAID, isOfThisKind: false }), {
    isOwn: false,
    sounds: 'maybe',
    session: { ...asked, minutes: null, rate: null },
  })
  // It's today if nothing was said about the day. A day that wasn't understood is asked for.
  const today = { text: SAID.replace('monday', 'today'), probability: 1 }
  const unsaid = { text, hypotheses: [today], other: SAID.replace(' on monday', ''), isOfThisKind: false }
  assert.equal(both(unsaid).session.day, '2026-06-17')
  assert.equal(
    both({ text, other: SAID.replace('monday', 'mun day'), isOfThisKind: false }).session.day,
    null,
  )
})
