import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  type Answer,
  ANSWER_DAYS,
  answerAfter,
  type AnswerChange,
  answerDue,
  asksToDelete,
  type Asked,
  askedSince,
  isUnanswered,
  REMINDED_DAYS,
  standingOf,
  UNREMINDED_DAYS,
} from './answer.ts'

const ANSWERS = ['none', 'confirmed', 'disputed'] as const
const CHANGES = ['confirm', 'withdraw', 'dispute'] as const
const GIVES: Record<AnswerChange, Answer> = { confirm: 'confirmed', withdraw: 'none', dispute: 'disputed' }

test("D9: only confirming makes an answer 'confirmed', and only disputing makes it 'disputed'", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...CHANGES), { maxLength: 30 }), (changes) => {
      let answer: Answer = 'none'
      for (const change of changes) {
        const next: Answer | undefined = answerAfter(answer, change)
        if (next === undefined) continue
        assert.equal(next, GIVES[change])
        answer = next
      }
    }),
  )
})

test('giving the same answer again changes nothing, but a dispute can get another note', () => {
  for (const [answer, change] of [
    ['confirmed', 'confirm'],
    ['none', 'withdraw'],
  ] as const)
    assert.equal(answerAfter(answer, change), undefined)
  assert.equal(answerAfter('disputed', 'dispute'), 'disputed')
})

test('whatever a side has answered, it can confirm, and undo that', () => {
  for (const answer of ANSWERS) {
    assert.equal(answerAfter(answer, 'confirm') ?? answer, 'confirmed')
    assert.equal(answerAfter(answer, 'withdraw') ?? answer, 'none')
  }
})

test('a status follows from both answers, and what somebody asked to delete counts for neither side', () => {
  const standing = (
    own: Answer,
    other: Answer,
    isShared = true,
    deletionAskedBy: 'you' | 'other' | null = null,
  ) =>
    standingOf({
      own_confirmation: own,
      other_confirmation: other,
      is_shared: isShared,
      deletion_asked_by: deletionAskedBy,
    })
  for (const isShared of [true, false]) {
    assert.equal(standing('confirmed', 'confirmed', isShared), 'verified', 'also once the two parted')
    for (const other of ['none', 'confirmed'] as const)
      for (const [one, two] of [
        ['disputed', other],
        [other, 'disputed'],
      ] as const)
        assert.equal(standing(one, two, isShared), 'disputed', 'also once the two parted')
    for (const side of ['you', 'other'] as const)
      for (const own of ANSWERS) assert.equal(standing(own, 'confirmed', isShared, side), 'leaving')
  }
  for (const other of ['none', 'confirmed'] as const)
    assert.deepEqual(
      [standing('none', other), standing('none', other, false)],
      ['waiting', 'own'],
      'somebody has to be there to confirm it',
    )
})

test('an entry is deleted at once, unless the other side ever took part in it and has not asked for it too', () => {
  const asks = (is_shared: boolean, other_took_part: boolean, deletion_asked_by: 'you' | 'other' | null) =>
    asksToDelete({ is_shared, other_took_part, deletion_asked_by })
  assert.deepEqual([asks(true, true, null), asks(true, true, 'you')], [true, true])
  assert.equal(asks(true, true, 'other'), false, 'both want it gone')
  assert.equal(asks(true, false, null), false, 'it never answered')
  for (const tookPart of [true, false]) assert.equal(asks(false, tookPart, null), false, 'nobody else has it')
})

const ASKED: Asked = {
  date: '2026-11-02',
  asked_at: '2026-11-03T12:00:00Z',
  reminders: 0,
  reminded_at: null,
  deletion_asked_by: null,
}
const DAY = 86_400_000
const after = (days: number) => new Date(Date.parse('2026-11-03T12:00:00Z') + days * DAY)

test('no answer: a side has two weeks, at least three days after each reminder, and four weeks without reminders', () => {
  const due = (changes: Partial<Asked>, days: number) =>
    ((answerDue({ ...ASKED, ...changes }, after(days))?.getTime() ?? NaN) - after(0).getTime()) / DAY
  const reminded = (days: number) => ({ reminders: 2, reminded_at: after(days).toISOString() })
  assert.deepEqual([due({}, 0), due({}, 4.9), due({ reminders: 1 }, 11)], [14, 14, 14])
  assert.deepEqual(
    [due({}, 5), due({ reminders: 1 }, 12)],
    [28, 28],
    'the reminder that was due did not go out',
  )
  assert.deepEqual([due(reminded(10.5), 11), due(reminded(13), 14)], [14, 16])
  assert.equal(due(reminded(27), 27), 28, 'a late reminder makes nobody wait longer than none')
  assert.equal(answerDue({ ...ASKED, asked_at: null }, after(99)), undefined)
  assert.equal(isUnanswered({ ...ASKED, asked_at: null }, after(99)), false)
})

test('no answer: a future lesson needs an answer from its day on, a request to delete it at once', () => {
  const ahead = { ...ASKED, date: '2026-11-20' }
  assert.deepEqual([askedSince(ASKED), askedSince(ahead)], ['2026-11-03', '2026-11-20'])
  assert.equal(askedSince({ ...ahead, deletion_asked_by: 'you' }), '2026-11-03')
  assert.equal(answerDue(ahead, after(1))?.toISOString(), '2026-12-04T00:00:00.000Z')
})

test('no answer: nobody waits longer than four weeks, or has less than two weeks or three days after a second reminder', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 3 }),
      fc.double({ min: 0, max: 40, noNaN: true }),
      fc.double({ min: 0, max: 60, noNaN: true }),
      (reminders, last, now) => {
        const asked = { ...ASKED, reminders, reminded_at: reminders > 0 ? after(last).toISOString() : null }
        const silent = isUnanswered(asked, after(now))
        if (now >= UNREMINDED_DAYS) assert.ok(silent)
        else if (now < ANSWER_DAYS || reminders < 2 || now < last + REMINDED_DAYS - 0.001) assert.ok(!silent)
      },
    ),
  )
})
