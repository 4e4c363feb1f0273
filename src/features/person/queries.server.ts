// SQL for when people last had lessons.
import type { CalendarDay } from '#kernel/calendar-day.ts'
import type { WorkspaceId } from '#kernel/id.ts'
import type { Tx } from '#platform/db/db.server.ts'
import { fixed } from '#platform/db/fixed.server.ts'

interface Days {
  workspaceId: WorkspaceId
  from: CalendarDay
  to: CalendarDay
}

interface LastLesson {
  student_id: string
  tutor_id: string
  day: CalendarDay
}

/** Each student's last lesson with each tutor between two days. */
export async function lastLessons(tx: Tx, days: Days): Promise<LastLesson[]> {
  const rows = await lastDays(tx, days)
  return rows.filter((row): row is LastLesson => row.student_id !== null && row.tutor_id !== null)
}

// Deleted people are left out afterwards. Asking for rows with people would suggest an index of people instead
// of the one of days.
const lastDays = fixed((tx, { workspaceId, from, to }: Days) =>
  tx
    .selectFrom('sessions')
    .select(({ fn }) => ['student_id', 'tutor_id', fn.max('day').as('day')])
    .where('workspace_id', '=', workspaceId)
    .where('day', '>=', from)
    .where('day', '<=', to)
    .where('is_held', '=', false)
    .where('deletion_by', 'is', null)
    .groupBy(['student_id', 'tutor_id'])
    .compile(),
)
