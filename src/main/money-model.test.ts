// Takes random steps with sessions, payments and months on the real server and database, as a family, a tutor
// with an account, and a tutor who answers by email. After each step, every balance on every side must match
// a simple model (money-model.ts), line by line and to the cent.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import pg from 'pg'
import type { CalendarDay } from '#kernel/calendar-day.ts'
import type { Minutes } from '#kernel/duration.ts'
import type { Cents } from '#kernel/money.ts'
import { answerByMail } from '#features/connections/queries.server.ts'
import { type ClosedMonth, standingOfMonth } from '#features/months/closing.ts'
import { closeMonth, reopenMonth, withdrawMonth } from '#features/months/commands.server.ts'
import { readMonth } from '#features/months/queries.server.ts'
import {
  changePayment,
  confirmPayment,
  disputePayment,
  keepPayment,
  recordPayment,
  removePayment,
  withdrawPayment,
} from '#features/payments/commands.server.ts'
import type { PaymentKind } from '#features/payments/payment.ts'
import { listShared, readLedgers } from '#features/payments/queries.server.ts'
import { purgeAccounts } from '#features/privacy/jobs.server.ts'
import { type Caller as CommandCaller, linkCaller } from '#features/access/admission.server.ts'
import { tokenHash } from '#platform/http/token.server.ts'
import {
  accountOf,
  type Actor,
  type Child,
  type Closing,
  type Entry,
  type Figures,
  figuresOf,
  type Line,
  type Link,
  MoneyWorld,
  otherSide,
  type Outcome,
  type Says,
  type Side,
  standingOf,
  type Told,
  type Tutor,
} from './money-model.ts'
import { type Answer, type Caller, PASSWORD, startTestServer, type TestServer } from './testing.server.ts'
import { RandomSteps, type Step } from './testing/random-steps.ts'
import { type Snapshot, takeSnapshot } from './testing/snapshot.server.ts'
import { aPair, connectionsOf, idOf, type Row, rowsOf } from './testing/two-sides.server.ts'

const steps = new RandomSteps(1000)
const { random, chance, below, oneOf: pick, tally } = steps
/** The number of steps in a sequence. Each sequence starts over, which keeps the logs short. */
const SEQUENCE = Number(process.env.MODEL_SEQUENCE ?? 400)
const TODAY = '2026-11-15'
const MONTHS = ['2026-08', '2026-09', '2026-10', '2026-11'] as const

let server: TestServer
let superuser: pg.Client
before(async () => {
  server = await startTestServer({ LOG_LEVEL: process.env.MODEL_REPORT ? 'error' : 'silent' })
  server.clock.now = new Date(`${TODAY}T12:00:00Z`)
  superuser = new pg.Client({ connectionString: server.superuserUrl })
  await superuser.connect()
})
after(async () => {
  await superuser.end()
  await server.stop()
})

// The people in the test.

let world = new MoneyWorld()
let callers: Record<Side, Caller>
/**
 * The practice's own tutor entry, the emailed tutor's address, and the token from the newest email to that
 * address.
 */
let self = ''
let address = ''
let token = ''
/** The side that was erased for good, and how many steps are left before starting over with new people. */
let erased: { side: Side; steps: number } | undefined
/** True after one of these people deleted their account, whether or not they came back. */
let hasLeft = false
/** The pages of closed months that each side has received. */
let kept: { link: Link; closing: Closing; code: string; body: object; pdf: Buffer }[] = []

/** Resets the model and the people above to the point where the family and its tutors had just started. */
let startAgain: () => void
/** The database at that point. Restoring it is faster than signing up, so short sequences share people. */
let begun: Snapshot
/** How many sequences have started with these people. */
let starts = 0

async function beginSequence(): Promise<void> {
  kept = []
  erased = undefined
  // Deleting an account signs its devices out, and restoring the database doesn't sign them in again.
  if (starts++ % 20 === 0 || hasLeft) await newPeople()
  else await begun.restore()
  startAgain()
}

async function newPeople(): Promise<void> {
  starts = 1
  hasLeft = false
  await superuser.query('delete from rate_limits')
  // Half of the families use euros. The tutor with an account doesn't.
  const currency = chance(0.5) ? 'EUR' : 'USD'
  const pair = await aPair(server, undefined, 'Maya Whitfield', currency)
  callers = { family: pair.family, practice: pair.practice }
  self = pair.self
  const leo = idOf(await pair.family.call('POST', '/api/v1/students', { name: 'Leo Whitfield' }))
  // The first lesson creates a student with the child's name in the practice.
  const first = await pair.log({ student_id: leo, date: '2026-08-01', duration: 1, notes: null })
  const student = rowsOf(await pair.practice.call('GET', '/api/v1/students')).find(
    ({ name }) => name === 'Leo',
  )
  const studentLeo = student?.id ?? assert.fail('no student')
  address = `edgar-${Math.floor(random() * 1e9)}@example.com`
  const edgar = idOf(await pair.family.call('POST', '/api/v1/tutors', { name: 'Edgar', email: address }))
  const asked = await askEdgar(edgar)
  const edgarsToken = token
  startAgain = () => {
    world = new MoneyWorld()
    world.today = TODAY
    world.currencies.family = currency
    const child = { firstName: 'Leo', id: leo, student: studentLeo }
    world.children = [{ firstName: 'Maya', id: pair.child, student: pair.student }, child]
    world.tutors = [
      { id: pair.tutor, hasAccount: true, rate: 4500 },
      { id: edgar, hasAccount: false, rate: null },
    ]
    world.ask(pair.connection, tutorA()).state = 'active'
    put(world.log('family', tutorA(), child, { day: '2026-08-01', minutes: 60, rate: null }), first)
    world.ask(asked, tutorB())
    token = edgarsToken
  }
  begun = await takeSnapshot(superuser)
}
const tutorA = () => world.tutors[0] ?? assert.fail()
const tutorB = () => world.tutors[1] ?? assert.fail()
const linkTo = (tutor: Tutor) => world.openLink(tutor)
function put(outcome: Outcome, id: string): void {
  if (outcome.entry) outcome.entry.id = id
}

async function askByEmail(): Promise<void> {
  world.ask(await askEdgar(tutorB().id), tutorB())
}
/** Asks the tutor without an account to connect, and returns the connection's id. */
async function askEdgar(tutorId: string): Promise<string> {
  await superuser.query('delete from rate_limits')
  const id = idOf(await callers.family.call('POST', '/api/v1/connections', { tutor_id: tutorId }))
  // The real token is only in the email, so the test stores one that it made up.
  token = `${id} ${address}`
  await superuser.query(
    "insert into link_tokens (link_id, token_hash, expires_at) values ($1, $2, now() + interval '9 years')",
    [id, tokenHash(token)],
  )
  return id
}

// The actors, and how each one makes changes.

/** Picks who acts: the family, the practice, or the emailed page if there is one. */
function anActor(): Actor {
  const link = linkTo(tutorB())
  const at = random()
  if (link && at < 0.2 && isHere('family')) return { side: 'practice', link }
  return { side: aSide() }
}
/**
 * True if a side's account is open. A closed account has been deleted but can still be restored for a while,
 * or has been erased.
 */
const isHere = (side: Side) => !world.closed.has(side) && erased?.side !== side
const aSide = (): Side => pick((['family', 'practice'] as const).filter(isHere))
const caller = ({ side }: Actor) => callers[side]
const anEntry = (actor: Actor, isOf: (entry: Entry) => boolean): Entry | undefined => {
  const found = world.seenBy(actor).filter(isOf)
  return found.length > 0 ? pick(found) : undefined
}
const isSession = ({ kind }: Entry) => kind === 'session'
const isPayment = (entry: Entry) => !isSession(entry)
const aDay = () => {
  const month = pick(MONTHS)
  return `${month}-${String(1 + below(month === '2026-11' ? 15 : 28)).padStart(2, '0')}`
}
const money = (amount: number) => amount / 100

/** A route's response, or a command's result. */
interface Said {
  status: number
  code?: string
  body?: Record<string, unknown>
}
function expect(expected: Outcome, said: Said | Answer, what: string): void {
  const code = 'code' in said ? said.code : said.body?.code
  const got = { status: said.status, code: said.status < 400 || said.status === 404 ? undefined : code }
  tally(got.code ? String(got.code) : String(got.status))
  assert.deepEqual(
    got,
    { status: expected.status, code: expected.code },
    `${what} ${JSON.stringify(said.body)}`,
  )
}
const emailed = ({ id }: Link) => ({ id, side: 'practice' as const })

/**
 * Runs a command as the emailed page, and maps its result to a status the way the page's routes do. The first
 * answer also accepts the request.
 */
async function byMail<Value>(
  link: Link,
  command: (
    caller: CommandCaller,
  ) => Promise<{ ok: true; value: Value } | { ok: false; reason: string } | undefined>,
  statusOf: (value: Value) => number = () => 200,
): Promise<Said & { value?: Value }> {
  try {
    const outcome = await server.db.asLink(emailed(link), async (tx) => {
      const found = await command(linkCaller(tx, emailed(link), server.clock.now))
      if (found) await answerByMail(tx, emailed(link), 'active')
      return found
    })
    if (!outcome) return { status: 404 }
    link.state = 'active'
    if (outcome.ok) return { status: statusOf(outcome.value), value: outcome.value }
    const unprocessable = ['too_far_ahead', 'no_hours', 'no_amount']
    return { status: unprocessable.includes(outcome.reason) ? 422 : 409, code: outcome.reason }
  } catch (error) {
    if ((error as { constraint?: string }).constraint !== 'month_closed') throw error
    return { status: 409, code: 'month_closed' }
  }
}
/** Calls the emailed page's routes. */
async function page(link: Link, what: string, body: object): Promise<Answer> {
  const answer = await server.aStranger().call('POST', `/api/confirm/${what}`, { token, ...body })
  if (answer.status !== 404 && answer.body.code !== 'month_closed') link.state = 'active'
  return answer
}
const versionOf = async (id: string): Promise<number> =>
  (
    await superuser.query<{ version: number }>(
      'select version from sessions where id = $1 and connection_id is not null',
      [id],
    )
  ).rows[0]?.version ?? 1

// The steps. Each one runs on both the server and the model, and compares the results.

async function log(): Promise<void> {
  const side = aSide()
  const tutor = side === 'family' && chance(0.35) ? tutorB() : tutorA()
  const child = pick(world.children)
  const facts = { day: aDay(), minutes: 15 * (1 + below(12)), rate: aRate() }
  const people =
    side === 'family'
      ? { student_id: child.id, tutor_id: tutor.id }
      : { student_id: child.student, tutor_id: self }
  const answer = await callers[side].call('POST', '/api/v1/sessions', {
    ...people,
    date: facts.day,
    duration: facts.minutes / 60,
    hourly_rate: facts.rate === null ? null : money(facts.rate),
    is_another: true,
  })
  const outcome = world.log(side, tutor, child, facts)
  expect(outcome, answer, 'log')
  if (outcome.entry) put(outcome, idOf(answer))
}
const aRate = () => (chance(0.4) ? null : below(9000))

async function change(): Promise<void> {
  const side = aSide()
  const entry = anEntry({ side }, isSession)
  if (!entry) return
  const child = chance(entry.link ? 0.15 : 0.4) ? pick(world.children) : undefined
  const day = chance(0.3) ? aDay() : undefined
  const minutes = chance(0.4) ? 15 * (1 + below(12)) : undefined
  const rate = chance(0.3) ? aRate() : undefined
  const facts = { ...(day && { day }), ...(minutes && { minutes }), ...(rate !== undefined && { rate }) }
  const answer = await callers[side].call('PATCH', `/api/v1/sessions/${entry.id}`, {
    ...(day && { date: day }),
    ...(minutes && { duration: minutes / 60 }),
    ...(rate !== undefined && { hourly_rate: rate === null ? null : money(rate) }),
    ...(child && { student_id: side === 'family' ? child.id : child.student }),
    notes: `seen ${below(9)} times`,
  })
  expect(world.change(side, entry.id, { ...facts, ...(child && { child }) }), answer, 'change')
}

async function giveWord(): Promise<void> {
  const actor = anActor()
  const entry = anEntry(actor, (one) => one.words[actor.side] !== 'confirmed' || chance(0.25))
  if (!entry) return
  const says = pick<Says>(['confirmed', 'confirmed', 'confirmed', 'confirmed', 'disputed', 'none'])
  const note = says === 'disputed' ? pick(['Not this', 'Not so']) : null
  const said = await (isSession(entry) ? sayOfSession : sayOfPayment)(actor, entry, says, note)
  expect(world.giveWord(actor, entry.id, says, note), said, `${says} ${entry.kind}`)
}
const VERBS = { confirmed: 'confirm', disputed: 'dispute', none: 'withdraw' } as const
async function sayOfSession(actor: Actor, { id }: Entry, says: Says, note: string | null): Promise<Answer> {
  if (!actor.link) return sayHere('sessions', actor, id, says, note)
  const seen = { id, version: await versionOf(id) }
  return page(
    actor.link,
    VERBS[says],
    says === 'confirmed' ? { sessions: [seen] } : { ...seen, ...(note && { note }) },
  )
}
function sayHere(what: string, actor: Actor, id: string, says: Says, note: string | null): Promise<Answer> {
  const path = `/api/v1/${what}/${id}/${says === 'disputed' ? 'dispute' : 'confirm'}`
  return caller(actor).call(says === 'none' ? 'DELETE' : 'POST', path, note ? { note } : {})
}
async function sayOfPayment(
  actor: Actor,
  { id }: Entry,
  says: Says,
  note: string | null,
): Promise<Said | Answer> {
  if (!actor.link) return sayHere('payments', actor, id, says, note)
  const command = {
    confirmed: confirmPayment,
    none: withdrawPayment,
    disputed: (caller: CommandCaller, seen: { id: string }) => disputePayment(caller, seen, note ?? ''),
  }[says]
  return byMail(actor.link, (caller) => command(caller, { id }))
}

async function remove(): Promise<void> {
  const actor = anActor()
  // The emailed page can delete a session only if the family has requested the deletion.
  const entry = anEntry(
    actor,
    (one) => chance(one.leaving ? 1 : 0.3) && (!actor.link || isPayment(one) || one.leaving === 'family'),
  )
  if (!entry) return
  const { id } = entry
  const isLate = isPayment(entry) && entry.leaving === actor.side && chance(0.5)
  if (isLate)
    await superuser.query(
      "update payments set deletion_asked_at = now() - interval '40 days' where id = $1 and deletion_asked_at is not null",
      [id],
    )
  const said = actor.link
    ? isPayment(entry)
      ? await byMail(
          actor.link,
          (caller) => removePayment(caller, { id }),
          (value) => (value ? 202 : 204),
        )
      : await page(actor.link, 'delete', { id, version: await versionOf(id) })
    : await caller(actor).call('DELETE', `/api/v1/${isPayment(entry) ? 'payments' : 'sessions'}/${id}`, {})
  expect(world.remove(actor, id, isLate), said, `delete ${entry.kind}`)
}

async function keep(): Promise<void> {
  const actor = anActor()
  const entry = anEntry(actor, (one) => one.leaving !== null || chance(0.05))
  if (!entry) return
  const { id } = entry
  const said = actor.link
    ? isPayment(entry)
      ? await byMail(actor.link, (caller) => keepPayment(caller, { id }))
      : await page(actor.link, 'keep', { id, version: await versionOf(id) })
    : await caller(actor).call('POST', `/api/v1/${isPayment(entry) ? 'payments' : 'sessions'}/${id}/keep`, {})
  expect(world.keep(actor, id), said, `keep ${entry.kind}`)
}

/** Money, prepaid hours or a debt. Sometimes the input is invalid. */
function anAmount(): Pick<Told, 'kind' | 'cents' | 'minutes'> {
  const kind = pick<PaymentKind>(['payment', 'payment', 'payment', 'hours', 'opening'])
  // Use only a few different amounts, so that two payments on the same day are sometimes equal.
  const cents = chance(0.4) ? pick([4500, 9000, 13_333]) : below(20_000)
  return {
    kind,
    cents: chance(0.03) ? 0 : cents,
    minutes: kind === 'hours' && chance(0.97) ? 15 * (1 + below(24)) : null,
  }
}

async function record(): Promise<void> {
  const actor = anActor()
  const { side, link } = actor
  const open = linkTo(tutorA())
  // Sometimes record the same payment twice, in the same connection or in another one.
  const again = chance(0.15) ? anEntry(actor, isPayment) : undefined
  const child = again ? (again[side]?.child ?? null) : chance(0.5) ? pick(world.children) : null
  const told: Told = {
    ...(side === 'family' && { tutor: chance(0.35) ? tutorB() : tutorA() }),
    child: link ? null : child,
    ...(side === 'practice' && !link && open && chance(0.4) && { named: open }),
    day: chance(0.02) ? '2026-11-17' : aDay(),
    ...anAmount(),
    ...(again && {
      day: again.day,
      kind: again.kind,
      cents: again.cents,
      minutes: again.kind === 'hours' ? again.minutes : null,
    }),
    isAnother: chance(0.6),
  }
  const said = link
    ? await byMail(
        link,
        (caller) =>
          recordPayment(caller, {
            day: told.day as CalendarDay,
            kind: told.kind as PaymentKind,
            amount: told.cents as Cents,
            minutes: told.minutes as Minutes | null,
            isAnother: told.isAnother,
          }),
        () => 201,
      )
    : await caller(actor).call('POST', '/api/v1/payments', {
        ...onTheWire(side, told),
        ...(told.named && { connection_id: told.named.id }),
        is_another: told.isAnother,
        note: 'from savings',
      })
  const outcome = world.record(actor, told)
  expect(outcome, said, `record ${JSON.stringify(told.kind)}`)
  if (outcome.entry) put(outcome, 'value' in said ? (said.value?.id ?? '') : String(said.body?.id))
}
function onTheWire(side: Side, told: Partial<Told>): object {
  return {
    ...(told.tutor && { tutor_id: told.tutor.id }),
    ...(told.child !== undefined && {
      student_id: (side === 'family' ? told.child?.id : told.child?.student) ?? null,
    }),
    ...(told.day && { date: told.day }),
    ...(told.kind && { kind: told.kind }),
    ...(told.cents !== undefined && { amount: money(told.cents) }),
    ...(told.minutes && { hours: told.minutes / 60 }),
  }
}

async function correct(): Promise<void> {
  const actor = anActor()
  const entry = anEntry(actor, isPayment)
  if (!entry) return
  const { side, link } = actor
  const { kind, cents, minutes } = anAmount()
  const changes: Partial<Told> = {
    ...(chance(0.4) && { day: aDay() }),
    ...(chance(0.5) && { cents }),
    ...(chance(0.25) && { kind, ...(minutes && { minutes }) }),
    ...(!link && chance(0.2) && { child: chance(0.7) ? pick(world.children) : null }),
    ...(side === 'family' && chance(0.1) && { tutor: pick(world.tutors) }),
  }
  const said = link
    ? await byMail(link, (caller) =>
        changePayment(
          caller,
          { id: entry.id },
          {
            ...(changes.day && { day: changes.day as CalendarDay }),
            ...(changes.kind && { kind: changes.kind as PaymentKind }),
            ...(changes.cents !== undefined && { amount: changes.cents as Cents }),
            ...(changes.minutes && { minutes: changes.minutes as Minutes }),
          },
        ),
      )
    : await caller(actor).call('PATCH', `/api/v1/payments/${entry.id}`, {
        ...onTheWire(side, changes),
        note: 'as agreed',
      })
  expect(world.changePayment(actor, entry.id, changes), said, `correct ${entry.kind}`)
}

async function share(): Promise<void> {
  const side = aSide()
  const entry = anEntry({ side }, (one) => isPayment(one) && (!one.link || chance(0.02)))
  if (!entry) return
  const answer = await callers[side].call('POST', '/api/v1/payments/share', { payments: [entry.id] })
  const outcome = world.share(side, entry.id)
  expect(outcome, answer, 'share')
  const [shared] = answer.status === 200 ? rowsOf(answer) : []
  if (outcome.entry && shared) put(outcome, shared.id)
}

/** Confirms everything in a month for both sides, and usually closes the month. */
async function settle(): Promise<void> {
  const link = aLink()
  if (!link || !isHere('family') || !isHere('practice')) return
  const month = pick(MONTHS)
  for (const entry of world.entries.filter((one) => one.link === link && one.day.startsWith(month)))
    for (const side of ['family', 'practice'] as const) {
      const actor = side === 'practice' && !link.tutor.hasAccount ? { side, link } : { side }
      if (entry.leaving) {
        const path = `/api/v1/${isPayment(entry) ? 'payments' : 'sessions'}/${entry.id}/keep`
        expect(
          world.keep({ side: 'family' }, entry.id),
          await callers.family.call('POST', path, {}),
          'settle',
        )
      }
      if (entry.words[side] === 'confirmed') continue
      const said = await (isSession(entry) ? sayOfSession : sayOfPayment)(actor, entry, 'confirmed', null)
      expect(world.giveWord(actor, entry.id, 'confirmed'), said, 'settle')
    }
  const sides = chance(0.5) ? (['family', 'practice'] as const) : (['practice', 'family'] as const)
  for (const side of sides) if (chance(0.85)) await closeFor(link, side, month)
}
function aLink(): Link | undefined {
  const open = world.links.filter(({ state }) => state !== 'over')
  return open.length > 0 ? pick(open) : undefined
}

/**
 * True if someone can act for a side of a connection: the side's account or, as long as the family's account
 * is open, the emailed page.
 */
const mayAct = (link: Link, side: Side) =>
  isHere(side === 'practice' && !link.tutor.hasAccount ? 'family' : side)

async function close(): Promise<void> {
  const link = chance(0.95) ? aLink() : pick(world.links)
  if (!link) return
  const asked = link.closings.filter((one) => one.state === 'asked')
  const closing = asked.length > 0 && chance(0.7) ? pick(asked) : undefined
  const side = closing ? otherSide(closing.by) : pick<Side>(['family', 'practice'])
  if (!mayAct(link, side)) return
  await closeFor(link, side, closing?.month ?? pick(MONTHS))
}
async function closeFor(link: Link, side: Side, month: string): Promise<void> {
  const said = await onMonth(link, side, 'close', month)
  const outcome = world.close(side, link, month)
  expect(outcome, said, 'close')
  if (outcome.open && 'headers' in said) {
    const fields = said.body.errors?.map(({ field }) => field) ?? []
    const { sessions, payments } = outcome.open
    assert.deepEqual(
      [...new Set(fields)],
      [...(sessions ? ['sessions'] : []), ...(payments ? ['payments'] : [])],
    )
  }
  const latest = world.latest(link, month)
  if (latest?.state === 'closed' && !kept.some((one) => one.closing === latest)) await keepPage(link, latest)
}
async function reopen(): Promise<void> {
  const closed = world.links.flatMap((link) =>
    link.closings.filter((one) => one.state === 'closed').map((one) => ({ link, month: one.month })),
  )
  const link = aLink()
  const { month, link: about } =
    closed.length > 0 && chance(0.9) ? pick(closed) : { link, month: pick(MONTHS) }
  if (!about) return
  const side = pick<Side>(['family', 'practice'])
  if (!mayAct(about, side)) return
  expect(world.reopen(side, about, month), await onMonth(about, side, 'reopen', month), 'reopen')
}
async function withdraw(): Promise<void> {
  const asked = world.links.flatMap((link) =>
    link.closings.filter((one) => one.state === 'asked').map((one) => ({ link, month: one.month })),
  )
  const link = aLink()
  const { month, link: about } = asked.length > 0 && chance(0.9) ? pick(asked) : { link, month: pick(MONTHS) }
  if (!about) return
  const side = pick<Side>(['family', 'practice'])
  if (!mayAct(about, side)) return
  expect(world.withdraw(side, about, month), await onMonth(about, side, 'withdraw', month), 'withdraw')
}
/**
 * Asks to close a month, withdraws the request, or reopens a closed month, with an account or on the emailed
 * page.
 */
async function onMonth(
  link: Link,
  side: Side,
  what: 'close' | 'reopen' | 'withdraw',
  month: string,
): Promise<Said | Answer> {
  const wanted = {
    connection_id: link.id,
    month,
    ...(what === 'reopen' && { reason: 'A lesson was missing' }),
  }
  if (side === 'family' || link.tutor.hasAccount)
    return what === 'withdraw'
      ? callers[side].call('DELETE', '/api/v1/months/close', wanted)
      : callers[side].call('POST', `/api/v1/months/${what}`, wanted)
  if (link.state === 'over') return { status: 404 }
  const about = { connectionId: link.id, month, otherName: null }
  return byMail<ClosedMonth>(link, (caller) =>
    what === 'close'
      ? closeMonth(caller, about, 'http://localhost:3000')
      : what === 'withdraw'
        ? withdrawMonth(caller, about)
        : reopenMonth(caller, about, 'A lesson was missing'),
  )
}

/** Ends a connection, or reconnects one that has ended. */
async function endOrRenew(): Promise<void> {
  const tutor = pick(world.tutors)
  const link = linkTo(tutor)
  if (!isHere('family') || (tutor.hasAccount && !isHere('practice'))) return
  if (!link) {
    await (tutor.hasAccount ? renew() : askByEmail())
    return
  }
  if (chance(0.7)) return
  const side = pick<Side>(['family', 'practice'])
  const said =
    side === 'practice' && !tutor.hasAccount
      ? await page(link, 'end', { forget: false })
      : await callers[side].call('DELETE', `/api/v1/connections/${link.id}`, {})
  expect({ status: 204 }, said, 'end')
  world.end(link)
}
async function renew(): Promise<void> {
  const tutor = tutorA()
  // A child is added to a connection with their first lesson.
  for (const child of world.children) await aLessonOf(child, tutor)
  await superuser.query('delete from rate_limits')
  const id = idOf(await callers.family.call('POST', '/api/v1/connections', { tutor_id: tutor.id }))
  const link = world.ask(id, tutor)
  const asked = (await connectionsOf(callers.practice)).find((one) => one.id === id)
  const people = ((asked?.people ?? []) as Row[]).map((person) => ({
    id: person.id,
    student_id: world.children.find(({ firstName }) => firstName === person.first_name)?.student ?? null,
  }))
  assert.equal(people.length, 2, JSON.stringify(asked))
  const accepted = await callers.practice.call('PATCH', `/api/v1/connections/${id}`, {
    state: 'active',
    people,
  })
  assert.equal(accepted.status, 200, JSON.stringify(accepted.body))
  const { rows } = await superuser.query<{ id: string; family: string; practice: string }>(
    `select x.id, f.id as family, p.id as practice from session_pairs x join sessions f on f.key = x.family_key
      join sessions p on p.key = x.practice_key where x.connection_id = $1 order by x.family_key`,
    [id],
  )
  const pairs = rows.map((row) => ({
    id: row.id,
    family: world.find({ side: 'family' }, row.family) ?? assert.fail('a pair of nobody'),
    practice: world.find({ side: 'practice' }, row.practice) ?? assert.fail('a pair of nobody'),
  }))
  world.accept(link, pairs)
  for (const pair of pairs) {
    const isSame = pair.family.id === pair.practice.id || chance(0.6)
    const who = callers[pick<Side>(['family', 'practice'])]
    const answer = await who.call('POST', `/api/v1/connections/${id}/pairs`, {
      [isSame ? 'same' : 'different']: [pair.id],
    })
    assert.equal(answer.body.answered, 1, JSON.stringify(answer.body))
    world.answerPair(link, pair, isSame)
  }
}
async function aLessonOf(child: Child, tutor: Tutor): Promise<void> {
  const has = world.entries.some(
    (one) => isSession(one) && one.family?.tutor === tutor && one.family.child === child,
  )
  if (has) return
  const facts = { day: '2026-08-01', minutes: 60, rate: null }
  const answer = await callers.family.call('POST', '/api/v1/sessions', {
    student_id: child.id,
    tutor_id: tutor.id,
    date: facts.day,
    duration: 1,
    is_another: true,
  })
  put(world.log('family', tutor, child, facts), idOf(answer))
}

// Comparisons.

/** Compares every line in a side's accounts with the model. Loads them the way the side's screens do. */
async function compareSide(side: Side): Promise<void> {
  if (!isHere(side)) return
  const { member } = callers[side]
  const ledgers = await server.db.readAsMember(member, (tx) =>
    readLedgers(tx, member.workspaceId, side === 'family' ? 'tutor' : 'student', '2027-01-01' as CalendarDay),
  )
  const found = ledgers.map(({ lines, connection_id: link, id }) => [
    link ?? id ?? 'unknown',
    lines.map(({ entry, charged, paid, covered, coveredAmount, balance, left }) =>
      [entry.id, entry.standing, charged, paid, covered, coveredAmount, balance, left].join(' '),
    ),
  ])
  const expected = [...world.accounts(side)].map(([key, entries]) => [
    key,
    accountOf(entries, side).map(({ entry, charged, paid, covered, coveredCents, balance, left }) =>
      [entry.id, standingOf(entry), charged, paid, covered, coveredCents, balance, left].join(' '),
    ),
  ])
  const filled = (accounts: typeof found) =>
    Object.fromEntries(accounts.filter(([, lines]) => lines && lines.length > 0))
  assert.deepEqual(filled(found), filled(expected), `the accounts of the ${side}`)
}

const inDollars = (figures: Figures) => ({
  carried_over: money(figures.carriedOver),
  sessions_amount: money(figures.sessions),
  covered_amount: money(figures.covered),
  other_amount: money(figures.other),
  paid_amount: money(figures.paid),
  balance: money(figures.balance),
  on_its_way_amount: money(figures.onItsWay),
  hours_left: figures.left / 60,
})
const lineInDollars = ({ entry, charged, paid, covered, balance, left }: Line) => ({
  id: entry.id,
  kind: entry.kind,
  covered_hours: covered / 60,
  charged: money(charged),
  paid: money(paid),
  balance: money(balance),
  hours_left: left / 60,
  standing: standingOf(entry),
})
const chosen = <Item extends object>(item: Item, names: object) =>
  Object.fromEntries(Object.keys(names).map((name) => [name, item[name as keyof Item]]))

/** Compares an account's figures and lines with both sides' API responses. */
async function compareAccount(link: Link, month: string): Promise<void> {
  const lines = world.accountWith(link)
  const figures = inDollars(figuresOf(lines, month))
  const within = lines.filter(({ entry }) => entry.day.startsWith(month)).map(lineInDollars)
  for (const side of ['family', 'practice'] as const) {
    if ((side === 'practice' && !link.tutor.hasAccount) || !isHere(side)) continue
    const { body } = await callers[side].call('GET', `/api/v1/balances/lines?month=${month}&with=${link.id}`)
    const shown = body as unknown as { balance: object; lines: object[] }
    assert.deepEqual(chosen(shown.balance, figures), figures, `what the ${side} reads of ${month}`)
    assert.deepEqual(
      shown.lines.map((line, at) => chosen(line, within[at] ?? {})),
      within,
      `the lines that the ${side} reads of ${month}`,
    )
  }
}

/** Compares a month's state with what both sides see and what the emailed page shows. */
async function compareMonth(link: Link, month: string): Promise<void> {
  const live = figuresOf(world.accountWith(link), month)
  const closing = world.latest(link, month)
  // A closed month keeps the figures on its page. Later changes to earlier months are shown separately.
  const figures = (closing?.state === 'closed' ? closing.page?.figures : undefined) ?? live
  const open = world.openIn(link, month)
  const rows = world.entries.filter((one) => one.link === link && one.day.startsWith(month))
  const sessions = rows.filter(isSession).length
  for (const side of ['family', 'practice'] as const) {
    if ((side === 'family' && chance(0.5)) || !mayAct(link, side)) continue
    const shown =
      side === 'family' || link.tutor.hasAccount
        ? (
            (await callers[side].call('GET', `/api/v1/months?month=${month}`)).body.months as ClosedMonth[]
          ).find((one) => one.connection_id === link.id)
        : await monthByMail(link, month)
    const expected = {
      state: world.stateOf(link, month, side),
      sessions,
      payments: rows.length - sessions,
      open_sessions: open.sessions,
      open_payments: open.payments,
      sessions_amount: money(figures.sessions),
      paid_amount: money(figures.paid),
      carried_over: money(figures.carriedOver),
      balance: money(figures.balance),
      balance_now: live.balance === figures.balance ? null : money(live.balance),
    }
    // A connection has no card until its request has been answered.
    if (shown || link.state === 'active') assert.deepEqual(chosen(shown ?? {}, expected), expected, month)
  }
}
async function monthByMail(link: Link, month: string): Promise<ClosedMonth> {
  return server.db.asLink(emailed(link), async (tx) => {
    const rows = (await readMonth(tx, link.id, month)) ?? assert.fail('no month')
    const shown = (await listShared(tx, linkCaller(tx, emailed(link), server.clock.now).workspace))
      .map(({ id, amount, own_confirmation: own }) => [id, amount, own].join(' '))
      .sort()
    const expected = world.entries
      .filter((one) => one.link === link && isPayment(one))
      .map(({ id, cents, words }) => [id, money(cents), words.practice].join(' '))
      .sort()
    assert.deepEqual(shown, expected, 'the payments of the emailed page')
    return standingOfMonth(link.id, null, rows, month, server.clock.now)
  })
}

/**
 * Checks the page for a month that was just closed: its figures must match those at the time of closing, and
 * both sides must get the same bytes.
 */
async function keepPage(link: Link, closing: Closing): Promise<void> {
  const { page: expected } = closing
  assert.ok(expected)
  const wanted = `connection_id=${link.id}&month=${closing.month}`
  const readers = link.tutor.hasAccount ? [callers.family, callers.practice] : [callers.family]
  const bodies: Record<string, unknown>[] = []
  const pdfs: Buffer[] = []
  for (const who of readers) {
    bodies.push((await who.call('GET', `/api/v1/months/page?${wanted}`)).body)
    pdfs.push((await who.call('GET', `/api/v1/months/page.pdf?${wanted}`)).bytes)
  }
  const [body = {}, other = body] = bodies
  assert.deepEqual(body, other)
  const [pdf = Buffer.of(), theirs = pdf] = pdfs
  assert.ok(pdf.equals(theirs) && pdf.length > 1000, 'the same bytes')
  const { on_its_way_amount: _, ...figures } = inDollars(expected.figures)
  assert.deepEqual(chosen(body, figures), figures, 'the figures of the page')
  const onPage = [...(body.sessions as Row[]), ...(body.payments as Row[])].map(pageLine)
  assert.deepEqual(onPage.sort(), [...expected.lines].map(([id, line]) => `${id} ${line}`).sort())
  kept.push({ link, closing, code: String(body.code), body: frozen(body), pdf })
}
function pageLine(row: Row): string {
  const cents = (value: unknown) => (value === null ? '' : Math.round(Number(value) * 100))
  const facts =
    'kind' in row
      ? [row.date, row.kind, cents(row.amount), row.hours === null ? '' : Number(row.hours) * 60]
      : [row.date, Number(row.duration) * 60, cents(row.rate), cents(row.total_amount)]
  return `${row.id} ${facts.join()}`
}
const frozen = ({
  state: _s,
  reopened_by: _b,
  reopened_at: _a,
  reason: _r,
  ...rest
}: Record<string, unknown>) => rest

/**
 * Checks that an older page hasn't changed, and that looking up its code shows whether the month has changed
 * since.
 */
async function comparePage(isThorough: boolean): Promise<void> {
  if (kept.length === 0) return
  const { link, closing, code, body, pdf } = pick(kept)
  const side = link.tutor.hasAccount ? aSide() : 'family'
  if (!isHere(side)) return
  const wanted = `connection_id=${link.id}&month=${closing.month}&code=${code}`
  const read = (await callers[side].call('GET', `/api/v1/months/page?${wanted}`)).body
  assert.deepEqual(frozen(read), body, 'a page never changes')
  assert.equal(read.state, closing.state)
  if (!isThorough) return
  await superuser.query('delete from rate_limits')
  const again = (await callers[side].call('GET', `/api/v1/months/page.pdf?${wanted}`)).bytes
  assert.ok(again.equals(pdf), 'a PDF never changes')
  const { payload } = await server.app.inject({ method: 'GET', url: `/verify/${code}` })
  assert.match(payload, closing.state === 'closed' ? /statement is genuine/ : /has changed since/)
}

/** Cycles through comparing the API responses for a month, an account, and a closed month's page. */
async function compareScreens(step: number): Promise<void> {
  const link = aLink()
  const month = pick(MONTHS)
  if (link && step % 3 === 0) await compareMonth(link, month)
  if (link?.state === 'active' && step % 3 === 1) await compareAccount(link, month)
  if (step % 6 === 2) await comparePage(step % 12 === 2)
}

/** Deletes an account, restores it, or erases it for good. */
async function comeAndGo(): Promise<void> {
  if (erased) return
  await superuser.query('delete from rate_limits')
  const [away] = world.closed
  const side = away ?? aSide()
  const who = callers[side]
  if (!away) {
    expect({ status: 204 }, await who.call('DELETE', '/api/v1/me', { current_password: PASSWORD }), 'close')
    world.closed.add(side)
    hasLeft = true
    return
  }
  world.closed.delete(side)
  if (chance(0.7)) {
    tally('comes back')
    const { email } = who
    expect(
      { status: 200 },
      await who.call('POST', '/api/auth/sign-in', { email, password: PASSWORD }),
      'sign in',
    )
    expect({ status: 200 }, await who.call('POST', '/api/auth/keep-account', {}), 'come back')
    return
  }
  tally('erased')
  await superuser.query(
    `update users set deletion_asked_at = $1::timestamptz - interval '40 days' where id = $2`,
    [server.clock.now, who.id],
  )
  await purgeAccounts(server.db, join(server.dataDir, 'mailbox'), server.clock.now)
  world.erase(side)
  erased = { side, steps: 40 }
}

const ACTIONS: Step[] = [
  [14, log],
  [10, change],
  [22, giveWord],
  [8, remove],
  [4, keep],
  [16, record],
  [9, correct],
  [5, share],
  [5, settle],
  [9, close],
  [2, reopen],
  [1, withdraw],
  [1.6, endOrRenew],
  [0.7, comeAndGo],
]

test(`after every random step, both sides have the model's balances to the cent, and closed months stay as they were (${steps.count} steps)`, async () => {
  await steps.run(ACTIONS, {
    before: async (step) => {
      if (erased) erased.steps -= 1
      if (step % SEQUENCE === 0 || erased?.steps === 0) await beginSequence()
      if (step % 20 === 0) await superuser.query('delete from rate_limits')
    },
    after: async (step) => {
      await compareSide('family')
      await compareSide('practice')
      await compareScreens(step)
    },
  })
})
