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

/** Each student's last lesson with each tutor between two days. */
export const lastLessons: (
  tx: Tx,
  days: Days,
) => Promise<{ student_id: string; tutor_id: string; day: CalendarDay }[]> = fixed(
  (tx, { workspaceId, from, to }: Days) =>
    tx
      .selectFrom('sessions')
      .select(({ fn }) => ['student_id', 'tutor_id', fn.max('day').as('day')])
      .where('workspace_id', '=', workspaceId)
      .where('day', '>=', from)
      .where('day', '<=', to)
      .where('student_id', 'is not', null)
      .where('tutor_id', 'is not', null)
      .where('is_held', '=', false)
      .where('deletion_by', 'is', null)
      .groupBy(['student_id', 'tutor_id'])
      .$castTo<{ student_id: string; tutor_id: string; day: CalendarDay }>()
      .compile(),
)
