// What the people of the simulated year do. They act only on a message, when they open the app anyway, or on their own child's illness.
import type { FastifyInstance } from 'fastify'
import { addDays, type CalendarDay, daysOfMonth } from '#kernel/calendar-day.ts'
import { addMonths } from '#kernel/month.ts'
import { clockOf } from '#platform/zoned-time.server.ts'
import { type Answer, type Visitor, visitorOf } from '#main/visitor.server.ts'
import type { Message, MonthSeen } from './year-measures.ts'
import type { Family, Person } from './year-people.ts'

const ORIGIN = 'http://localhost:3000'
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** How often a message is forgotten: nothing is done about it. */
const FORGETS = 0.3
const PAYS_LATE = 0.1
/** How many accounts look into the app once a week by themselves. */
const LOOKS_WEEKLY = 0.4
/** How often a class doesn't take place. */
const MISSED = { canceled_in_time: 0.03, canceled_late: 0.03, no_show: 0.02, canceled_by_tutor: 0.02 }
type Fate = keyof typeof MISSED | 'happened'

interface World {
  families: readonly Family[]
  people: readonly Person[]
  random: () => number
  now: () => Date
  note: (what: string) => void
}

interface Actor extends Person {
  visitor: Visitor
  family: Family | undefined
}

interface Planned {
  at: number
  act: () => Promise<void>
}

interface ClassRow {
  schedule_id: string
  original_date: string
  status: string
  ends_at: string
}

interface Versioned {
  id: string
  version: number
}

interface MonthRow extends Record<string, unknown> {
  connection_id: string
  state: string
  can_close: boolean
  version: number
  sessions: number
  payments: number
  charges: number
  in_the_way: { what: string; why: string }[]
}

export class Behavior {
  readonly #world: World
  readonly #actors: Map<string, Actor>
  /** What people are going to do, soonest first. */
  #plans: Planned[] = []

  constructor(app: FastifyInstance, world: World) {
    this.#world = world
    this.#actors = new Map(
      world.people.map((person) => {
        const visitor = visitorOf(app, ORIGIN)
        for (const [name, value] of person.cookies) visitor.cookies.set(name, value)
        const family = world.families.find(({ parent }) => parent.id === person.id)
        return [person.email, { ...person, visitor, family }]
      }),
    )
    for (const actor of this.#actors.values()) {
      if (!actor.mayAnswer) continue
      if (world.random() < LOOKS_WEEKLY)
        this.#plan((Math.floor(world.random() * 7) * 24 + 14) * HOUR_MS, () => this.#lookWeekly(actor))
      if (actor.side === 'family') this.#plan(HOUR_MS, () => this.#foreseeIllness(actor))
    }
    for (const family of world.families) this.#planPayment(family)
  }

  /** What if nobody got the daily email and its reminders? */
  async turnOffDailyEmail(): Promise<void> {
    for (const actor of this.#actors.values())
      await this.#call(actor, 'PATCH', '/api/v1/notices', { daily_digest: false })
  }

  async actUntil(moment: Date): Promise<void> {
    for (;;) {
      const next = this.#plans[0]
      if (!next || next.at > moment.getTime()) return
      this.#plans.shift()
      await next.act()
    }
  }

  /** Someone sees a message, and does what it asks after a while, or forgets it. */
  receive({ to, kind, text }: Message): void {
    const actor = this.#actors.get(to)
    if (!actor?.mayAnswer) return
    if (this.#world.random() < FORGETS) return
    if (kind === 'class_questions') {
      const token = /#(\S+)/.exec(text)?.[1]
      const hasNews = text.includes('Also new:')
      this.#plan(this.#aWhile(actor), async () => {
        await this.#answerQuestions(actor, token)
        if (hasNews) await this.#open(actor)
      })
    } else if (kind === 'money_due') this.#plan(this.#aWhile(actor), () => this.#pay(actor))
    else this.#plan(this.#aWhile(actor), () => this.#open(actor))
  }

  async monthOf({ parent, connection }: Family, month: string): Promise<MonthSeen> {
    const actor = this.#actors.get(parent.email)
    const found = actor && (await this.#months(actor, month)).find((one) => one.connection_id === connection)
    if (actor && found?.state === 'closed') {
      const { from, to } = daysOfMonth(month)
      for (const { status } of await this.#classes(actor, from, to))
        if (status === 'planned') this.#world.note('a class nobody answered for in a month that was closed')
    }
    return {
      state: found?.state ?? 'unknown',
      entries: found ? found.sessions + found.payments + found.charges : 0,
      why: found?.in_the_way.map(({ what, why }) => `${what} ${why}`) ?? [],
    }
  }

  /** Between a few minutes and a day, half within four hours; nobody does anything between 10 PM and 7 AM. */
  #aWhile({ zone }: Person): number {
    const now = this.#world.now()
    const at = new Date(now.getTime() + HOUR_MS * (0.1 + 24 * this.#world.random() ** 2.6))
    const { day, time } = clockOf(zone).local(at)
    if (time >= '07:00' && time < '22:00') return at.getTime() - now.getTime()
    const morning = clockOf(zone).instantOf(time < '07:00' ? day : addDays(day, 1), '07:00')
    return morning.getTime() + HOUR_MS * 3 * this.#world.random() - now.getTime()
  }

  #plan(inMs: number, act: () => Promise<void>): void {
    const at = this.#world.now().getTime() + inMs
    const before = this.#plans.findIndex((one) => one.at > at)
    this.#plans.splice(before < 0 ? this.#plans.length : before, 0, { at, act })
  }

  async #call(actor: Actor, method: string, path: string, body?: object, headers = {}): Promise<Answer> {
    const ask = () => actor.visitor.call(method, path, body, headers)
    const answer = await ask()
    if (answer.status !== 401) return this.#checked(answer, `${method} ${path}`)
    await actor.visitor.call('POST', '/api/auth/refresh', {})
    return this.#checked(await ask(), `${method} ${path}`)
  }

  /** Notes each refusal. Anything else that goes wrong ends the run. */
  #checked(answer: Answer, what: string): Answer {
    const { status, body } = answer
    if (status >= 400)
      this.#world.note(`refused: ${what.replace(/[\da-f-]{36}.*/, '…')} ${status} ${String(body.code)}`)
    if (status === 401 || status >= 500) throw new Error(`${what}: ${status} ${JSON.stringify(body)}`)
    return answer
  }

  async #lookWeekly(actor: Actor): Promise<void> {
    this.#plan(7 * DAY_MS, () => this.#lookWeekly(actor))
    await this.#open(actor)
  }

  /** A family whose child is going to be ill says so in the app, in time or on the day. */
  async #foreseeIllness(actor: Actor): Promise<void> {
    this.#plan(7 * DAY_MS, () => this.#foreseeIllness(actor))
    const today = this.#today(actor)
    for (const one of await this.#classes(actor, addDays(today, 2), addDays(today, 8))) {
      const fate = this.#fateOf(one)
      const hoursBefore = { canceled_in_time: 40, canceled_late: 8 }[fate as string]
      if (one.status === 'planned' && hoursBefore)
        this.#plan(
          Date.parse(one.ends_at) - hoursBefore * HOUR_MS - this.#world.now().getTime(),
          async () => {
            this.#world.note(`said in the app before the class: ${fate}`)
            await this.#say(actor, one, fate)
          },
        )
    }
  }

  async #answerQuestions(actor: Actor, token: string | undefined): Promise<void> {
    const opened = this.#checked(
      await actor.visitor.call('POST', '/api/questions/open', { token }),
      'POST /api/questions/open',
    )
    for (const one of (opened.body.classes ?? []) as ClassRow[]) {
      if (one.status !== 'planned') continue
      const fate = this.#fateOf(one)
      this.#world.note(`answered from the message: ${fate}`)
      this.#checked(
        await actor.visitor.call('POST', '/api/questions/answer', {
          token,
          schedule_id: one.schedule_id,
          date: one.original_date,
          outcome: fate === 'happened' ? null : fate,
        }),
        'POST /api/questions/answer',
      )
    }
  }

  /** Opens the app, and does all that it asks for. */
  async #open(actor: Actor): Promise<void> {
    const today = this.#today(actor)
    for (const one of await this.#classes(actor, addDays(today, -14), today))
      if (one.status === 'planned' && Date.parse(one.ends_at) <= this.#world.now().getTime()) {
        this.#world.note(`answered in the app: ${this.#fateOf(one)}`)
        await this.#say(actor, one, this.#fateOf(one))
      }
    const waiting = (await this.#call(actor, 'GET', '/api/v1/confirmations?waiting=true')).body
      .sessions as Versioned[]
    if (waiting.length > 0)
      await this.#call(actor, 'POST', '/api/v1/confirmations', {
        sessions: waiting.map(({ id, version }) => ({ id, version })),
      })
    for (const kind of ['payments', 'charges'])
      for (const { id } of (await this.#call(actor, 'GET', `/api/v1/${kind}/waiting`)).body[
        kind
      ] as Versioned[])
        await this.#call(actor, 'POST', `/api/v1/${kind}/${id}/confirm`, {})
    const last = addMonths(today.slice(0, 7), -1)
    for (const month of await this.#months(actor, last))
      if (month.can_close && month.state !== 'asked_by_you')
        await this.#call(actor, 'POST', '/api/v1/months/close', {
          connection_id: month.connection_id,
          month: last,
          version: month.version,
        })
  }

  async #months(actor: Actor, month: string): Promise<MonthRow[]> {
    return (await this.#call(actor, 'GET', `/api/v1/months?month=${month}`)).body.months as MonthRow[]
  }

  async #classes(actor: Actor, from: CalendarDay, to: CalendarDay): Promise<ClassRow[]> {
    const { body } = await this.#call(actor, 'GET', `/api/v1/occurrences?from=${from}&to=${to}`)
    return body as unknown as ClassRow[]
  }

  /** Says in the app that a class took place, or how else it ended. */
  async #say(actor: Actor, { schedule_id: id, original_date: date }: ClassRow, fate: Fate): Promise<void> {
    if (fate === 'happened') await this.#call(actor, 'POST', `/api/v1/schedules/${id}/log`, { date })
    else
      await this.#call(actor, 'PUT', `/api/v1/schedules/${id}/occurrence`, {
        date,
        status: 'canceled',
        outcome: fate,
      })
  }

  /** Families pay a few days before the due day, or wait for the reminder. */
  #planPayment(family: Family): void {
    const actor = this.#actors.get(family.parent.email)
    if (!actor) return
    const { day } = clockOf(actor.zone).local(this.#world.now())
    const next = `${addMonths(day.slice(0, 7), 1)}-${String(family.dueDay).padStart(2, '0')}` as CalendarDay
    const at = clockOf(actor.zone).instantOf(addDays(next, -Math.floor(this.#world.random() * 4)), '18:00')
    this.#plan(at.getTime() - this.#world.now().getTime(), async () => {
      this.#planPayment(family)
      if (this.#world.random() >= PAYS_LATE) await this.#pay(actor)
    })
  }

  /** Pays what the app says is due, and says so. */
  async #pay(actor: Actor): Promise<void> {
    const { family } = actor
    const today = this.#today(actor)
    if (!family) return
    const { body } = await this.#call(
      actor,
      'GET',
      `/api/v1/balances?month=${today.slice(0, 7)}&today=${today}`,
    )
    const owed = body.owed as { accounts: { due: { date: string; amount: number }[] }[] }[]
    const amount = owed
      .flatMap(({ accounts }) => accounts)
      .flatMap(({ due }) => due)
      .filter(({ date }) => date <= addDays(today, 4))
      .reduce((sum, one) => sum + one.amount, 0)
    if (amount <= 0) return
    this.#world.note('paid')
    await this.#call(actor, 'POST', '/api/v1/payments', {
      tutor_id: family.tutor,
      date: today,
      amount: Math.round(amount * 100) / 100,
      method: 'transfer',
    })
  }

  #today({ zone }: Person): CalendarDay {
    return clockOf(zone).local(this.#world.now()).day
  }

  /** How a class really ends. It's decided by its name, so everyone knows the same. */
  #fateOf({ schedule_id: id, original_date: date }: ClassRow): Fate {
    const random = seeded(
      [...`${id}${date}`].reduce((sum, one) => (sum * 31 + one.charCodeAt(0)) % 2_147_483_647, 7),
    )
    random()
    let left = random()
    for (const [fate, share] of Object.entries(MISSED)) {
      left -= share
      if (left < 0) return fate as Fate
    }
    return 'happened'
  }
}

/** Numbers from 0 to 1, the same in each run. */
export function seeded(state: number): () => number {
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}
