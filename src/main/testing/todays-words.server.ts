// What earlier versions showed, as today's shows the same.

/** What somebody saw, in today's words. */
export function inTodaysWords(answer: unknown): unknown {
  if (typeof answer !== 'string')
    return JSON.parse(JSON.stringify(answer), (field, value: unknown) =>
      field === 'status' && value === 'skipped' ? 'canceled' : value,
    ) as unknown
  return answer.replace('"Verified"', '"Agreed"').replaceAll('"Sent back"', '"Not right"')
}

/** A calendar's events, and the days of its series without a class: those were left out, and canceled ones still are named. */
export function inCalendar(text: string) {
  const lines = (name: string, of = text) => of.split('\r\n').filter((line) => line.startsWith(name))
  const events = text.split('BEGIN:VEVENT').filter((event) => !event.includes('STATUS:CANCELLED'))
  const days = [...lines('EXDATE'), ...lines('RECURRENCE-ID')].flatMap((line) =>
    (line.split(':')[1] ?? '').split(','),
  )
  return {
    events: events.map((event) =>
      ['UID', 'DTSTART', 'RRULE', 'SUMMARY', 'DESCRIPTION'].flatMap((name) => lines(name, event)),
    ),
    days: days.sort(),
  }
}
