// Routes for schedules, their classes and the calendar feed.
import type { FastifyInstance } from 'fastify'
import { declarationOf } from '#features/access/declaration.server.ts'
import type { ParsedInputOf } from '#kernel/endpoint.ts'
import { dayIn } from '#kernel/calendar-day.ts'
import { done, type Outcome, refused } from '#kernel/outcome.ts'
import type { Tx } from '#platform/db/db.server.ts'
import { listTutors } from '#features/tutors/queries.server.ts'
import { readTimeZone } from '#features/workspaces/queries.server.ts'
import { found, notFound } from '#platform/http/problem.server.ts'
import { serve, WITHIN } from '#features/access/operation.server.ts'
import type { Services } from '#features/access/admission.server.ts'
import { newToken, tokenHash } from '#platform/http/token.server.ts'
import { listMissed, listMovedClasses } from './change-queries.server.ts'
import { EndClasses } from './break.ts'
import { calendarText } from './calendar.server.ts'
import { answerOccurrence, changeOccurrence, endClasses, logOccurrence } from './class-commands.server.ts'
import {
  answerEnded,
  answerSchedule,
  changeSchedule,
  createSchedules,
  removeSchedule,
} from './commands.server.ts'
import { EndFeed, FEED_PATH, FetchCalendar, MakeFeed, ReadFeed } from './feed.ts'
import {
  AnswerOccurrence,
  ChangeOccurrence,
  ListMovedClasses,
  ListOccurrences,
  LogOccurrence,
} from './occurrence.ts'
import { ListMissed } from './outcome.ts'
import { AnswerScheduleOffer, KeepScheduleApart, ListScheduleOffers, OfferSchedule } from './offer.ts'
import {
  answerScheduleOffer,
  keepScheduleApart,
  listScheduleOffers,
  offerSchedule,
} from './offer-queries.server.ts'
import {
  deleteFeed,
  listNumberedChanges,
  listOccurrences,
  listSchedules,
  ownerOfFeed,
  readFeed,
  readSchedule,
  readScheduleHistory,
  saveFeed,
} from './queries.server.ts'
import { rulesFor, scheduleFor } from './zones.server.ts'
import {
  AnswerEnding,
  AnswerSchedule,
  CreateSchedule,
  CreateSchedules,
  DeleteSchedule,
  ListSchedules,
  ReadSchedule,
  ReadScheduleHistory,
  type Schedule,
  UpdateSchedule,
} from './schedule.ts'

export function addScheduleRoutes(app: FastifyInstance, services: Services): void {
  serve(app, services, ListSchedules, WITHIN, async ({ tx, user, workspace }) => {
    const [zone, schedules] = await Promise.all([readTimeZone(tx, user.id), listSchedules(tx, workspace)])
    return done(schedules.map(scheduleFor(zone, services.now())))
  })
  serve(app, services, ReadSchedule, WITHIN, async ({ tx, user, workspace, params }) => {
    const zone = await readTimeZone(tx, user.id)
    return done(scheduleFor(zone, services.now())(await found(readSchedule(tx, workspace, params.id))))
  })

  serve(app, services, CreateSchedule, WITHIN, async ({ tx, user, workspace, input }) => {
    const zone = await readTimeZone(tx, user.id)
    const created = await createSchedules(tx, workspace, zone, [columnsOf(input)])
    return created.ok ? done(created.value.map(scheduleFor(zone, services.now()))[0] as Schedule) : created
  })

  serve(app, services, CreateSchedules, WITHIN, async ({ tx, user, workspace, input }) => {
    const { times, ...others } = input
    const zone = await readTimeZone(tx, user.id)
    const created = await createSchedules(
      tx,
      workspace,
      zone,
      times.map((time) => columnsOf({ ...others, ...time })),
    )
    return created.ok ? done({ schedules: created.value.map(scheduleFor(zone, services.now())) }) : created
  })

  const forReader = async <Reason extends string>(
    tx: Tx,
    accountId: string,
    changed: Outcome<Schedule, Reason>,
  ) =>
    changed.ok ? done(scheduleFor(await readTimeZone(tx, accountId), services.now())(changed.value)) : changed

  serve(app, services, UpdateSchedule, WITHIN, async ({ tx, user, ...call }) => {
    const { member, params, input, expectedVersion: version } = call
    const changed = await found(changeSchedule(member, { ...params, version }, columnsOf(input)))
    return forReader(tx, user.id, changed)
  })
  serve(app, services, DeleteSchedule, WITHIN, ({ member, params, expectedVersion: version }) =>
    found(removeSchedule(member, { ...params, version })),
  )
  serve(app, services, AnswerSchedule, WITHIN, async ({ tx, user, ...call }) => {
    const { member, params, input, expectedVersion: version } = call
    return forReader(tx, user.id, await found(answerSchedule(member, { ...params, version }, input.answer)))
  })
  serve(app, services, AnswerEnding, WITHIN, async ({ tx, user, member, params, input }) =>
    forReader(tx, user.id, await found(answerEnded(member, params.id, input.answer))),
  )
  serve(app, services, ReadScheduleHistory, WITHIN, async ({ tx, user, workspace, params, caller }) => {
    const reader = { accountId: user.id, workspaceId: workspace, side: caller.side }
    const entries = await readScheduleHistory(tx, reader, params.id)
    if (entries.length === 0) throw notFound()
    return done({ entries })
  })

  addOfferRoutes(app, services)

  addOccurrenceRoutes(app, services)
  addFeedRoutes(app, services)
}

function addOfferRoutes(app: FastifyInstance, services: Services): void {
  serve(app, services, ListScheduleOffers, WITHIN, async ({ tx, user, workspace }) => {
    const now = services.now()
    const [zone, offers] = await Promise.all([
      readTimeZone(tx, user.id),
      listScheduleOffers(tx, workspace, dayIn(now, 'UTC')),
    ])
    const ruleFor = rulesFor(zone, now)
    return done({
      offers: offers.map((one) => ({
        ...one,
        other: one.other && { ...one.other, rule: ruleFor(one.other.rule) },
      })),
    })
  })
  serve(app, services, OfferSchedule, WITHIN, async ({ tx, params, expectedVersion: version }) => {
    const outcome = await offerSchedule(tx, params.id, version, dayIn(services.now(), 'UTC'))
    if (outcome === null) throw notFound()
    return outcome === 'asked' || outcome === 'joined' ? done({ outcome }) : refused(outcome)
  })
  serve(app, services, KeepScheduleApart, WITHIN, async ({ tx, params }) => {
    if (!(await keepScheduleApart(tx, params.id))) throw notFound()
    return done(undefined)
  })
  serve(app, services, AnswerScheduleOffer, WITHIN, async ({ tx, params, input: { answer, version } }) => {
    const said = { version, joins: answer === 'join' }
    const outcome = await answerScheduleOffer(tx, params.id, said, dayIn(services.now(), 'UTC'))
    if (outcome === null) throw notFound()
    return outcome === 'changed' ? refused(outcome) : done({ outcome })
  })
}

function addOccurrenceRoutes(app: FastifyInstance, services: Services): void {
  serve(app, services, ListOccurrences, WITHIN, async ({ tx, user, workspace, input }) =>
    done(await listOccurrences(tx, { workspaceId: workspace, accountId: user.id }, input.from, input.to)),
  )

  serve(app, services, LogOccurrence, WITHIN, async ({ member, params, input }) =>
    logOccurrence(member, params.id, input),
  )

  serve(app, services, ChangeOccurrence, WITHIN, async ({ member, user, params, input }) =>
    changeOccurrence(member, params.id, input, user.workspace?.role !== 'caregiver'),
  )

  serve(app, services, EndClasses, WITHIN, async ({ member, input }) => endClasses(member, input))

  serve(app, services, ListMissed, WITHIN, async ({ member, input }) =>
    done(await listMissed(member, input.from, input.to)),
  )

  serve(app, services, ListMovedClasses, WITHIN, async ({ tx, user, workspace }) =>
    done({ classes: await listMovedClasses(tx, { workspaceId: workspace, accountId: user.id }) }),
  )

  serve(app, services, AnswerOccurrence, WITHIN, async ({ member, params, input }) =>
    answerOccurrence(member, params.id, input),
  )
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
        await listNumberedChanges(tx, id),
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
