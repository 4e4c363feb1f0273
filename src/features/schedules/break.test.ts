// Which classes a break cancels, how, and which it leaves alone.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { breakInWords, breakOf, daysProblem, EndClasses, MOST_ENDED } from './break.ts'
import type { ListedClass, Occurrence } from './occurrence.ts'

const NOW = new Date('2026-12-21T20:00:00Z')

function aClass(date: string, more: Partial<ListedClass> = {}): ListedClass {
  return {
    schedule_id: 'maya',
    date,
    original_date: date,
    start_time: '16:00',
    duration: 1,
    time_zone: 'Etc/UTC',
    ends_at: `${date}T17:00:00Z`,
    yours: null,
    student_id: 'child',
    student_name: 'Maya',
    tutor_id: 'tutor',
    tutor_name: 'Ingrid',
    subject: null,
    hourly_rate: null,
    connection_id: null,
    status: 'planned',
    outcome: null,
    outcome_by: null,
    outcome_at: null,
    is_shared: false,
    proposed: null,
    session_id: null,
    last: null,
    is_in_closed_month: false,
    ...more,
  }
}
const beginsAt = ({ date, start_time: time }: Occurrence) => new Date(`${date}T${time}:00Z`)
const planned = (classes: ListedClass[], by: 'family' | 'tutor', schedules = ['maya', 'leo']) => {
  const { ends, stays } = breakOf(classes, { schedules, by, now: NOW, beginsAt, noticeHours: () => 24 })
  const named = ({ schedule_id: of, date }: Pick<Occurrence, 'schedule_id' | 'date'>) => `${of} ${date}`
  return { ends: ends.map(({ outcome, ...one }) => `${named(one)} ${outcome}`), stays: stays.map(named) }
}

test('a break leaves the classes of closed months as they are', () => {
  const classes = [aClass('2026-11-30', { is_in_closed_month: true }), aClass('2026-12-28')]
  assert.deepEqual(planned(classes, 'tutor'), {
    ends: ['maya 2026-12-28 canceled_by_tutor'],
    stays: ['maya 2026-11-30'],
  })
})

test('a break cancels what is planned in the chosen schedules, wherever a class was moved to', () => {
  const classes = [
    aClass('2026-12-23'),
    aClass('2026-12-24', { schedule_id: 'leo' }),
    aClass('2026-12-28', { schedule_id: 'zoe' }),
    aClass('2026-12-29', { original_date: '2026-12-20' }),
    aClass('2026-12-30', { proposed: { by: 'other', date: '2027-01-08', start_time: '16:00', yours: null } }),
  ]
  assert.deepEqual(planned(classes, 'family'), {
    ends: [
      'maya 2026-12-23 canceled_in_time',
      'leo 2026-12-24 canceled_in_time',
      'maya 2026-12-29 canceled_in_time',
      'maya 2026-12-30 canceled_in_time',
    ],
    stays: [],
  })
  assert.deepEqual(planned(classes, 'family', ['leo']).ends, ['leo 2026-12-24 canceled_in_time'])
  assert.deepEqual(planned(classes, 'family', []).ends, [])
})

test('a family cancels in time or late, as with a single class, and a tutor cancels as the tutor', () => {
  const classes = [aClass('2026-12-22'), aClass('2026-12-23')]
  assert.deepEqual(planned(classes, 'family').ends, [
    'maya 2026-12-22 canceled_late',
    'maya 2026-12-23 canceled_in_time',
  ])
  assert.deepEqual(planned(classes, 'tutor').ends, [
    'maya 2026-12-22 canceled_by_tutor',
    'maya 2026-12-23 canceled_by_tutor',
  ])
})

test('what is logged or was canceled before stays as it is, and is named', () => {
  const classes = [
    aClass('2026-12-22', { status: 'logged', session_id: 'one' }),
    aClass('2026-12-23', { status: 'canceled', outcome: 'no_show' }),
    aClass('2026-12-24', { status: 'logged', schedule_id: 'zoe' }),
    aClass('2026-12-25'),
  ]
  assert.deepEqual(planned(classes, 'tutor'), {
    ends: ['maya 2026-12-25 canceled_by_tutor'],
    stays: ['maya 2026-12-22', 'maya 2026-12-23'],
  })
})

test('a break has a first and a last day in this order, at most a year apart', () => {
  const problem = (from: string, to: string) => daysProblem({ from, to })
  assert.equal(problem('2026-12-22', '2026-12-22'), undefined)
  assert.equal(problem('2026-12-22', '2027-12-22'), undefined)
  assert.deepEqual(problem('2026-12-22', '2026-12-21'), { to: "The last day can't be before the first" })
  assert.deepEqual(problem('2026-12-22', '2027-12-24'), { to: 'Choose at most a year' })
  assert.deepEqual(problem('0002-12-22', '2026-12-21'), { from: "This date doesn't exist" })
})

test('a single day is named once', () => {
  assert.equal(breakInWords('2026-12-22', '2027-01-04'), 'No lessons from Dec 22 to Jan 4')
  assert.equal(breakInWords('2026-12-22', '2026-12-22'), 'No lessons on Dec 22')
})

test('several classes are ended by one call: each once, and neither none nor too many', () => {
  const one = {
    schedule_id: crypto.randomUUID(),
    date: '2026-12-22',
    outcome: 'canceled_in_time',
    was: null,
  } as const
  const isGood = (classes: unknown[]) => EndClasses.input.safeParse({ classes }).success
  assert.ok(isGood([one, { ...one, date: '2026-12-29' }]))
  assert.ok(isGood([{ ...one, outcome: null, was: 'canceled_in_time' }]))
  assert.ok(!isGood([]))
  assert.ok(!isGood([one, { ...one, outcome: 'canceled_late' }]), 'twice')
  assert.ok(!isGood([{ ...one, outcome: null }]), 'what is planned stays planned')
  assert.ok(!isGood([{ ...one, date: '2026-02-30' }]))
  assert.ok(
    !isGood(Array.from({ length: MOST_ENDED + 1 }, () => ({ ...one, schedule_id: crypto.randomUUID() }))),
  )
})
