// Routes for schedules, their classes and the calendar feed.
import type { FastifyInstance } from 'fastify'
import { declarationOf } from '#features/access/declaration.server.ts'
import type { CalendarDay } from '#kernel/calendar-day.ts'
import { given } from '#kernel/changes.ts'
import type { ParsedInputOf } from '#kernel/endpoint.ts'
import { centsOfDollars } from '#kernel/money.ts'
import { done, refused } from '#kernel/outcome.ts'
import { logSession } from '#features/sessions/commands.server.ts'
import { sessionOfClass } from '#features/sessions/queries.server.ts'
import { readStudent } from '#features/students/queries.server.ts'
import { listTutors, tutorRate } from '#features/tutors/queries.server.ts'
import { found, notFound } from '#platform/http/problem.server.ts'
import { serve, WITHIN } from '#features/access/operation.server.ts'
import type { Services } from '#features/access/admission.server.ts'
import { newToken, tokenHash } from '#platform/http/token.server.ts'
import { calendarText } from './calendar.ts'
import { createSchedules } from './commands.server.ts'
import { EndFeed, FEED_PATH, FetchCalendar, MakeFeed, ReadFeed } from './feed.ts'
import { ChangeOccurrence, ListOccurrences, LogOccurrence } from './occurrence.ts'
import {
  deleteFeed,
  deleteSchedule,
  forgetChange,
  listChanges,
  listOccurrences,
  listSchedules,
  lockSchedule,
  ownerOfFeed,
  readFeed,
  readSchedule,
  saveChange,
  saveFeed,
  type ScheduleRow,
  updateSchedule,
} from './queries.server.ts'
import { isDayOfSeries } from './recurrence.ts'
import {
  CreateSchedule,
  CreateSchedules,
  DeleteSchedule,
  ListSchedules,
  ReadSchedule,
  recurrenceOf,
  type Schedule,
  spanProblems,
  UpdateSchedule,
} from './schedule.ts'

export function addScheduleRoutes(app: FastifyInstance, services: Services): void {
  serve(app, services, ListSchedules, WITHIN, async ({ tx, workspace }) =>
    done(await listSchedules(tx, workspace)),
  )
  serve(app, services, ReadSchedule, WITHIN, async ({ tx, workspace, params }) =>
    done(await found(readSchedule(tx, workspace, params.id))),
  )

  serve(app, services, CreateSchedule, WITHIN, async ({ tx, workspace, input }) => {
    const created = await createSchedules(tx, workspace, [columnsOf(input)])
    return created.ok ? done(created.value[0] as Schedule) : created
  })

  serve(app, services, CreateSchedules, WITHIN, async ({ tx, workspace, input }) => {
    const { times, ...others } = input
    const created = await createSchedules(
      tx,
      workspace,
      times.map((time) => columnsOf({ ...others, ...time })),
    )
    return created.ok ? done({ schedules: created.value }) : created
  })

  serve(app, services, UpdateSchedule, WITHIN, async ({ tx, workspace, params, input, expectedVersion }) => {
    const stored = await found(lockSchedule(tx, workspace, params.id))
    if (expectedVersion !== undefined && expectedVersion !== stored.version) return refused('changed')
    const { version: _, ...values } = stored
    const row: ScheduleRow = { ...values, ...given(columnsOf(input)) }
    if (row.frequency !== 'custom') row.custom_interval_days = null
    const [problem] = spanProblems({
      start_date: row.start_day,
      end_date: row.end_day,
      frequency: row.frequency,
      custom_interval_days: row.custom_interval_days,
    })
    if (problem) return refused(problem)
    if (
      row.student_id &&
      row.student_id !== stored.student_id &&
      !(await readStudent(tx, workspace, row.student_id))
    )
      return refused('unknown_student')
    if (
      row.tutor_id &&
      row.tutor_id !== stored.tutor_id &&
      (await tutorRate(tx, workspace, row.tutor_id)) === undefined
    )
      return refused('unknown_tutor')
    if (row.is_active && (row.student_id === null || row.tutor_id === null)) return refused('nobody')
    await updateSchedule(tx, workspace, params.id, row)
    return done(await found(readSchedule(tx, workspace, params.id)))
  })

  serve(app, services, DeleteSchedule, WITHIN, async ({ tx, workspace, params, expectedVersion }) => {
    if (await deleteSchedule(tx, workspace, params.id, expectedVersion)) return done(undefined)
    await found(readSchedule(tx, workspace, params.id))
    return refused('changed')
  })

  addOccurrenceRoutes(app, services)
  addFeedRoutes(app, services)
}

function addOccurrenceRoutes(app: FastifyInstance, services: Services): void {
  serve(app, services, ListOccurrences, WITHIN, async ({ tx, workspace, input }) =>
    done(await listOccurrences(tx, workspace, input.from, input.to)),
  )

  serve(app, services, LogOccurrence, WITHIN, async ({ tx, workspace, member, params, input }) => {
    const schedule = await found(readSchedule(tx, workspace, params.id))
    const ref = { schedule_id: schedule.id, occurrence_day: input.date }
    const earlier = await sessionOfClass(tx, workspace, ref)
    if (earlier) return done(earlier)
    const changes = await listChanges(tx, workspace, input.date, input.date)
    const change = changes.find((one) => one.schedule_id === schedule.id && one.day === input.date)
    const { student_id, tutor_id } = schedule
    if (!student_id || !tutor_id || !isDayOfSeries(recurrenceOf(schedule), input.date))
      return refused('no_such_class')
    // Logging a skipped class undoes the skip, because the class took place after all.
    if (change?.moved_to === null) await forgetChange(tx, workspace, schedule.id, input.date)
    const logged = await logSession(member, {
      student_id,
      tutor_id,
      day: change?.moved_to ?? input.date,
      minutes: (schedule.duration * 60) as ScheduleRow['minutes'],
      rate: schedule.hourly_rate === null ? null : centsOfDollars(schedule.hourly_rate),
      subject: schedule.subject,
      connection_id: input.connection_id,
      ofClass: ref,
    })
    if (logged.ok) return logged
    if (
      logged.reason === 'too_far_ahead' ||
      logged.reason === 'same_lesson' ||
      logged.reason === 'unknown_connection'
    )
      return refused(logged.reason)
    if (logged.reason !== 'already_logged') return refused('no_such_class')
    // Either a second tap logged the class at the same time, or the session is for a child this member can't
    // see.
    const other = await sessionOfClass(tx, workspace, ref)
    return other ? done(other) : refused('already_logged')
  })

  serve(app, services, ChangeOccurrence, WITHIN, async ({ tx, workspace, params, input }) => {
    const schedule = await found(readSchedule(tx, workspace, params.id))
    if (!isDayOfSeries(recurrenceOf(schedule), input.date)) return refused('no_such_class')
    if (await sessionOfClass(tx, workspace, { schedule_id: schedule.id, occurrence_day: input.date }))
      return refused('already_logged')
    if (input.status === 'planned') await forgetChange(tx, workspace, schedule.id, input.date)
    else
      await saveChange(tx, workspace, {
        schedule_id: schedule.id,
        day: input.date,
        moved_to: input.moved_to ?? null,
        start_time: input.start_time ?? null,
      })
    return done({ schedule_id: schedule.id, date: input.date })
  })
}

function addFeedRoutes(app: FastifyInstance, services: Services): void {
  serve(app, services, ReadFeed, WITHIN, async ({ tx, user, workspace }) =>
    done({
      created_at: (await readFeed(tx, { accountId: user.id, workspaceId: workspace }))?.toISOString() ?? null,
    }),
  )

  serve(app, services, MakeFeed, WITHIN, async ({ tx, user, workspace }) => {
    const token = newToken()
    await saveFeed(tx, { accountId: user.id, workspaceId: workspace }, tokenHash(token))
    return done({ url: `${services.baseUrl}${FEED_PATH}${token}.ics` })
  })

  serve(app, services, EndFeed, WITHIN, async ({ tx, user, workspace }) => {
    await deleteFeed(tx, { accountId: user.id, workspaceId: workspace })
    return done(undefined)
  })

  services.served.push(declarationOf(FetchCalendar))
  app.get(FetchCalendar.path, async (request, reply) => {
    // If someone pastes the URL into a public page, the feed must not show up in search engines.
    reply.header('x-robots-tag', 'noindex, nofollow')
    const [, token] = /^([\w-]{20,100})\.ics$/.exec((request.params as { file: string }).file) ?? []
    const owner = token ? await services.db.asSystem((tx) => ownerOfFeed(tx, tokenHash(token))) : undefined
    if (!owner) throw notFound()
    const { id } = owner.workspace
    const text = await services.db.asMember(owner, async (tx) => {
      const selfId = (await listTutors(tx, id)).find((tutor) => tutor.is_self)?.id
      return calendarText(
        await listSchedules(tx, id),
        await listChanges(tx, id, '1900-01-01' as CalendarDay, '2200-12-31' as CalendarDay),
        selfId,
        services.now(),
      )
    })
    return reply
      .header('content-type', 'text/calendar; charset=utf-8')
      .header('cache-control', 'private, max-age=300')
      .send(text)
  })
}

/** Renames a request's fields to the columns they're stored in. */
function columnsOf<Input extends ParsedInputOf<typeof UpdateSchedule>>(input: Input) {
  const {
    duration: minutes,
    hourly_rate: rate,
    start_date: start,
    end_date: end,
    timezone: _,
    ...rest
  } = input
  return {
    ...rest,
    minutes: minutes as Input['duration'],
    hourly_rate_cents: rate,
    start_day: start as Input['start_date'],
    end_day: end,
  }
}
