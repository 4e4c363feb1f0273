// Routes for the pages and cards of tutors, children and students.
import type { FastifyInstance } from 'fastify'
import type { Services } from '#features/access/admission.server.ts'
import { serve, WITHIN } from '#features/access/operation.server.ts'
import { seesAmounts } from '#features/access/role.ts'
import {
  NEXT_WITHIN_DAYS,
  nextOfEach,
  occurrencesBetween,
  withLog,
  ZONE_DAYS,
} from '#features/schedules/occurrence.ts'
import { listChanges, listSchedules, loggedClasses } from '#features/schedules/queries.server.ts'
import { placedFor } from '#features/schedules/zones.server.ts'
import { readStudent } from '#features/students/queries.server.ts'
import { monthPortions } from '#features/summary/queries.server.ts'
import { readTutor } from '#features/tutors/queries.server.ts'
import { readCurrency, readTimeZone } from '#features/workspaces/queries.server.ts'
import { addDays, dayIn, daysOfMonth } from '#kernel/calendar-day.ts'
import { done } from '#kernel/outcome.ts'
import { notFound } from '#platform/http/problem.server.ts'
import { joinedDays, LAST_WITHIN_DAYS, ListLessonDays } from './lesson-days.ts'
import { firstMonth, personMonths, ReadPersonMonths } from './person-months.ts'
import { lastLessons } from './queries.server.ts'

export function addPersonRoutes(app: FastifyInstance, services: Services): void {
  serve(app, services, ListLessonDays, WITHIN, async ({ tx, user, workspace, input }) => {
    const zoneRead = readTimeZone(tx, user.id)
    const today = input.today ?? dayIn(services.now(), (await zoneRead) ?? 'UTC')
    // Where a class takes place it may be another day than for the reader.
    const [from, to] = [addDays(today, -ZONE_DAYS), addDays(today, ZONE_DAYS)]
    // Started together, so that the queries go out in one round trip.
    const [zone, lasts, schedules, changes, logged] = await Promise.all([
      zoneRead,
      lastLessons(tx, { workspaceId: workspace, from: addDays(today, -LAST_WITHIN_DAYS), to: today }),
      listSchedules(tx, workspace),
      listChanges(tx, workspace, from, addDays(today, NEXT_WITHIN_DAYS)),
      loggedClasses(tx, workspace, from, to),
    ])
    const next = nextOfEach(schedules, changes, {
      today,
      time: input.time,
      now: services.now(),
      place: placedFor(zone),
      logged: withLog(occurrencesBetween(schedules, changes, from, to), logged).filter(
        ({ status }) => status === 'logged',
      ),
    })
    return done(joinedDays(lasts, next))
  })

  serve(app, services, ReadPersonMonths, WITHIN, async ({ tx, user, workspace, params, input }) => {
    const [student, tutor, currency] = await Promise.all([
      readStudent(tx, workspace, params.id),
      readTutor(tx, workspace, params.id),
      readCurrency(tx, workspace),
    ])
    if (!student && !tutor) throw notFound()
    const { from } = daysOfMonth(firstMonth(input.until))
    const { to } = daysOfMonth(input.until)
    const person = student ? { student_id: params.id } : { tutor_id: params.id }
    return done(
      personMonths(await monthPortions(tx, workspace, from, to, 'month', person), {
        until: input.until,
        kind: student ? 'student' : 'tutor',
        currency,
        seesAmounts: seesAmounts(user.workspace?.role),
      }),
    )
  })
}
