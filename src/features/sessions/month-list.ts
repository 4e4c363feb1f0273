// Builds the JSON for a month's sessions from the lines returned by db/repeatable/reads.sql. Handling a few
// strings per session is faster than creating an object for each one.
import { hours, type Minutes } from '#kernel/duration.ts'
import { type Cents, dollars } from '#kernel/money.ts'
import { wallClock } from '#kernel/wall-clock.ts'
import { WORDS_FIELDS } from './lesson-words.ts'

/** Fields whose values are the same in every unshared session. */
const OWN = [
  '"status":"completed","verified_by_tutor":false,"connection_id":null,"is_shared":false',
  '"other_confirmation":"none","other_took_part":false,"dispute_note":null,"answer_note":null,"deletion_asked_by":null',
  '"asked_at":null,"reminders":0,"reminded_at":null,"is_read_only":false',
].join()

/** The JSON response that lists a month's sessions. */
export function monthList(answer: string, limit: number): string {
  const [workspace = '', students = '', tutors = '', lines = ''] = answer.split('\x1d')
  const people = [namesIn(students), namesIn(tutors)] as const
  const sessions = lines === '' ? [] : lines.split('\x1e').map((line) => line.split('\x1f'))
  const shown = sessions.slice(0, limit)
  const [id, , , day] = (sessions.length > limit && shown.at(-1)) || []
  const list = shown.map((fields) => sessionJson(fields, workspace, people)).join()
  return `{"sessions":[${list}],"next_cursor":${id === undefined ? 'null' : `"${day}_${id}"`}}`
}

/** Names as JSON strings, by id. A limited member gets only some names. */
function namesIn(lines: string): Map<string, string> {
  return new Map(lines.split('\x1e').map((line) => line.split('\x1f') as [string, string]))
}

type Names = ReadonlyMap<string, string>

// Must return the same fields as toSession (queries.server.ts), which src/main/reads.test.ts checks.
// Accessing fields by index is faster than destructuring all of them.
function sessionJson(of: string[], workspace: string, [students, tutors]: readonly [Names, Names]): string {
  const [student = '', tutor = '', ownRate = '', rate = ''] = [of[1], of[2], of[5], of[6]]
  const names = [students.get(student) ?? 'null', tutors.get(tutor) ?? 'null']
  const child = `"student_id":${quoted(student)},"student_name":${names[0]}`
  const teacher = `"tutor_id":${quoted(tutor)},"tutor_name":${names[1]}`
  const due = `"effective_rate":${amount(ownRate || rate)},"total_amount":${amount(of[7])}`
  const price = `"lesson_price":${amount(of[18])},"lesson_minutes":${of[19] || 'null'},"price_source":${quoted(of[20])},"price_since":${quoted(of[21])}`
  const rates = `"hourly_rate":${amount(ownRate)},"default_rate":${amount(rate)},${price},${due}`
  const lesson = `"date":"${of[3]}","duration":${hours(Number(of[4]) as Minutes)},${rates},"currency":"${of[8]}"`
  const start = quoted(wallClock(of[10] || null))
  const texts = `"subject":${of[9] || 'null'},"start_time":${start},${wordsJson(of)}"notes":${of[11] || 'null'}`
  const both = of.length > SHARED_AT ? sharedJson(of.slice(SHARED_AT)) : OWN
  const said = `"own_confirmation":"${of[12]}",${both}`
  const taught = `"schedule_id":${quoted(of[13])},"occurrence_date":${quoted(of[14])},"makes_up":${quoted(of[15])}`
  const rest = `"is_held":false,${taught},"created_at":${instant(of[16])},"version":${of[17]}`
  return `{"id":"${of[0]}","user_id":"${workspace}",${child},${teacher},${lesson},${texts},${said},${rest}}`
}

/** Where a line has what's written about the lesson, and then what the other side says. */
const WORDS_AT = 22
const SHARED_AT = WORDS_AT + WORDS_FIELDS.length

// lesson_words() (db/repeatable/lesson-words.sql) has the same order.
const NAMED_WORDS = WORDS_FIELDS.map((field) => `"${field}":`)
function wordsJson(of: string[]): string {
  let json = ''
  let at = WORDS_AT
  for (const name of NAMED_WORDS) json += name + (of[at++] || 'null') + ','
  return json
}

function sharedJson(of: string[]): string {
  return [
    `"status":"${of[0]}","verified_by_tutor":${of[1] === 't'}`,
    `"connection_id":${quoted(of[2])},"is_shared":${of[2] !== ''}`,
    `"other_confirmation":"${of[3]}","dispute_note":${of[4] || 'null'},"answer_note":${of[5] || 'null'}`,
    `"deletion_asked_by":${quoted(of[6])},"asked_at":${instant(of[7])}`,
    `"reminders":${of[8]},"reminded_at":${instant(of[9])},"is_read_only":${of[10] === 't'}`,
    `"other_took_part":${of[11] === 't'}`,
  ].join()
}

const quoted = (text: string | null | undefined) => (text ? `"${text}"` : 'null')
const amount = (cents: string | undefined) => (cents ? dollars(Number(cents) as Cents) : 'null')

/** Formats a UTC time the way toISOString does. PostgreSQL omits trailing zeros. */
function instant(time: string | undefined): string {
  if (!time) return 'null'
  return `"${time.slice(0, 10)}T${(time.length === 19 ? `${time.slice(11)}.` : time.slice(11)).padEnd(12, '0').slice(0, 12)}Z"`
}
