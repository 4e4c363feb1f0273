// JSON of a month's sessions from the lines of db/repeatable/reads.sql. A few strings per session take less time
// than an object for each.
import { hours, type Minutes } from '#kernel/duration.ts'
import { type Cents, dollars } from '#kernel/money.ts'
import { wallClock } from '#kernel/wall-clock.ts'

/** What a session says that nothing connects to another side. */
const OWN =
  '"status":"completed","verified_by_tutor":false,"connection_id":null,"is_shared":false,"other_confirmation":"none","dispute_note":null,"answer_note":null,"deletion_asked_by":null,"asked_at":null,"reminders":0,"reminded_at":null,"is_read_only":false'

/** The response for a month's list, as JSON. */
export function monthList(answer: string, limit: number): string {
  const [workspace = '', students = '', tutors = '', lines = ''] = answer.split('\x1d')
  const people = [namesIn(students), namesIn(tutors)] as const
  const sessions = lines === '' ? [] : lines.split('\x1e').map((line) => line.split('\x1f'))
  const shown = sessions.slice(0, limit)
  const [id, , , day] = (sessions.length > limit && shown.at(-1)) || []
  const list = shown.map((fields) => sessionJson(fields, workspace, people)).join()
  return `{"sessions":[${list}],"next_cursor":${id === undefined ? 'null' : `"${day}_${id}"`}}`
}

/** Names as JSON by id. Limited members don't get everyone's. */
function namesIn(lines: string): Map<string, string> {
  return new Map(lines.split('\x1e').map((line) => line.split('\x1f') as [string, string]))
}

type Names = ReadonlyMap<string, string>

// Fields are the same as toSession's (queries.server.ts); src/main/reads.test.ts compares them.
function sessionJson(
  fields: string[],
  workspace: string,
  [students, tutors]: readonly [Names, Names],
): string {
  const [id, student = '', tutor = '', day, minutes, own_rate = '', rate = '', total = ''] = fields
  const [currency, subject, start, summary, homework, notes, says, schedule, occurrence] = fields.slice(8)
  const [created = '', version, ...shared] = fields.slice(17)
  return [
    `{"id":"${id}","user_id":"${workspace}"`,
    `"student_id":${quoted(student)},"student_name":${students.get(student) ?? 'null'}`,
    `"tutor_id":${quoted(tutor)},"tutor_name":${tutors.get(tutor) ?? 'null'}`,
    `"date":"${day}","duration":${hours(Number(minutes) as Minutes)}`,
    `"hourly_rate":${amount(own_rate)},"default_rate":${amount(rate)}`,
    `"effective_rate":${amount(own_rate || rate)},"total_amount":${amount(total)}`,
    `"currency":"${currency}","subject":${subject || 'null'}`,
    `"start_time":${quoted(wallClock(start || null))}`,
    `"summary":${summary || 'null'},"homework":${homework || 'null'},"notes":${notes || 'null'}`,
    `"own_confirmation":"${says}",${shared.length > 0 ? sharedJson(shared) : OWN},"is_held":false`,
    `"schedule_id":${quoted(schedule)},"occurrence_date":${quoted(occurrence)}`,
    `"created_at":${instant(created)},"version":${version}}`,
  ].join()
}

function sharedJson(fields: string[]): string {
  const [status, verified, connection, says, dispute, answer, deletion] = fields
  const [asked = '', reminders, reminded = '', readOnly] = fields.slice(7)
  return [
    `"status":"${status}","verified_by_tutor":${verified === 't'}`,
    `"connection_id":${quoted(connection)},"is_shared":${connection !== ''}`,
    `"other_confirmation":"${says}","dispute_note":${dispute || 'null'},"answer_note":${answer || 'null'}`,
    `"deletion_asked_by":${quoted(deletion)},"asked_at":${instant(asked)}`,
    `"reminders":${reminders},"reminded_at":${instant(reminded)},"is_read_only":${readOnly === 't'}`,
  ].join()
}

const quoted = (text: string | null | undefined) => (text ? `"${text}"` : 'null')
const amount = (cents: string) => (cents === '' ? 'null' : dollars(Number(cents) as Cents))

/** An instant in UTC, which PostgreSQL writes without trailing zeros, as toISOString does. */
function instant(time: string): string {
  if (time === '') return 'null'
  return `"${time.slice(0, 10)}T${(time.length === 19 ? `${time.slice(11)}.` : time.slice(11)).padEnd(12, '0').slice(0, 12)}Z"`
}
