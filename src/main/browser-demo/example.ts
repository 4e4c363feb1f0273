// The demo's example data: three months up to today, created using the same operations that users perform.
import { addDays, type CalendarDay, daysOfMonth, monthOf } from '#kernel/calendar-day.ts'
import { priceOf, type Cents } from '#kernel/money.ts'
import { addMonths } from '#kernel/month.ts'
import type { Entry, Side } from '../money-model.ts'
import { CHILDREN, type ChildFacts, INGRID } from './cast.ts'
import { close } from './money-answers.ts'
import { DemoRecord } from './record.ts'

interface Lesson {
  day: CalendarDay
  of: ChildFacts
}

/** Each child has two lessons a week. This is how many days ago each child's two most recent lessons were. */
const DAYS_BEFORE = [
  [0, 3],
  [1, 5],
] as const

const SUMMARIES: Record<string, string[]> = {
  Math: ['Adding fractions with unlike denominators.', 'Word problems with percentages.', 'Solving for x.'],
  Reading: ['Read chapter 3 aloud together.', 'Main idea and details.', 'Talked about the ending.'],
}
const HOMEWORK = ['Page 84, 3 to 9.', 'The worksheet from today.', 'Read the next chapter.']

/**
 * The lessons from a given day through today, oldest first. Both children get a lesson on the first of each
 * month, so no month is empty.
 */
function lessons(from: CalendarDay, today: CalendarDay): Lesson[] {
  const isFirst = today.endsWith('-01')
  return CHILDREN.flatMap((of, child) =>
    (DAYS_BEFORE[child] ?? []).flatMap((before) => {
      const days: Lesson[] = []
      const start = isFirst && before === 1 ? 0 : before
      for (let day = addDays(today, -start); day >= from; day = addDays(day, -7)) days.push({ day, of })
      return days
    }),
  ).sort((a, b) => a.day.localeCompare(b.day))
}

/**
 * Creates the record that both sides share, with three months of lessons.
 * @param clock the visitor's clock
 */
export function exampleRecord(clock: () => Date): DemoRecord {
  const record = new DemoRecord(clock)
  const today = record.today()
  const months = [addMonths(monthOf(today), -2), addMonths(monthOf(today), -1), monthOf(today)] as const
  const all = lessons(daysOfMonth(months[0]).from, today)
  const ofMonth = (month: string) => all.filter(({ day }) => monthOf(day) === month)
  for (const lesson of ofMonth(months[0])) agree(record, log(record, lesson, all))
  pay(record, months[0], daysOfMonth(months[1]).from, true)
  at(record, addDays(daysOfMonth(months[1]).from, 1), () => {
    close(record, 'family', months[0])
    close(record, 'practice', months[0])
  })
  const before = ofMonth(months[1])
  // One of last month's lessons is still waiting for the parent. Once it's confirmed, the month can be
  // closed.
  for (const lesson of before)
    if (lesson === before.at(-2)) log(record, lesson, all, 'practice')
    else agree(record, log(record, lesson, all))
  const secondDay = addDays(daysOfMonth(months[2]).from, 1)
  pay(record, months[1], secondDay < today ? secondDay : today, false)
  logThisMonth(record, ofMonth(months[2]), all)
  record.clock = clock
  return record
}

/**
 * Among this month's most recent lessons, some are waiting for one side or the other, and one was sent back.
 * All earlier lessons are verified.
 */
function logThisMonth(record: DemoRecord, lessonsOfMonth: Lesson[], all: Lesson[]): void {
  const newest = [...lessonsOfMonth].reverse()
  for (const lesson of lessonsOfMonth) {
    const place = newest.indexOf(lesson)
    if (place === 0 || place === 2) log(record, lesson, all, 'practice')
    else if (place === 1) log(record, lesson, all, 'family')
    else if (place === 3) {
      const entry = log(record, lesson, all, 'practice')
      record.world.giveWord({ side: 'family' }, entry.id, 'disputed', 'We stopped 15 minutes early.')
      record.happened(entry, 'family', 'disputed')
    } else agree(record, log(record, lesson, all))
  }
}

function log(record: DemoRecord, lesson: Lesson, all: Lesson[], by?: Side): Entry {
  const { day, of } = lesson
  const place = all.indexOf(lesson)
  const side = by ?? (place % 3 === 0 ? 'practice' : 'family')
  const rate = place % 11 === 7 ? (INGRID.rate ?? 0) - 600 : null
  return at(record, day, () => {
    const { entry } = record.world.log(side, INGRID, of.child, { day, minutes: of.minutes, rate })
    if (!entry) throw new Error('a demo lesson could not be logged')
    return record.add(entry, side, {
      subject: of.subject,
      // Today's lesson has no start time, because a fixed one might be in the future.
      start_time: day === all.at(-1)?.day ? null : of.start,
      summary: place % 2 === 0 ? (SUMMARIES[of.subject]?.[place % 3] ?? null) : null,
      homework: place % 2 === 0 ? (HOMEWORK[place % 3] ?? null) : null,
    })
  })
}

/** Confirms an entry for the side that didn't log it. */
function agree(record: DemoRecord, entry: Entry): void {
  const side = entry.words.family === 'confirmed' ? 'practice' : 'family'
  at(record, entry.day as CalendarDay, () => {
    record.world.giveWord({ side }, entry.id, 'confirmed')
    record.happened(entry, side, 'confirmed')
  })
}

/** The family pays for a month. Until the tutor confirms it, the payment is on its way. */
function pay(record: DemoRecord, month: string, day: CalendarDay, isReceived: boolean): void {
  const owed = record.world
    .seenBy({ side: 'family' })
    .filter((entry) => entry.kind === 'session' && entry.day.startsWith(month))
    .reduce((sum, { rate, usual, minutes }) => sum + priceOf((rate ?? usual ?? 0) as Cents, minutes), 0)
  at(record, day, () => {
    const { entry } = record.world.record(
      { side: 'family' },
      { tutor: INGRID, child: null, day, kind: 'payment', cents: owed, minutes: null, isAnother: false },
    )
    if (!entry) throw new Error('a demo payment could not be recorded')
    record.add(entry, 'family', { method: 'transfer' })
    if (isReceived) agree(record, entry)
  })
}

/** Runs a function with the clock set to the evening of a given day. */
function at<Result>(record: DemoRecord, day: CalendarDay, act: () => Result): Result {
  const then = new Date(`${day}T19:00:00`)
  record.clock = () => then
  record.world.today = day
  return act()
}
