// The endpoint for both dashboards.
import type { FastifyInstance } from 'fastify'
import { declarationOf } from '#features/access/declaration.server.ts'
import { seesAmounts } from '#features/access/role.ts'
import { addDays, dayIn, daysOfMonth, monthOf, weekOf } from '#kernel/calendar-day.ts'
import { dollars } from '#kernel/money.ts'
import { done } from '#kernel/outcome.ts'
import { countWaiting, lessonsAround, listSessions } from '#features/sessions/queries.server.ts'
import {
  ASKED_DAYS,
  NEXT_WITHIN_DAYS,
  occurrencesBetween,
  remembering,
  upcoming,
  withLog,
  yourDay,
  ZONE_DAYS,
} from '#features/schedules/occurrence.ts'
import { listChanges, listSchedules, loggedClasses } from '#features/schedules/queries.server.ts'
import { onDaysOf, placedFor } from '#features/schedules/zones.server.ts'
import { CloseMonth } from '#features/months/closing.ts'
import { listAskedMonths } from '#features/months/queries.server.ts'
import { readTimeZone } from '#features/workspaces/queries.server.ts'
import { isClosedTo } from '#features/access/declaration.server.ts'
import { serve, WITHIN } from '#features/access/operation.server.ts'
import type { Services } from '#features/access/admission.server.ts'
import { RECENT_DAYS, RECENT_SESSIONS, ReadDashboard } from './dashboard.ts'
import { readAmountsOfDay, readCounts, readMonthAmounts, readScheduleRates } from './queries.server.ts'
import { withAmounts } from './today.ts'

export function addDashboardRoutes(app: FastifyInstance, services: Services): void {
  serve(app, services, ReadDashboard, WITHIN, async ({ tx, user, caller, workspace, input }) => {
    const zoneRead = readTimeZone(tx, user.id)
    const today = input.today ?? dayIn(services.now(), (await zoneRead) ?? 'UTC')
    const month = { workspaceId: workspace, ...daysOfMonth(monthOf(today)) }
    const hasAmounts = seesAmounts(user.workspace?.role)
    const teaches = caller.side === 'practice'
    // Where a class takes place it may be another day than for the reader.
    const [asked, until] = [addDays(today, -ASKED_DAYS - ZONE_DAYS), addDays(today, ZONE_DAYS)]
    const ahead = addDays(today, NEXT_WITHIN_DAYS)
    // Started together, so that the queries go out in one round trip.
    const [zone, counts, amounts, rates, ofDay, recent, words, schedules, changes, logged, lessons, months] =
      await Promise.all([
        zoneRead,
        readCounts(tx, { accountId: user.id, ...month }, hasAmounts),
        hasAmounts ? readMonthAmounts(tx, month) : null,
        hasAmounts && teaches ? readScheduleRates(tx, { workspaceId: workspace, day: today }) : [],
        hasAmounts && teaches ? readAmountsOfDay(tx, { workspaceId: workspace, day: today }) : [],
        listSessions(tx, workspace, { from: addDays(today, -RECENT_DAYS), to: today }, RECENT_SESSIONS),
        countWaiting(tx, workspace, weekOf(today)[0] ?? today, today),
        listSchedules(tx, workspace),
        listChanges(tx, workspace, asked, ahead),
        loggedClasses(tx, workspace, asked, until),
        lessonsAround(tx, workspace, asked, ahead),
        user.workspace && !isClosedTo(declarationOf(CloseMonth), user.workspace.role)
          ? listAskedMonths(tx, caller.side)
          : [],
      ])
    const around = remembering(withLog(occurrencesBetween(schedules, changes, asked, until), logged), lessons)
    const classes = onDaysOf(zone, around, addDays(today, -ASKED_DAYS), today)
    const next = upcoming(schedules, changes, {
      today,
      time: input.time,
      now: services.now(),
      place: placedFor(zone),
      logged: around.filter((one) => one.status === 'logged'),
    })
    return done({
      ...counts,
      month_amounts: amounts?.map((one) => ({ ...one, amount: dollars(one.amount) })) ?? null,
      sessions_to_confirm: words.ofDays,
      sessions_waiting: words.untilToday,
      sessions_sent_back: words.sentBack,
      months_asked: months.map((one) => ({
        ...one,
        asked_at: one.asked_at.toISOString(),
        reminded_at: one.reminded_at?.toISOString() ?? null,
      })),
      recent_sessions: recent,
      due: classes.filter((one) => one.status === 'planned'),
      today: teaches
        ? withAmounts(
            classes.filter((one) => yourDay(one) === today),
            rates,
            ofDay,
          )
        : [],
      upcoming: remembering(next, lessons),
    })
  })
}
