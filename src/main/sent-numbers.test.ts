// Forms send typed numbers as numbers, not text (docs/product.md, section 5: numeric strings are converted to
// numbers before sending).
import { currencyOf } from '#kernel/money.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emptyPayment, toInput } from '#features/payments/payment-form.ts'
import { NewPayment } from '#features/payments/payment.ts'
import { emptySchedule, toSchedule } from '#features/schedules/schedule-form.ts'
import { NewSchedule } from '#features/schedules/schedule.ts'
import { toNewSession, toSessionChanges } from '#features/sessions/session-form.ts'
import { NewSession, SessionChanges } from '#features/sessions/session.ts'
import { fieldsOfStudent, toStudent } from '#features/students/student-form.ts'
import { toOwnRate } from '#features/tutors/own-rate.ts'
import { fieldsOf as fieldsOfTutor, toNewTutor } from '#features/tutors/tutor-form.ts'

const ID = '11111111-1111-4111-8111-111111111111'
const session = {
  student_id: ID,
  tutor_id: ID,
  date: '2026-11-02',
  duration: '1.5',
  subject: '',
  hourly_rate: '45.10',
  start_time: '',
  summary: '',
  homework: '',
  notes: '',
}
const schedule = {
  ...emptySchedule('2026-11-02'),
  student_id: ID,
  tutor_id: ID,
  day_of_week: ['1'],
  start_time: '16:00',
  duration: '1.5',
  frequency: 'custom' as const,
  custom_interval_days: '10',
  hourly_rate: '45.10',
}

test('numbers typed into a form are sent as numbers, and blank fields without a value', () => {
  const sent = toSchedule(schedule)
  assert.deepEqual(
    [sent.day_of_week, sent.duration, sent.custom_interval_days, sent.hourly_rate],
    [1, 1.5, 10, 45.1],
  )
  assert.equal(toSchedule({ ...schedule, hourly_rate: ' ' }).hourly_rate, null)
  for (const input of [toNewSession(session), toSessionChanges(session)])
    assert.deepEqual([input.duration, input.hourly_rate], [1.5, 45.1])
  assert.equal('hourly_rate' in toNewSession({ ...session, hourly_rate: '' }), false)
  assert.equal(toSessionChanges({ ...session, hourly_rate: '' }).hourly_rate, null)
  const prepaid = { ...emptyPayment('2026-11-02', ID), kind: 'hours' as const, amount: '450', hours: '10' }
  const payment = toInput(prepaid, 'tutor')
  assert.deepEqual([payment.amount, payment.hours], [450, 10])
  assert.equal(toOwnRate({ hourly_rate: '45.10' }).hourly_rate, 45.1)
  assert.equal(
    toStudent({ ...fieldsOfStudent(undefined, currencyOf('USD')), hourly_rate: '45.10' }).hourly_rate,
    45.1,
  )
})

test('a decimal comma is sent as the same number as a point, from every form', () => {
  for (const [rate, hours, number, duration] of [
    ['32,50', '1,5', 32.5, 1.5],
    ['1.232,5', '0,50', 1232.5, 0.5],
    ['1’232.50', '2,0', 1232.5, 2],
    ['٣٢٫٥٠', '١٫٥', 32.5, 1.5],
  ] as const) {
    for (const input of [
      toNewSession({ ...session, hourly_rate: rate, duration: hours }),
      toSessionChanges({ ...session, hourly_rate: rate, duration: hours }),
      toSchedule({ ...schedule, hourly_rate: rate, duration: hours }),
    ])
      assert.deepEqual([input.hourly_rate, input.duration], [number, duration])
    const prepaid = { ...emptyPayment('2026-11-02', ID), kind: 'hours' as const, amount: rate, hours }
    const payment = toInput(prepaid, 'tutor')
    assert.deepEqual([payment.amount, payment.hours], [number, duration])
    assert.equal(toOwnRate({ hourly_rate: rate }).hourly_rate, number)
    assert.equal(
      toStudent({ ...fieldsOfStudent(undefined, currencyOf('USD')), hourly_rate: rate }).hourly_rate,
      number,
    )
    assert.equal(
      toNewTutor({ ...fieldsOfTutor(undefined, currencyOf('USD')), name: 'Ingrid', hourly_rate: rate })
        .hourly_rate,
      number,
    )
  }
  assert.equal(toSchedule({ ...schedule, custom_interval_days: '١٠' }).custom_interval_days, 10)
})

test('hours with three decimals are clear, because a lesson never takes 1,250 hours', () => {
  const hours = (typed: string) => NewSession.safeParse(toNewSession({ ...session, duration: typed }))
  for (const typed of ['1,250', '1.250', '0,25', '24,000']) assert.ok(hours(typed).success, typed)
  assert.equal(hours('1,300').error?.issues[0]?.message, 'Use quarter hours, such as 0.75 or 1.5')
  const prepaid = { ...emptyPayment('2026-11-02', ID), kind: 'hours' as const, amount: '1', hours: '1,000' }
  assert.equal(
    NewPayment.safeParse(toInput(prepaid, 'tutor')).error?.issues[0]?.message,
    'Is that 1,000 or 1?',
  )
})

test('text that is not a number is refused with the message of its field', () => {
  const firstProblem = (result: { error?: { issues: { message: string }[] } }) =>
    result.error?.issues[0]?.message
  for (const [typed, words] of [
    ['4510 50', 'Enter an amount such as 45 or 45.50'],
    ['4,510', 'Is that 4,510.00 or 4.51?'],
    ['4.505', 'Is that 4,505.00 or 4.50?'],
    ['-4,5', "The rate can't be negative"],
    ['500.000,01', 'The rate can be at most 500,000 an hour'],
    ['45.105', 'Is that 45,105.00 or 45.10?'],
    ['500.105', 'Enter an amount such as 45 or 45.50'],
    ['-5', "The rate can't be negative"],
    ['1e3', 'Enter an amount such as 45 or 45.50'],
    ['500000.01', 'The rate can be at most 500,000 an hour'],
    ['100000000000000000000', 'The rate can be at most 500,000 an hour'],
  ] as const) {
    assert.equal(firstProblem(NewSession.safeParse(toNewSession({ ...session, hourly_rate: typed }))), words)
    assert.equal(
      firstProblem(SessionChanges.safeParse(toSessionChanges({ ...session, hourly_rate: typed }))),
      words,
    )
    assert.equal(firstProblem(NewSchedule.safeParse(toSchedule({ ...schedule, hourly_rate: typed }))), words)
  }
  assert.equal(
    firstProblem(NewSchedule.safeParse(toSchedule({ ...schedule, duration: '' }))),
    'Please enter duration',
  )
  for (const [amount, words] of [
    ['4x', 'Enter an amount such as 45 or 45.50'],
    ['99999999999', 'The amount can be at most 20,000,000'],
  ] as const) {
    const typed = toInput({ ...emptyPayment('2026-11-02', ID), amount }, 'tutor')
    assert.equal(firstProblem(NewPayment.safeParse(typed)), words)
  }
})
