import { priceThatCounts } from '#features/prices/price.ts'
import type { CalendarDay } from '#kernel/calendar-day.ts'
import { centsOfDollars, currencyOf } from '#kernel/money.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { NewPayment } from '#features/payments/payment.ts'
import { emptyPayment, toInput } from '#features/payments/payment-form.ts'
import { NewSchedule } from '#features/schedules/schedule.ts'
import { earliestDay, emptySchedule, toSchedule } from '#features/schedules/schedule-form.ts'
import { NewSession, SessionChanges } from '#features/sessions/session.ts'
import {
  emptySession,
  runningTotal,
  toNewSession,
  toSessionChanges,
  toWaiting,
} from '#features/sessions/session-form.ts'
import { NewStudent } from '#features/students/student.ts'
import { NewTutor, subjectsOf } from '#features/tutors/tutor.ts'
import { whoIsMeant } from '#features/voice/voice-form.ts'
import { calendarDay } from '#kernel/calendar-day.ts'
import { durationInHours } from '#kernel/duration.ts'
import { centsOfText } from '#kernel/money.ts'

/**
 * What people might leave in a number field: nothing, part of a number, or something that isn't a number at
 * all.
 */
const typed = fc.oneof(
  fc.constantFrom('', ' ', '-', '.', '1.', '.5', '1e9', '1e400', 'NaN', '-0', '0x1', '١', '1,5', '0', '1'),
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.double().map(String),
)

/** The form's fields, any of which may contain random text. */
function typedOver<Fields extends object>(empty: Fields): fc.Arbitrary<Fields> {
  return fc.record(
    Object.fromEntries(
      Object.entries(empty).map(([name, value]) => [
        name,
        typeof value === 'string' ? fc.oneof(typed, fc.constant(value)) : fc.constant(value),
      ]),
    ),
  ) as fc.Arbitrary<Fields>
}

const priceAt = (rate: number | null) =>
  priceThatCounts({ tutor: rate === null ? null : centsOfDollars(rate) }, '2026-11-17' as CalendarDay)
const rate = fc.option(fc.integer({ min: 0, max: 1_000_000 }).map((amount) => amount / 100))

test('nothing typed into the session form throws while the form is shown, kept or sent', () => {
  fc.assert(
    fc.property(typedOver(emptySession('2026-11-17')), rate, (fields, tutorRate) => {
      const total = runningTotal(fields, priceAt(tutorRate), currencyOf('USD'))
      if (total) assert.ok(Number.isSafeInteger(total.amount) && Number.isSafeInteger(total.minutes))
      NewSession.safeParse(toNewSession(fields))
      SessionChanges.safeParse(toSessionChanges(fields))
      toWaiting(
        'id',
        fields,
        { student: 'Maya', tutor: 'Ingrid' },
        { price: priceAt(tutorRate), currency: currencyOf('USD') },
        0,
      )
    }),
    { numRuns: 2000 },
  )
})

test('nothing typed into any other form throws while it is shown or checked', () => {
  const shown: Record<string, (text: string) => unknown> = {
    durations: (text) => durationInHours(0.5, 0.5, '').safeParse(text),
    amounts: (text) => centsOfText(text, currencyOf('USD')),
    days: (text) => calendarDay(text),
    students: (text) => NewStudent.safeParse({ name: text, grade: text, notes: text }),
    tutors: (text) =>
      NewTutor.safeParse({ name: text, email: text, hourly_rate: text, subjects: subjectsOf(text) }),
    people: (text) => whoIsMeant([{ name: 'Maya' }, { name: text }], text),
  }
  fc.assert(
    fc.property(typed, (text) => {
      for (const show of Object.values(shown)) show(text)
    }),
    { numRuns: 2000 },
  )
  fc.assert(
    fc.property(typedOver(emptyPayment('2026-11-17')), (fields) => {
      NewPayment.safeParse(toInput(fields, 'tutor'))
    }),
  )
  fc.assert(
    fc.property(typedOver(emptySchedule('2026-11-17')), (fields) => {
      NewSchedule.safeParse(toSchedule(fields))
      earliestDay(fields.start_date, undefined)
    }),
  )
})

test('an empty duration is refused, whatever the message', () => {
  assert.equal(durationInHours(0.25, 0, '').safeParse('').success, false)
})
