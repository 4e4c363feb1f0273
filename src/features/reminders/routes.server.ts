// Answering the question after a class with the link of an email.
import type { FastifyInstance } from 'fastify'
import { checkOpen, memberCaller, principalOf, type Services } from '#features/access/admission.server.ts'
import { declarationOf } from '#features/access/declaration.server.ts'
import { OUTSIDE, serve } from '#features/access/operation.server.ts'
import { changeOccurrence, logOccurrence } from '#features/schedules/class-commands.server.ts'
import { ChangeOccurrence, LogOccurrence } from '#features/schedules/occurrence.ts'
import type { ParsedInputOf, ReasonOf } from '#kernel/endpoint.ts'
import { done, type Outcome, refused } from '#kernel/outcome.ts'
import { tokenHash } from '#platform/http/token.server.ts'
import { AnswerClassQuestion, type AskedClass, OpenClassQuestions } from './class-question.ts'
import { classesNow, readClasses } from './commands.server.ts'
import {
  type Ask,
  asksOf,
  noteAnswered,
  readClassLink,
  takeAnswer,
  type TimedClass,
  userOf,
} from './queries.server.ts'

type Answer = ParsedInputOf<typeof AnswerClassQuestion>
type AnswerReason = ReasonOf<typeof AnswerClassQuestion>

export function addReminderRoutes(app: FastifyInstance, services: Services): void {
  const { db, now } = services

  serve(app, services, OpenClassQuestions, OUTSIDE, async ({ input }) => {
    const asks = await asksOfLink(services, input.token)
    const [first] = asks
    if (!first) return refused('link_gone')
    const classes: AskedClass[] = []
    for (const [, own] of Map.groupBy(asks, ({ reader }) => reader.workspace.id)) {
      const seen = own[0] ? await readClasses(db, own[0].reader, now()) : []
      classes.push(...own.flatMap((ask) => askedClass(ask, seen)))
    }
    const { kind } = first.reader.workspace
    return done({
      classes,
      reader: kind === 'family' ? ('parent' as const) : ('tutor' as const),
    })
  })

  serve(app, services, AnswerClassQuestion, OUTSIDE, async ({ input }) => {
    const ask = (await asksOfLink(services, input.token)).find(
      (one) => one.schedule_id === input.schedule_id && one.day === input.date,
    )
    const user = ask && (await db.readAsSystem((tx) => userOf(tx, ask.reader)))
    if (!ask || !user) return refused('link_gone')
    await checkOpen(services, declarationOf(input.outcome ? ChangeOccurrence : LogOccurrence), user)
    try {
      return await db.asMember(principalOf(user), async (tx) => {
        const given = await answer(memberCaller(tx, user.workspace, now()), ask, input)
        if (!given.ok) throw new Undone(given.reason)
        return given
      })
    } catch (error) {
      if (error instanceof Undone) return refused(error.reason)
      throw error
    }
  })
}

/** Rolls an answer back that the command refused. The link can then be used again. */
class Undone extends Error {
  readonly reason: AnswerReason
  constructor(reason: AnswerReason) {
    super(reason)
    this.reason = reason
  }
}

async function asksOfLink({ db, now }: Services, token: string): Promise<Ask[]> {
  return db.readAsSystem(async (tx) => {
    const link = await readClassLink(tx, tokenHash(token), now())
    return link ? asksOf(tx, link.accountId, link.mailId) : []
  })
}

/** A class that an account was asked about. Nothing if that's gone without anyone having said anything. */
function askedClass(ask: Ask, seen: readonly TimedClass[]): AskedClass[] {
  const one = classOf(ask, seen)
  if (!one) return []
  const { schedule_id, original_date, date, start_time, yours, duration, student_name, tutor_name } = one
  const { status, outcome } = one
  return [
    {
      schedule_id,
      original_date,
      date,
      start_time,
      yours,
      duration,
      student_name,
      tutor_name,
      status,
      outcome,
    },
  ]
}

function classOf(ask: Ask, seen: readonly TimedClass[]): TimedClass | undefined {
  return seen.find((one) => one.schedule_id === ask.schedule_id && one.original_date === ask.day)
}

/** Answers as the member who was asked, with the same commands as the app. */
async function answer(
  caller: ReturnType<typeof memberCaller>,
  ask: Ask,
  { schedule_id: id, date, outcome }: Answer,
): Promise<Outcome<{ status: 'logged' | 'canceled' }, AnswerReason>> {
  const { tx, now } = caller
  if (!(await takeAnswer(tx, ask, now))) return refused('already_answered')
  const one = classOf(ask, await classesNow(tx, ask.reader, now))
  if (!one) return refused('no_such_class')
  if (one.status !== 'planned') return refused('already_answered')
  if (outcome) {
    const ended = await changeOccurrence(caller, id, { date, status: 'canceled', outcome, was: null }, false)
    if (!ended.ok) return refused(ended.reason === 'no_such_class' ? ended.reason : 'already_answered')
  } else {
    const logged = await logOccurrence(caller, id, { date })
    if (!logged.ok) return logged
  }
  await noteAnswered(tx, [ask], now)
  return done({ status: outcome ? 'canceled' : 'logged' })
}
