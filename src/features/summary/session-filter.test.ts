import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Session } from '#features/sessions/session.ts'
import { afterPress, choicesOf, filterIn, matches, sumOf, withoutFilter } from './session-filter.ts'

const session = (changes: Partial<Session> = {}): Session =>
  ({
    id: 'one',
    student_id: 'maya',
    student_name: 'Maya',
    tutor_id: 'ingrid',
    tutor_name: 'Ingrid',
    connection_id: null,
    date: '2026-11-02',
    duration: 1,
    total_amount: 45,
    currency: 'USD',
    own_confirmation: 'confirmed',
    other_confirmation: 'none',
    is_shared: true,
    deletion_asked_by: null,
    ...changes,
  }) as Session
const leo = { student_id: 'leo', student_name: 'Leo' }
const verified = { other_confirmation: 'confirmed' } as const
const sentBack = { other_confirmation: 'disputed' } as const

const choices = (sessions: Session[]) => choicesOf(sessions, (one) => one.student_name ?? '')
const labels = (sessions: Session[]) => choices(sessions).map(({ label }) => label)

test("a month's filters offer only what occurs: states, and children and tutors if there are several", () => {
  assert.deepEqual(labels([]), [])
  assert.deepEqual(labels([session(verified)]), [])
  assert.deepEqual(labels([session(), session(leo)]), ['Waiting', 'Leo', 'Maya'])
  assert.deepEqual(labels([session(sentBack), session({ ...verified, tutor_id: null, tutor_name: null })]), [
    'Not right',
    'Ingrid',
    'Unknown Tutor',
  ])
  // A session that one side asked to delete is waiting for the other side.
  assert.deepEqual(labels([session({ ...verified, deletion_asked_by: 'you' })]), ['Waiting'])
})

test('a session has to match all chosen filters, and an unknown person in the address filters nothing', () => {
  const month = [session(), session({ ...leo, ...sentBack }), session({ ...leo, ...verified })]
  const shown = (address: string) =>
    month.filter((one) => matches(one, filterIn(new URLSearchParams(address), choices(month)))).length
  assert.equal(shown(''), 3)
  assert.equal(shown('child=leo'), 2)
  assert.equal(shown('child=leo&state=disputed'), 1)
  assert.equal(shown('child=maya&state=disputed'), 0)
  assert.equal(shown('child=nobody&state=nonsense&tutor=ingrid'), 3)
})

test('tapping a filter again clears it, and choosing another child replaces the first', () => {
  const [waiting, ofLeo, ofMaya] = choices([session(), session(leo)])
  assert.ok(waiting && ofLeo && ofMaya)
  const start = new URLSearchParams('month=2026-10')
  const one = afterPress(afterPress(start, ofLeo), waiting)
  assert.equal(one.toString(), 'month=2026-10&child=leo&state=waiting')
  assert.equal(afterPress(one, ofMaya).get('child'), 'maya')
  assert.equal(afterPress(one, ofLeo).has('child'), false)
  assert.equal(withoutFilter(one).toString(), 'month=2026-10')
})

test('totals add up to the cent, per currency, without sessions that were sent back or have no rate', () => {
  const cents = [session({ total_amount: 0.1 }), session({ total_amount: 0.2, duration: 0.25 })]
  assert.deepEqual(sumOf([...cents, session({ ...sentBack, total_amount: 9 })]), {
    hours: 1.25,
    amounts: [{ currency: 'USD', amount: 0.3 }],
  })
  assert.deepEqual(sumOf([session({ ...sentBack, total_amount: 9 })]).amounts, [
    { currency: 'USD', amount: 9 },
  ])
  const euros = session({ currency: 'EUR' as Session['currency'], total_amount: null })
  assert.deepEqual(sumOf([session(), euros]).amounts, [{ currency: 'USD', amount: 45 }])
  assert.deepEqual(sumOf([euros]).amounts, [])
})
