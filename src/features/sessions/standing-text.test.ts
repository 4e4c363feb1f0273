import assert from 'node:assert/strict'
import { test } from 'node:test'
import { currencyOf } from '#kernel/money.ts'
import {
  deletionNote,
  deletionQuestion,
  type Answers,
  sessionLine,
  sidesOf,
  answersOf,
} from './standing-text.ts'

const answered = (changes: Partial<Answers>): Answers => ({
  own_confirmation: 'confirmed',
  other_confirmation: 'none',
  deletion_asked_by: null,
  date: '2026-11-02',
  asked_at: null,
  reminders: 0,
  reminded_at: null,
  ...changes,
})

test('a toast says which session it was and what it costs, in its currency', () => {
  const session = {
    student_name: 'Maya',
    date: '2026-11-03',
    duration: 1.5,
    total_amount: 67.5,
    currency: currencyOf('USD'),
  }
  assert.equal(sessionLine(session), 'Maya, Nov 3 · 1.5\u00a0h · $67.50')
  assert.equal(sessionLine({ ...session, currency: currencyOf('EUR') }), 'Maya, Nov 3 · 1.5\u00a0h · €67.50')
  assert.equal(sessionLine({ ...session, total_amount: null }), 'Maya, Nov 3 · 1.5\u00a0h')
})

test('who is asked to delete what is said before the tap', () => {
  const session = { date: '2026-11-03', total_amount: 67.5, currency: currencyOf('USD') }
  assert.equal(deletionQuestion(session, 'Ingrid'), 'Ask Ingrid to delete Nov 3, $67.50?')
  assert.equal(
    deletionQuestion({ ...session, total_amount: null }, 'the family'),
    'Ask the family to delete Nov 3?',
  )
})

test('a tick belongs to the side that confirmed, and the text says who has yet to answer', () => {
  const line = (changes: Partial<Answers>, reader: 'parent' | 'tutor') => {
    const { words, by } = sidesOf(answered(changes), reader, 'Ingrid')
    return [words, ...by]
  }
  assert.deepEqual(line({}, 'parent'), ['Waiting for tutor', 'parent'])
  assert.deepEqual(line({}, 'tutor'), ['Waiting for the family', 'tutor'])
  const theirs = { own_confirmation: 'none', other_confirmation: 'confirmed' } as const
  assert.deepEqual(line(theirs, 'parent'), ['Waiting for you', 'tutor'])
  assert.deepEqual(line(theirs, 'tutor'), ['Waiting for you', 'parent'])
  assert.deepEqual(line({ own_confirmation: 'none' }, 'parent'), ['Waiting for you'])
  assert.deepEqual(line({ other_confirmation: 'confirmed' }, 'tutor'), ['Agreed', 'parent', 'tutor'])
})

test('a session that was sent back or is to be deleted says who asked for it', () => {
  const line = (changes: Partial<Answers>, reader: 'parent' | 'tutor') => {
    const { words, badge } = sidesOf(answered(changes), reader, reader === 'parent' ? 'Ingrid' : undefined)
    return [words, badge]
  }
  assert.deepEqual(line({ other_confirmation: 'disputed' }, 'parent'), ['Not right', 'danger'])
  assert.deepEqual(line({ own_confirmation: 'disputed' }, 'tutor'), ['You said not right', 'danger'])
  assert.deepEqual(line({ deletion_asked_by: 'you' }, 'tutor'), ['You asked to delete it', 'warn'])
  assert.deepEqual(line({ deletion_asked_by: 'other' }, 'parent'), ['Ingrid asked to delete it', 'warn'])
  assert.deepEqual(line({ deletion_asked_by: 'other' }, 'tutor'), ['The family asked to delete it', 'warn'])
})

/**
 * A response has been pending since Nov 3, and two reminders have been sent. The times are around noon so
 * that the time zone doesn't change the day.
 */
const REMINDED = { asked_at: '2026-11-03T12:00:00Z', reminders: 2, reminded_at: '2026-11-14T13:00:00Z' }
const at = (day: string) => new Date(`${day}T18:00:00Z`)

test('after two weeks and two reminders, a missing answer reads "No answer since Nov 3", and doesn\'t count as a yes', () => {
  const line = (changes: Partial<Answers>, reader: 'parent' | 'tutor', day = '2026-11-17') =>
    sidesOf(answered({ ...REMINDED, ...changes }), reader, 'Ingrid', at(day))
  const theirs = { own_confirmation: 'none', other_confirmation: 'confirmed' } as const
  assert.equal(line({}, 'parent', '2026-11-16').words, 'Waiting for tutor')
  assert.equal(line(theirs, 'tutor', '2026-11-16').words, 'Waiting for you')
  assert.deepEqual(line({}, 'parent'), { words: 'No answer since Nov 3', by: ['parent'] })
  assert.deepEqual(line({}, 'tutor').words, 'No answer since Nov 3')
  assert.deepEqual(line(theirs, 'tutor'), { words: 'Waiting for you since Nov 3', by: ['parent'] })
  assert.equal(line({}, 'parent', '2027-01-20').words, 'No answer since Nov 3, 2026')
  assert.equal(line({ reminders: 1 }, 'parent', '2026-11-20').words, 'Waiting for tutor')
  assert.equal(line({ other_confirmation: 'confirmed' }, 'parent').words, 'Agreed')
})

test("someone who asked to delete a session sees the other side's deadline, and afterward that there was no answer", () => {
  const asked = answered({ ...REMINDED, deletion_asked_by: 'you' })
  assert.equal(deletionNote(asked, 'parent', 'Ingrid', at('2026-11-05')), 'Ingrid has until Nov 17 to answer')
  assert.equal(deletionNote(asked, 'tutor', null, at('2026-11-16')), 'The family has until Nov 17 to answer')
  assert.equal(deletionNote(asked, 'tutor', null, at('2026-11-17')), 'No answer since Nov 3')
  assert.equal(deletionNote({ ...asked, deletion_asked_by: 'other' }, 'tutor', null), undefined)
  // No reminders were sent, so the deadline is four weeks away.
  const quiet = { ...asked, reminders: 0, reminded_at: null }
  assert.equal(deletionNote(quiet, 'parent', 'Ingrid', at('2026-11-20')), 'Ingrid has until Dec 1 to answer')
})

test('a session shows for each side whether it confirmed, sent it back, or has yet to answer', () => {
  const lines = (changes: Partial<Answers>, reader: 'parent' | 'tutor', canAnswer = true) =>
    answersOf(answered(changes), reader, reader === 'parent' ? 'Ingrid' : null, canAnswer).map(
      ({ side, who, says }) => [side, who, says],
    )
  assert.deepEqual(lines({}, 'parent'), [
    ['parent', 'You', 'Confirmed'],
    ['tutor', 'Ingrid', 'Not confirmed yet'],
  ])
  assert.deepEqual(lines({ own_confirmation: 'none', other_confirmation: 'disputed' }, 'tutor'), [
    ['tutor', 'You', 'Not confirmed yet'],
    ['parent', 'The family', 'Said not right'],
  ])
  assert.deepEqual(lines({ other_confirmation: 'confirmed' }, 'parent', false), [
    ['parent', 'Your family', 'Confirmed'],
    ['tutor', 'Ingrid', 'Confirmed'],
  ])
})
