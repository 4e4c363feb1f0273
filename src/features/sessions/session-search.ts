// Searching sessions by what's written about them, their people and their day. The server searches with SQL
// (hasAll in queries.server.ts), the demo with matchesWords; a test compares the two.
import { type CalendarDay, formatDay } from '#kernel/calendar-day.ts'
import { plainSpelling } from '#kernel/plain-spelling.ts'
import { WORDS_FIELDS } from './lesson-words.ts'
import type { Session } from './session.ts'

/** The typed words in their plain spelling, so that "jose" finds José. */
export function searchedWords(typed = ''): string[] {
  return [...new Set(plainSpelling(typed).split(/[\s,]+/))].filter(Boolean)
}

/**
 * Whether each word occurs in one of the session's texts, or starts a word of its day: "nov 3", "2026-11" and
 * "11/3" do. A number has to be a whole one, so that 3 isn't 30.
 */
export function matchesWords(session: Session, words: readonly string[]): boolean {
  const texts = [
    session.subject,
    ...WORDS_FIELDS.map((field) => session[field]),
    session.notes,
    session.student_name,
    session.tutor_name,
  ]
  const text = plainSpelling(texts.filter((one) => one !== null).join('\n'))
  const day = dayInWords(session.date as CalendarDay)
  return words.every((word) =>
    /^[0-9]+$/.test(word)
      ? new RegExp(`(^|[^0-9])${word}([^0-9]|$)`).test(text) || day.includes(` ${word} `)
      : text.includes(word) || day.includes(` ${word}`),
  )
}

/** A day in the ways people write it, such as " tuesday november 3 2026 2026-11-03 11/3/2026 3.11.2026 ". */
function dayInWords(day: CalendarDay): string {
  const [year, month, date] = day.split('-').map(Number)
  const names = [formatDay(day, { weekday: 'long' }), formatDay(day, { month: 'long' })]
  return ` ${names.join(' ')} ${date} ${year} ${day} ${month}/${date}/${year} ${date}.${month}.${year} `.toLowerCase()
}
