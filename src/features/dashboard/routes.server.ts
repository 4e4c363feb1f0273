// The route of both dashboards.
import type { FastifyInstance } from 'fastify'
import { addDays, dayIn, daysOfMonth, monthOf, weekOf } from '#kernel/calendar-day.ts'
import { dollars } from '#kernel/money.ts'
import { done } from '#kernel/outcome.ts'
import { countWords, listSessions } from '#features/sessions/queries.server.ts'
import { ASKED_DAYS, NEXT_WITHIN_DAYS, upcoming } from '#features/schedules/occurrence.ts'
import {
  listChanges,
  listOccurrences,
  listSchedules,
  remembering,
} from '#features/schedules/queries.server.ts'
import { serve, type Services } from '#platform/http/serve.server.ts'
import { RECENT_DAYS, RECENT_SESSIONS, ReadDashboard } from './dashboard.ts'
import { readCounts, readMonthAmounts } from './queries.server.ts'

/** Adds /api/v1/dashboard. */
export function addDashboardRoutes(app: FastifyInstance, services: Services): void {
  serve(app, services, ReadDashboard, async ({ tx, user, workspace, input }) => {
    const today = input.today ?? dayIn(services.now(), 'UTC')
    const month = daysOfMonth(monthOf(today))
    const reader = { accountId: user.id, workspaceId: workspace }
    const isCaregiver = user.workspace?.role === 'caregiver'
    const counts = await readCounts(tx, reader, month, !isCaregiver)
    const amounts = isCaregiver ? null : await readMonthAmounts(tx, workspace, month)
    const recent = await listSessions(
      tx,
      workspace,
      { from: addDays(today, -RECENT_DAYS), to: today },
      RECENT_SESSIONS,
    )
    const words = await countWords(tx, workspace, weekOf(today)[0] ?? today, today)
    const classes = await listOccurrences(tx, workspace, addDays(today, -ASKED_DAYS), today)
    const next = upcoming(
      await listSchedules(tx, workspace),
      await listChanges(tx, workspace, today, addDays(today, NEXT_WITHIN_DAYS)),
      { today, time: input.time, logged: classes.filter((one) => one.status === 'logged') },
    )
    return done({
      ...counts,
      month_amounts: amounts?.map((one) => ({ ...one, amount: dollars(one.amount) })) ?? null,
      sessions_to_confirm: words.ofDays,
      sessions_waiting: words.untilToday,
      sessions_sent_back: words.sentBack,
      recent_sessions: recent,
      due: classes.filter((one) => one.status === 'planned'),
      upcoming: await remembering(tx, workspace, next),
    })
  })
}
