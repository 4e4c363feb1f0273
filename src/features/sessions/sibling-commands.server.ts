// Commands that log several sessions at once: those that were said together, and one lesson of several students.
import { compareNames } from '#kernel/names.ts'
import { cents, MAX_RATE } from '#kernel/money.ts'
import { done, type Outcome, refused } from '#kernel/outcome.ts'
import type { MemberCaller } from '#features/access/admission.server.ts'
import { amountAt, type Price, priceThatCounts, sharesOf } from '#features/prices/price.ts'
import { type Lesson, logSession, type LogRefusal, usualPrice } from './commands.server.ts'
import { currencyOfLesson, lessonContext } from './logging-queries.server.ts'
import { type Session, sessionDay } from './session.ts'

type SharingRefusal = 'not_one_lesson' | 'other_currency' | 'too_much' | 'rate_not_yours'

/** The most that one session can cost: a day at the highest rate. */
const MOST = cents(24 * MAX_RATE)

/**
 * Logs several lessons. If one is refused, the caller's transaction is aborted, which also undoes those before it.
 * @param sharesOnePrice whether they are one lesson of several students who share its price
 */
export async function logTogether(
  caller: MemberCaller,
  lessons: readonly Lesson[],
  sharesOnePrice: boolean,
): Promise<Outcome<Session[], LogRefusal | SharingRefusal>> {
  const shares = sharesOnePrice ? await sharesIn(caller, lessons) : done([])
  if (!shares.ok) return shares
  const sessions: Session[] = []
  for (const [at, lesson] of lessons.entries()) {
    const share = shares.value[at]
    const outcome = await logSession(caller, share ? { ...lesson, share } : lesson)
    if (!outcome.ok) return outcome
    sessions.push(outcome.value)
  }
  return done(sessions)
}

/**
 * What each student pays of the lesson, in the order of the lessons: a part of the price of the first by name. Empty if
 * there's no price. People who aren't on the lists are refused when their lesson is logged.
 */
async function sharesIn(
  { tx, workspace, seesAmounts, now }: MemberCaller,
  lessons: readonly Lesson[],
): Promise<Outcome<Price[], SharingRefusal>> {
  const [one] = lessons
  if (!seesAmounts) return refused('rate_not_yours')
  if (!one || !areOneLesson(lessons)) return refused('not_one_lesson')
  const day = sessionDay(one.day, now)
  const found = []
  for (const [at, lesson] of lessons.entries()) {
    const context = await lessonContext(tx, lesson)
    const currency = await currencyOfLesson(tx, workspace, context.shared)
    found.push({ at, lesson, currency, ...context })
  }
  const [first, ...others] = found.toSorted(
    (a, b) => compareNames(a.student?.name ?? '', b.student?.name ?? '') || a.at - b.at,
  )
  if (!day || !first?.student || !first.tutor) return done([])
  if (others.some(({ currency }) => currency !== first.currency)) return refused('other_currency')
  const { student, tutor, planned, currency } = first
  const price = priceThatCounts({ override: one.rate }, day) ?? usualPrice({ student, tutor, planned }, day)
  const amount = one.minutes === 0 ? null : amountAt(price, one.minutes, currency)
  if (amount === null) return done([])
  const parts = sharesOf(amount, lessons.length, currency)
  if (parts.some((part) => part > MOST)) return refused('too_much')
  const shares: Price[] = []
  for (const [place, { at }] of [first, ...others].entries())
    shares[at] = { cents: parts[place] ?? cents(0), lesson_minutes: one.minutes }
  return done(shares)
}

function areOneLesson(lessons: readonly Lesson[]): boolean {
  const facts = lessons.map(({ tutor_id, day, minutes, rate = null }) =>
    [tutor_id.toLowerCase(), day, minutes, rate].join(' '),
  )
  const students = new Set(lessons.map(({ student_id: id }) => id.toLowerCase()))
  return lessons.length > 1 && new Set(facts).size === 1 && students.size === lessons.length
}
