// Two parents, a viewer, another family, two tutors and an outsider do thousands of things in a random order, to the real
// server and database. What each of them sees equals a plain model after every step (model.ts).
import assert from 'node:assert/strict'
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { listConnections, listPairs } from '#features/connections/queries.server.ts'
import { verifyHistory } from '#features/sessions/jobs.server.ts'
import { listSessions, readSession } from '#features/sessions/queries.server.ts'
import { monthPortions } from '#features/summary/queries.server.ts'
import { summarize, weeksOf } from '#features/summary/summary.ts'
import type { WorkspaceId } from '#kernel/id.ts'
import type { Session } from '#features/sessions/session.ts'
import type { Tx } from '#platform/db/db.server.ts'
import {
  type Account,
  type Lesson,
  type Link,
  otherSide,
  type Outcome,
  type Person,
  type Row,
  type Side,
  type Workspace,
  World,
} from './model.ts'
import { type Answer, type Caller, PASSWORD, startTestServer, type TestServer } from './testing.server.ts'

/** scripts/model.mjs takes 10,000; MODEL_REPORT=1 says what was done, and another MODEL_SEED takes other steps. */
const STEPS = Number(process.env.MODEL_STEPS ?? 1000)
const SEED = Number(process.env.MODEL_SEED ?? 2026)
/** After so many steps all that everybody sees is compared. */
const EVERYTHING = 50
/** A log that is longer than this is cut before more is logged. */
const LONGEST_LOG = 40

let server: TestServer
let superuser: pg.Client
const world = new World()
const callers = new Map<Account, Caller>()
const homes = new Map<Account, Workspace>()
const workspaces: Workspace[] = []
/** What was read under each version of a session, by workspace and session; the newest last. */
const versions = new Map<string, Map<number, string>>()
const counts = new Map<string, number>()
const answers = new Map<string, number>()

// A small seeded generator (mulberry32), so that a failing run can be run again.
let state = SEED
function random(): number {
  state = (state + 0x6d2b79f5) | 0
  let t = Math.imul(state ^ (state >>> 15), 1 | state)
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
  return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
}
const chance = (share: number) => random() < share
const below = (count: number) => Math.floor(random() * count)
function pick<Item>(items: readonly Item[]): Item | undefined {
  return items[below(items.length)]
}

interface Seat {
  account: Account
  workspace: Workspace
  role: string
}

before(async () => {
  server = await startTestServer({ LOG_LEVEL: process.env.MODEL_REPORT ? 'error' : 'silent' })
  superuser = new pg.Client({ connectionString: server.superuserUrl })
  await superuser.connect()
  await watchWords()
  const [olga, paul, vera, fay, otto] = [
    await person('Olga'),
    await person('Paul'),
    await person('Vera'),
    await person('Fay'),
    await person('Otto'),
  ]
  const [tom, tess] = [await person('Tom', 'practice'), await person('Tess', 'practice')]
  const children = { olga: ['Maya', 'Leo'], paul: ['Ida'], vera: [], fay: ['Maya', 'Nils'], otto: ['Zoe'] }
  for (const [owner, names] of Object.entries(children)) {
    const account = { olga, paul, vera, fay, otto }[owner] as Account
    for (const name of names) await addPerson(seatOf(account), name, null)
    await addTutor(seatOf(account), tom.email, 4500)
    if (owner !== 'otto') await addTutor(seatOf(account), tess.email, 5000)
    await addTutor(seatOf(account), null, null)
  }
  await addPerson(seatOf(tom), 'Leo', null)
  await addPerson(seatOf(tom), 'Nora', 6000)
  await addPerson(seatOf(tess), 'Maya', null)
  for (const account of [olga, fay, tom, tess])
    await addSchedule(seatOf(account), account === fay ? 4000 : null)
  await staySignedIn()
  await takeIn(olga, paul, 'parent')
  await takeIn(olga, vera, 'viewer')
})
after(async () => {
  await superuser.end()
  await server.stop()
})

/** Somebody with an account and a workspace of their own. */
async function person(name: string, side: Side = 'family'): Promise<Account> {
  const caller = await server.aUser(side === 'practice' ? 'tutor' : 'parent')
  const account = { name, email: caller.email, id: caller.id, isClosed: false }
  const workspace = { id: caller.id, side, owner: account }
  callers.set(account, caller)
  homes.set(account, workspace)
  workspaces.push(workspace)
  world.members.push({ account, workspace, role: 'owner' })
  if (side === 'practice') {
    const [self] = (await caller.call('GET', '/api/v1/tutors')).body as unknown as { id: string }[]
    assert.ok(self)
    await caller.call('PATCH', `/api/v1/tutors/${self.id}`, { hourly_rate: 45 })
    world.tutors.push({ id: self.id, workspace, email: null, rate: 4500 })
  }
  return account
}
function seatOf(account: Account, workspace = homes.get(account)): Seat {
  assert.ok(workspace)
  return { account, workspace, role: world.roleOf(account, workspace) ?? 'none' }
}

/**
 * Notes whenever a word of one side is written while the other speaks, whatever function does it. A side that comes to a
 * session brings its own word along, and one that leaves takes it.
 */
async function watchWords(): Promise<void> {
  await superuser.query(`
    create table public.trespasses (key bigint, role text, word_was text, word_is text);
    grant insert on public.trespasses to public;
    create function public.watch_words() returns trigger language plpgsql as $$
    declare speaks text := current_setting('role', true);
    begin
      if old.family_id is not null and new.family_id is not null and speaks <> 'tutorlog_family'
        and (old.family_word, old.family_word_note, old.family_reply) is distinct from (new.family_word, new.family_word_note, new.family_reply)
        then insert into public.trespasses values (new.key, speaks, old.family_word, new.family_word); end if;
      if old.practice_id is not null and new.practice_id is not null and speaks not in ('tutorlog_practice', 'tutorlog_link')
        and (old.practice_word, old.practice_word_note, old.practice_reply) is distinct from (new.practice_word, new.practice_word_note, new.practice_reply)
        then insert into public.trespasses values (new.key, speaks, old.practice_word, new.practice_word); end if;
      return null;
    end $$;
    create trigger words_watched after update on public.sessions for each row execute function public.watch_words()`)
}

// Calling the server, and comparing it with the model.

function call(
  seat: Seat,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
) {
  const caller = callers.get(seat.account)
  assert.ok(caller)
  const isHome = homes.get(seat.account) === seat.workspace
  const named: Record<string, string> =
    isHome && chance(0.7) ? {} : { 'tutorlog-workspace': seat.workspace.id }
  return caller.call(method, path, body, { ...named, ...headers })
}

/** Nobody is signed out while the clock goes two weeks ahead. */
async function staySignedIn(): Promise<void> {
  await superuser.query(
    "update logins set access_expires_at = now() + interval '60 days', active_until = now() + interval '60 days', ends_at = now() + interval '60 days'",
  )
}

/** Reads as somebody of a workspace does, behind the server: its role, its search path, its policies. */
function reading<Result>(workspace: Workspace, work: (tx: Tx, id: WorkspaceId) => Promise<Result>) {
  const id = workspace.id as WorkspaceId
  return server.db.readAsMember(
    { accountId: workspace.owner.id, workspace: { id, kind: workspace.side } },
    (tx) => work(tx, id),
  )
}

const SEEN = [
  'id',
  'student_id',
  'tutor_id',
  'date',
  'duration',
  'hourly_rate',
  'default_rate',
  'effective_rate',
].concat(
  ['total_amount', 'subject', 'notes', 'status', 'verified_by_tutor', 'connection_id', 'is_shared'],
  [
    'own_confirmation',
    'other_confirmation',
    'dispute_note',
    'answer_note',
    'deletion_asked_by',
    'is_read_only',
  ],
  ['schedule_id', 'occurrence_date'],
)
/** What changes without a new version: whom the session is about once people are matched or deleted, and who else reads it. */
const UNVERSIONED = new Set(['student_id', 'tutor_id', 'connection_id', 'is_shared', 'is_read_only'])

function compareSession(workspace: Workspace, row: Row, found: Session | undefined): void {
  assert.ok(found, `${workspace.owner.name} does not see ${row.id}`)
  const seen = Object.fromEntries(SEEN.map((field) => [field, found[field as keyof Session]]))
  assert.deepEqual(seen, world.see(workspace, row), `a session as ${workspace.owner.name} sees it`)
  const content = JSON.stringify(Object.entries(seen).filter(([field]) => !UNVERSIONED.has(field)))
  const key = `${workspace.id} ${row.id}`
  const known = versions.get(key) ?? new Map<number, string>()
  assert.equal(
    known.get(found.version) ?? content,
    content,
    `version ${found.version} came back for other content`,
  )
  known.delete(found.version)
  versions.set(key, known.set(found.version, content))
}

/** Compares a session as each side sees it, and that somebody else does not. */
async function compareId(
  id: string,
  before: Workspace[],
  told?: { seat: Seat; session: Session },
): Promise<void> {
  for (const workspace of workspaces) {
    const row = world.rowOf(workspace, id)
    const isTold = told?.seat.workspace === workspace
    if (row)
      compareSession(
        workspace,
        row,
        isTold ? told.session : await reading(workspace, (tx, own) => readSession(tx, own, id)),
      )
    else {
      versions.delete(`${workspace.id} ${id}`)
      if (before.includes(workspace) || chance(0.05))
        assert.equal(await reading(workspace, (tx, own) => readSession(tx, own, id)), undefined)
    }
  }
}

async function compareLog(workspace: Workspace): Promise<void> {
  const found = await reading(workspace, (tx, own) => listSessions(tx, own, {}, 1000))
  const log = world.logOf(workspace)
  assert.deepEqual(
    found.map(({ id }) => id).sort(),
    log.map(({ id }) => id).sort(),
    `the log of ${workspace.owner.name}`,
  )
  for (const row of log)
    compareSession(
      workspace,
      row,
      found.find(({ id }) => id === row.id),
    )
}

async function compareMonths(workspace: Workspace): Promise<void> {
  for (const month of new Set(world.logOf(workspace).map((row) => row.day.slice(0, 7)))) {
    const weeks = weeksOf(month)
    const portions = await reading(workspace, (tx, own) =>
      monthPortions(tx, own, weeks[0]?.from ?? assert.fail(), weeks.at(-1)?.to ?? assert.fail()),
    )
    const summary = summarize(month, portions)
    const { total, verified, waiting, disputed, own } = world.month(workspace, month)
    assert.deepEqual(
      [
        summary.total_amount,
        summary.verified_amount,
        summary.waiting_amount,
        summary.disputed_amount,
        summary.own_amount,
      ],
      [total, verified, waiting, disputed, own].map((amount) => amount / 100),
      `${month} of ${workspace.owner.name}`,
    )
  }
}

async function compareLinks(workspace: Workspace): Promise<void> {
  const { side } = workspace
  const found = await reading(workspace, (tx, own) => listConnections(tx, { workspace: own, side }))
  const expected = world.listedLinks(workspace)
  const order = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1)
  assert.deepEqual(
    found
      .map((one) => ({
        id: one.id,
        state: one.state,
        tutor: one.tutor_id,
        ended_by: one.ended_by,
        pairs: one.pairs,
        is_read_only: one.is_read_only,
        people: one.people.map((who) => `${who.first_name} ${who.student_id}`).sort(),
      }))
      .sort(order),
    expected
      .map((link) => ({
        id: link.id,
        state: link.practice || side === 'family' ? link.state : 'asked',
        tutor: side === 'family' ? (link.tutor?.id ?? null) : null,
        ended_by: link.endedBy && (link.endedBy === side ? 'you' : 'other'),
        pairs: link.practice || side === 'family' ? link.pairs.length : 0,
        is_read_only: (side === 'family' ? link.practice : link.family)?.owner.isClosed ?? false,
        people: link.people
          .map((who) => `${who.firstName} ${(side === 'family' ? who.child : who.student)?.id ?? null}`)
          .sort(),
      }))
      .sort(order),
    `the connections of ${workspace.owner.name}`,
  )
  for (const link of expected.filter(({ pairs }) => pairs.length > 0)) {
    const pairs = await reading(workspace, (tx, own) => listPairs(tx, { workspace: own, side }, link.id))
    assert.deepEqual(pairs.map(pairText).sort(), link.pairs.map((pair) => modelPairText(side, pair)).sort())
  }
}
interface Half {
  date: string
  duration: number
  rate: number | null
  subject: string | null
}
const halfText = ({ date, duration, rate, subject }: Half) => [date, duration, rate, subject].join()
const pairText = ({ yours, theirs }: { yours: Half; theirs: Half }) =>
  `${halfText(yours)} = ${halfText(theirs)}`
function modelPairText(side: Side, pair: Link['pairs'][number]): string {
  const half = (row: Row) => {
    const rate = row.override ?? row.usual
    return halfText({
      date: row.day,
      duration: row.minutes / 60,
      rate: rate && rate / 100,
      subject: row.subject,
    })
  }
  return `${half(pair[side])} = ${half(pair[otherSide(side)])}`
}

/** All that everybody sees; both sides of each connection agree on what they share, to the cent. */
async function compareEverything(): Promise<void> {
  await learnStudents()
  for (const workspace of workspaces) {
    await compareLog(workspace)
    await compareMonths(workspace)
    await compareLinks(workspace)
  }
  const { rows } = await superuser.query(`select * from public.trespasses`)
  assert.deepEqual(rows, [], 'a word that the other side wrote')
  const { rows: sides } = await superuser.query<{ family: string; practice: string }>(`
    select c.id, coalesce(f.sums, '{}') as family, coalesce(p.sums, '{}') as practice from connections c
      left join lateral (select array_agg(row (month, n, total)::text order by month)::text as sums from (select to_char(day, 'YYYY-MM') as month, count(*) as n, sum(total_cents) as total
        from sessions where family_id = c.family_id and connection_id = c.id group by 1) x) f on true
      left join lateral (select array_agg(row (month, n, total)::text order by month)::text as sums from (select to_char(day, 'YYYY-MM') as month, count(*) as n, sum(total_cents) as total
        from sessions where practice_id = c.practice_id and connection_id = c.id group by 1) x) p on true
    where c.state = 'active' and c.practice_id is not null`)
  for (const { family, practice } of sides) assert.equal(family, practice, 'a shared month')
}

/** Students that a practice got for a child have ids that only the server knows. */
async function learnStudents(): Promise<void> {
  for (const person of world.people.filter(({ id }) => id === '')) {
    const { rows } = await superuser.query<{ id: string }>(
      'select id from students where workspace_id = $1 and name = $2 order by created_at, id',
      [person.workspace.id, person.firstName],
    )
    const id = rows.find((row) => !world.people.some((known) => known.id === row.id))?.id
    assert.ok(id, `no student ${person.firstName} was made for ${person.workspace.owner.name}`)
    person.id = id
  }
}

function compareOutcome(outcome: Outcome, answer: Answer, what: string): void {
  const kind = `${outcome.status} ${outcome.code ?? ''}`.trim()
  answers.set(kind, (answers.get(kind) ?? 0) + 1)
  assert.deepEqual(
    [answer.status, answer.status >= 400 && outcome.code ? answer.body.code : outcome.code],
    [outcome.status, answer.status === 202 ? 'deletion_requested' : outcome.code],
    `${what}: ${answer.status} ${JSON.stringify(answer.body).slice(0, 300)}`,
  )
}

// What people do. Each picks what it needs, tells the model and the server, and compares.

const READ_ONLY: Outcome = { status: 403, code: 'read_only' }
const SIGNED_OUT: Outcome = { status: 401 }
/** What is answered to a seat before anything else is looked at; undefined where it may write. */
function barred({ account, role }: Seat): Outcome | undefined {
  if (account.isClosed) return SIGNED_OUT
  if (role === 'none') return { status: 404 }
  return role === 'viewer' ? READ_ONLY : undefined
}

/** Who acts: mostly somebody who may. */
function aSeat(side?: Side): Seat {
  const seats = world.members.filter(
    ({ account, workspace }) =>
      (!side || workspace.side === side) && (!account.isClosed || chance(0.02)) && account.name !== 'Otto',
  )
  const seat = pick(seats) ?? assert.fail('everybody is closed')
  return seat.role === 'viewer' && chance(0.8) ? aSeat(side) : seat
}

const NOTES = ['It was an hour and a half', 'Nobody came', 'I looked at the clock']
const day = (offset: number) =>
  new Date(server.clock.now.getTime() + offset * 86_400_000).toISOString().slice(0, 10)
const aDay = () => (chance(0.02) ? day(400) : chance(0.05) ? day(5) : day(-below(8) * 3))
const someMinutes = () => pick([0, 30, 60, 60, 60, 90]) ?? 60
const aRate = () => pick([undefined, undefined, null, 4500, 5000]) as number | null | undefined

function aLesson({ workspace }: Seat): Lesson {
  const people = world.people.filter((one) => one.workspace === workspace && one.id)
  const tutors = world.tutors.filter((one) => one.workspace === workspace)
  const schedules = world.schedules.filter((one) => one.workspace === workspace)
  // Often a lesson that the other side logged: that is a question, or the class that it stands for.
  const theirs = world.logOf(workspace).filter((row) => row.link && row.words[workspace.side].says === 'none')
  const same = chance(0.35) ? pick(theirs) : undefined
  const place = same && world.placeOf(same, workspace)
  const date = same?.day ?? aDay()
  const schedule = chance(0.3) ? pick(schedules) : undefined
  return {
    person: chance(0.01) ? randomUUID() : ((place?.person ?? pick(people))?.id ?? randomUUID()),
    tutor: chance(0.01) ? randomUUID() : ((place?.tutor ?? pick(tutors))?.id ?? randomUUID()),
    day: date,
    minutes: someMinutes(),
    ...(chance(0.3) ? { rate: aRate() } : {}),
    ...(chance(0.4) ? { subject: pick(['Algebra', 'Reading', null]) ?? null } : {}),
    ...(chance(0.3) ? { notes: pick(['a secret', 'bring the book']) ?? null } : {}),
    ...(schedule ? { scheduled: { schedule: schedule.id, day: date } } : {}),
    ...(chance(0.4) ? { isAnother: true } : {}),
  }
}
const dollars = (amount: number | null | undefined) => (amount ? amount / 100 : amount)
/** Only what is given, in the words of the wire. */
function onTheWire(lesson: Partial<Lesson>): Record<string, unknown> {
  const {
    person: student_id,
    tutor: tutor_id,
    day: date,
    minutes,
    rate,
    scheduled,
    isAnother,
    ...rest
  } = lesson
  return {
    ...rest,
    student_id,
    tutor_id,
    date,
    ...(minutes === undefined ? {} : { duration: minutes / 60 }),
    hourly_rate: dollars(rate),
    ...(scheduled ? { schedule_id: scheduled.schedule, occurrence_date: scheduled.day } : {}),
    is_another: isAnother,
  }
}

async function log(): Promise<void> {
  const seat = aSeat()
  if (world.logOf(seat.workspace).length > LONGEST_LOG) return remove(seat)
  const lesson = aLesson(seat)
  const outcome = barred(seat) ?? world.log(seat.workspace, lesson)
  const answer = await call(seat, 'POST', '/api/v1/sessions', onTheWire(lesson))
  compareOutcome(outcome, answer, `${seat.account.name} logs`)
  if (!outcome.row) return
  outcome.row.id ||= String(answer.body.id)
  if (lesson.notes) world.note(seat.workspace, outcome.row, lesson.notes)
  await learnStudents()
  await compareId(outcome.row.id, [], { seat, session: answer.body as Session })
}

/** A session that somebody names: mostly one of their own log, now and then somebody else's. */
function aRow(seat: Seat, where: (row: Row) => boolean = () => true): string {
  const own = world.logOf(seat.workspace)
  if (chance(0.03)) return pick(world.rows)?.id ?? randomUUID()
  return (pick(own.filter(where)) ?? pick(own))?.id ?? randomUUID()
}
/** The version that a caller names: the newest, an old one, or none. */
function aVersion({ workspace }: Seat, id: string): { isStale: boolean; headers: Record<string, string> } {
  const known = [...(versions.get(`${workspace.id} ${id}`)?.keys() ?? [])]
  const newest = known.at(-1)
  const named = chance(0.15) ? pick(known) : newest
  if (named === undefined || chance(0.25)) return { isStale: false, headers: {} }
  return { isStale: named !== newest, headers: { 'if-match': `"${named}"` } }
}
const isShared = (row: Row) => row.link !== null
const holders = (id: string) => workspaces.filter((workspace) => world.rowOf(workspace, id))

interface OnRow {
  seat: Seat
  id: string
  what: string
  method?: string
  path?: string
  body?: object
  /** Every write names a version, but for those that take many. */
  model: (workspace: Workspace, id: string, isStale: boolean) => Outcome
}
async function onRow({
  seat,
  id,
  what,
  method = 'POST',
  path = '',
  body = {},
  model,
}: OnRow): Promise<Outcome> {
  const before = holders(id)
  const { isStale, headers } = aVersion(seat, id)
  const outcome = barred(seat) ?? model(seat.workspace, id, isStale)
  const answer = await call(seat, method, `/api/v1/sessions/${id}${path}`, body, headers)
  compareOutcome(outcome, answer, `${seat.account.name} ${what}${isStale ? ' by an old version' : ''}`)
  await learnStudents()
  const told = answer.status === 200 ? { seat, session: answer.body as Session } : undefined
  await compareId(id, before, told)
  return outcome
}

async function change(): Promise<void> {
  const seat = aSeat()
  const isPaired = (row: Row) =>
    world.links.some(({ pairs }) => pairs.some((pair) => pair.family === row || pair.practice === row))
  const other = aLesson(seat)
  const kept = (Object.keys(other) as (keyof Lesson)[]).filter(
    (field) =>
      field !== 'scheduled' &&
      field !== 'isAnother' &&
      chance(field === 'tutor' || field === 'person' ? 0.15 : 0.4),
  )
  const changes = Object.fromEntries(
    kept.flatMap((field) => (other[field] === undefined ? [] : [[field, other[field]]])),
  )
  await onRow({
    seat,
    id: aRow(seat, chance(0.3) ? isPaired : undefined),
    what: `changes ${kept.join()}`,
    method: 'PATCH',
    body: onTheWire(changes),
    model: (workspace, id, isStale) => world.change(workspace, id, isStale, changes),
  })
}
async function takeNotes(): Promise<void> {
  const seat = aSeat()
  const notes = pick(['a secret', 'bring the book', null, null]) ?? null
  await onRow({
    seat,
    id: aRow(seat, isShared),
    what: 'takes notes',
    method: 'PATCH',
    body: { notes },
    model: (workspace, id, isStale) => world.change(workspace, id, isStale, { notes }),
  })
}
async function giveWord(): Promise<void> {
  const seat = aSeat()
  const says =
    pick(['confirmed', 'confirmed', 'confirmed', 'none', 'disputed', 'disputed'] as const) ?? 'none'
  const note = says === 'disputed' ? (pick(NOTES.slice(0, 2)) ?? null) : null
  await onRow({
    seat,
    id: aRow(seat, isShared),
    what: `says ${says}`,
    method: says === 'none' ? 'DELETE' : 'POST',
    path: says === 'disputed' ? '/dispute' : '/confirm',
    body: note ? { note } : {},
    model: (workspace, id, isStale) => world.giveWord(workspace, id, isStale, says, note),
  })
}
async function answerDispute(): Promise<void> {
  const seat = aSeat()
  const note = pick(NOTES) ?? ''
  const isSentBack = (row: Row) => row.words[otherSide(seat.workspace.side)].says === 'disputed'
  await onRow({
    seat,
    id: aRow(seat, isSentBack),
    what: 'answers',
    path: '/answer',
    body: { note },
    model: (workspace, id, isStale) => world.answer(workspace, id, isStale, note),
  })
}
async function remove(seat = aSeat(), where?: (row: Row) => boolean): Promise<void> {
  const model = world.remove.bind(world)
  await onRow({ seat, id: aRow(seat, where), what: 'deletes', method: 'DELETE', model })
}
async function keep(): Promise<void> {
  const seat = aSeat()
  const id = aRow(seat, (row) => row.leaving !== null)
  await onRow({ seat, id, what: 'keeps', path: '/keep', model: world.keep.bind(world) })
}
/** What nobody answered for two weeks can be taken out of the own log. */
async function leaveSession(): Promise<void> {
  const waiting = world.rows.find((row) => row.leaving)
  const workspace = waiting?.leaving && waiting[waiting.leaving.by]?.workspace
  if (!waiting || !workspace || workspace.owner.isClosed) return keep()
  const now = server.clock.now
  world.now = now.getTime() + 15 * 86_400_000
  server.clock.now = new Date(world.now)
  await remove(seatOf(workspace.owner), (row) => row === waiting)
  server.clock.now = now
  world.now = now.getTime()
}

async function confirmMany(): Promise<void> {
  const seat = aSeat()
  const own = world.logOf(seat.workspace).filter((row) => row.link && chance(0.3))
  const named = own.slice(0, 5).map((row) => {
    const known = [...(versions.get(`${seat.workspace.id} ${row.id}`)?.keys() ?? [])]
    const version = (chance(0.1) ? pick(known) : known.at(-1)) ?? 0
    return { row, version, isStale: version !== known.at(-1) }
  })
  if (named.length === 0) return giveWord()
  const refusal =
    barred(seat) ??
    named
      .map(({ row }) => row)
      .filter((row) => world.isReadOnly(row, seat.workspace.side))
      .map((): Outcome => ({ status: 409, code: 'other_closed' }))[0]
  const expected = { confirmed: [] as string[], changed: [] as string[] }
  if (!refusal)
    for (const { row, isStale } of named) {
      const { status } = world.giveWord(seat.workspace, row.id, isStale, 'confirmed')
      expected[status === 200 ? 'confirmed' : 'changed'].push(row.id)
    }
  const sessions = named.map(({ row: { id }, version }) => ({ id, version }))
  const answer = await call(seat, 'POST', '/api/v1/confirmations', { sessions })
  compareOutcome(refusal ?? { status: 200 }, answer, `${seat.account.name} confirms several`)
  if (!refusal) {
    const { confirmed, changed } = answer.body as typeof expected
    assert.deepEqual([confirmed.sort(), changed.sort()], [expected.confirmed.sort(), expected.changed.sort()])
  }
  for (const { row } of named) await compareId(row.id, [])
}

// Connections.

async function compareBoth(link: Link): Promise<void> {
  await learnStudents()
  for (const workspace of [link.family, link.practice]) {
    if (!workspace) continue
    await compareLog(workspace)
    await compareLinks(workspace)
  }
}
async function ask(): Promise<void> {
  // Sometimes whoever is left while the owner's account is closed.
  const left = world.members.find(
    ({ account, workspace, role }) => role === 'parent' && workspace.owner.isClosed && !account.isClosed,
  )
  const seat = left && chance(0.4) ? left : aSeat('family')
  const tutors = world.tutors.filter((one) => one.workspace === seat.workspace)
  const free = tutors.filter(
    (one) =>
      one.email &&
      !world.links.some((link) => link.tutor === one && ['asked', 'active'].includes(link.state)),
  )
  const tutor = chance(0.1) ? pick(tutors) : (pick(free) ?? pick(tutors))
  const id = tutor?.id ?? randomUUID()
  const from = chance(0.2) ? day(-below(20)) : null
  await superuser.query('delete from rate_limits')
  const outcome = barred(seat) ?? world.ask(seat.workspace, id, from)
  const answer = await call(seat, 'POST', '/api/v1/connections', {
    tutor_id: id,
    ...(from ? { shared_from: from } : {}),
  })
  compareOutcome(outcome, answer, `${seat.account.name} asks`)
  if (!outcome.link) return
  outcome.link.id = String(answer.body.id)
  await compareBoth(outcome.link)
}
/** A practice accepts, declines, or says anew who is whom. */
async function answerLink(): Promise<void> {
  const seat = aSeat('practice')
  const visible = world.links.filter((one) => world.seesLink(seat.workspace, one))
  const asked = visible.filter((one) => !one.practice)
  const link =
    (chance(0.8) ? pick(asked) : undefined) ??
    pick(visible.filter((one) => one.state === 'active')) ??
    pick(visible)
  if (!link) return ask()
  const state = asked.includes(link)
    ? pick(['active', 'active', 'active', 'declined', undefined] as const)
    : pick(['active', undefined, undefined, undefined] as const)
  const listed = await reading(seat.workspace, (tx, own) =>
    listConnections(tx, { workspace: own, side: 'practice' }),
  )
  const people = listed.find(({ id }) => id === link.id)?.people ?? []
  const students = world.people.filter((one) => one.workspace === seat.workspace && one.id)
  const matches = people
    .filter(() => chance(0.6))
    .map((who) => ({
      id: who.id,
      firstName: who.first_name,
      student: chance(0.3)
        ? null
        : ((chance(0.7) ? students.find((one) => one.firstName === who.first_name) : pick(students))?.id ??
          null),
    }))
  const outcome =
    barred(seat) ??
    (seat.role === 'assistant'
      ? { status: 403, code: 'role' }
      : world.answerLink(seat.workspace, link.id, state, matches))
  const answer = await call(seat, 'PATCH', `/api/v1/connections/${link.id}`, {
    ...(state ? { state } : {}),
    ...(matches.length > 0
      ? { people: matches.map(({ id, student }) => ({ id, student_id: student })) }
      : {}),
  })
  compareOutcome(outcome, answer, `${seat.account.name} answers ${String(state)} ${JSON.stringify(matches)}`)
  await compareBoth(link)
}
async function end(): Promise<void> {
  const seat = aSeat()
  const visible = world.links.filter((one) => world.seesLink(seat.workspace, one))
  const link = pick(visible.filter((one) => one.state === 'active')) ?? pick(visible)
  const id = chance(0.1) ? (pick(world.links)?.id ?? randomUUID()) : (link?.id ?? randomUUID())
  const outcome =
    barred(seat) ??
    (seat.role === 'assistant' ? { status: 403, code: 'role' } : world.end(seat.workspace, id))
  compareOutcome(
    outcome,
    await call(seat, 'DELETE', `/api/v1/connections/${id}`, {}),
    `${seat.account.name} ends`,
  )
  if (outcome.link) await compareBoth(outcome.link)
}
async function answerPairs(): Promise<void> {
  const link = pick(world.links.filter((one) => one.pairs.length > 0))
  if (!link?.practice) return change()
  const workspace = chance(0.5) ? link.family : link.practice
  const seat = seatOf(workspace.owner)
  const path = `/api/v1/connections/${link.id}/pairs`
  const listed = await call(seat, 'GET', path)
  if (seat.account.isClosed) return compareOutcome(SIGNED_OUT, listed, 'a closed account')
  const { pairs } = listed.body as unknown as { pairs: ({ id: string } & Parameters<typeof pairText>[0])[] }
  const isSame = chance(0.7)
  // What looks alike in all that is shown cannot be told apart here.
  const named = link.pairs
    .filter(() => chance(0.5))
    .flatMap((pair) => {
      const text = modelPairText(workspace.side, pair)
      const alike = pairs.filter((one) => pairText(one) === text)
      return alike.length === 1 && alike[0] ? [{ pair, id: alike[0].id }] : []
    })
  const outcome = world.answerPairs(
    workspace,
    link.id,
    named.map(({ pair }) => pair),
    isSame,
  )
  const answer = await call(seat, 'POST', path, {
    [isSame ? 'same' : 'different']: named.map(({ id }) => id),
  })
  compareOutcome(outcome, answer, `${seat.account.name} answers pairs`)
  await compareBoth(link)
}

// People, members and accounts.

async function addPerson(seat: Seat, name: string, rate: number | null): Promise<void> {
  const body = { name: `${name} Whitfield`, ...(rate ? { hourly_rate: rate / 100 } : {}) }
  const answer = await call(seat, 'POST', '/api/v1/students', body)
  assert.equal(answer.status, 201)
  world.people.push({ id: String(answer.body.id), workspace: seat.workspace, firstName: name, rate })
}
async function addTutor(seat: Seat, email: string | null, rate: number | null): Promise<void> {
  const answer = await call(seat, 'POST', '/api/v1/tutors', {
    name: 'Ingrid',
    email,
    hourly_rate: dollars(rate),
  })
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  world.tutors.push({ id: String(answer.body.id), workspace: seat.workspace, email, rate })
}
async function addSchedule(seat: Seat, rate: number | null): Promise<void> {
  const of = (one: { workspace: Workspace }) => one.workspace === seat.workspace
  const answer = await call(seat, 'POST', '/api/v1/schedules', {
    student_id: world.people.find(of)?.id,
    tutor_id: world.tutors.find(of)?.id,
    day_of_week: 2,
    start_time: '16:00',
    duration: 1,
    start_date: day(-60),
    hourly_rate: dollars(rate),
  })
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  world.schedules.push({ id: String(answer.body.id), workspace: seat.workspace, rate })
}

/** Deletes a child, a student or a tutor; where few are left, adds one. */
let named = 0
async function changePeople(): Promise<void> {
  const seat = aSeat()
  const refusal = barred(seat)
  if (refusal)
    return compareOutcome(
      refusal,
      await call(seat, 'POST', '/api/v1/students', { name: 'Ann' }),
      'adds a child',
    )
  const of = (one: { workspace: Workspace }) => one.workspace === seat.workspace
  const [people, tutors] = [world.people.filter(of), world.tutors.filter(of)]
  if (people.length < 3)
    return addPerson(seat, `Child${++named}`, seat.workspace.side === 'practice' && chance(0.3) ? 5500 : null)
  const tutor = seat.workspace.side === 'family' && chance(0.2) ? pick(tutors) : undefined
  const person: Person | undefined = pick(people)
  const path = tutor ? `/api/v1/tutors/${tutor.id}` : `/api/v1/students/${person?.id}`
  const link = tutor && world.links.find((one) => one.tutor === tutor && one.practice)
  const outcome = tutor
    ? world.removeTutor(seat.workspace, tutor.id)
    : world.removePerson(seat.workspace, person?.id ?? '')
  compareOutcome(outcome, await call(seat, 'DELETE', path, {}), `${seat.account.name} deletes ${path}`)
  await compareLog(seat.workspace)
  if (link) await compareBoth(link)
  if (tutor) await addTutor(seat, tutor.email, tutor.rate)
}

/** Takes somebody in: an invitation, and whoever has it joins. */
async function takeIn(owner: Account, account: Account, role: string): Promise<void> {
  const seat = seatOf(owner)
  await superuser.query('delete from rate_limits')
  const invited = await call(seat, 'POST', '/api/v1/members', { email: account.email, role })
  if (world.roleOf(account, seat.workspace))
    return compareOutcome({ status: 409, code: 'already_member' }, invited, 'invites a member')
  assert.equal(invited.status, 201, JSON.stringify(invited.body))
  // The secret travels by email; here it is written where the email job keeps its hash.
  const token = randomBytes(32).toString('base64url')
  await server.allJobsDone()
  await superuser.query('update member_invitations set token_hash = $1 where id = $2', [
    createHash('sha256').update(token).digest(),
    invited.body.id,
  ])
  const outcome = world.join(account, seat.workspace, role)
  const joined = await callers.get(account)?.call('POST', '/api/v1/workspaces/join', { token })
  assert.ok(joined)
  compareOutcome(outcome, joined, `${account.name} joins ${owner.name}`)
}
async function changeMembers(): Promise<void> {
  const owners = [...homes].filter(([owner]) => ['Olga', 'Tom'].includes(owner.name) && !owner.isClosed)
  const [owner, workspace] = pick(owners) ?? []
  const account = pick(
    [...homes.keys()].filter(({ name, isClosed }) => ['Paul', 'Vera', 'Tess'].includes(name) && !isClosed),
  )
  if (!owner || !workspace || !account) return
  const role =
    workspace.side === 'practice' ? 'assistant' : (pick(['parent', 'parent', 'viewer']) ?? 'parent')
  if (!world.roleOf(account, workspace)) return takeIn(owner, account, role)
  const isOwn = chance(0.3)
  const seat = seatOf(isOwn ? account : owner, workspace)
  const answer = await call(seat, 'DELETE', `/api/v1/members/${account.id}`, {})
  world.leave(account, workspace)
  compareOutcome({ status: 204 }, answer, `${account.name} leaves ${owner.name}`)
  // Out at once, whatever is asked for.
  const out = await call(seatOf(account, workspace), 'GET', '/api/v1/sessions')
  compareOutcome({ status: 404, code: 'no_such_workspace' }, out, 'somebody who left')
}

async function closeOrReopen(): Promise<void> {
  const closed = [...homes.keys()].find(({ isClosed }) => isClosed)
  await superuser.query('delete from rate_limits')
  const account = closed ?? pick([...homes.keys()].filter(({ name }) => name !== 'Otto')) ?? assert.fail()
  const seat = seatOf(account)
  const caller = callers.get(account) ?? assert.fail()
  if (closed) {
    assert.equal(
      (await caller.call('POST', '/api/auth/sign-in', { email: account.email, password: PASSWORD })).status,
      200,
    )
    const early = await call(seat, 'GET', '/api/v1/sessions')
    compareOutcome({ status: 403, code: 'account_deleted' }, early, 'an account that is going')
    assert.equal((await caller.call('POST', '/api/auth/keep-account', {})).status, 200)
    await staySignedIn()
  } else assert.equal((await caller.call('DELETE', '/api/v1/me', { current_password: PASSWORD })).status, 204)
  account.isClosed = !account.isClosed
  for (const workspace of workspaces) await compareLinks(workspace)
}

/** Somebody else's ids in every place: 404 or 422, and nothing changes. */
async function trespass(): Promise<void> {
  const account = pick([...homes.keys()].filter(({ isClosed }) => !isClosed)) ?? assert.fail()
  const seat = seatOf(account)
  const theirs = pick(world.rows.filter((row) => !world.rowOf(seat.workspace, row.id)))
  const link = pick(world.links.filter((one) => !world.seesLink(seat.workspace, one)))
  const stranger = pick(workspaces.filter((workspace) => !world.roleOf(account, workspace))) ?? assert.fail()
  const child =
    pick(world.people.filter((one) => one.workspace !== seat.workspace && one.id)) ?? assert.fail()
  const path = `/api/v1/sessions/${theirs?.id ?? randomUUID()}`
  const [method, where, body, status] =
    pick<[string, string, object | undefined, number]>([
      ['GET', path, undefined, 404],
      ['GET', account.name === 'Otto' ? `${path}/history` : path, undefined, 404],
      ['PATCH', path, { duration: 2 }, 404],
      ['DELETE', path, {}, 404],
      ['POST', `${path}/confirm`, {}, 404],
      ['POST', `${path}/dispute`, { note: 'mine' }, 404],
      ['POST', `${path}/keep`, {}, 404],
      ['POST', '/api/v1/confirmations', { sessions: [{ id: theirs?.id ?? randomUUID(), version: 1 }] }, 404],
      ['POST', '/api/v1/sessions', { ...onTheWire(aLesson(seat)), date: day(-1), student_id: child.id }, 422],
      ['GET', `/api/v1/students/${child.id}`, undefined, 404],
      ['DELETE', `/api/v1/connections/${link?.id ?? randomUUID()}`, {}, 404],
      ['GET', `/api/v1/connections/${link?.id ?? randomUUID()}/pairs`, undefined, 404],
    ]) ?? assert.fail()
  const answer = await call(seat, method, where, body)
  assert.equal(answer.status, status, `${account.name}: ${method} ${where} ${JSON.stringify(answer.body)}`)
  const outside = await call({ account, workspace: stranger, role: 'none' }, method, where, body)
  compareOutcome({ status: 404, code: 'no_such_workspace' }, outside, 'a workspace of others')
  if (theirs) await compareId(theirs.id, [])
}

const ACTIONS: [number, () => Promise<void>][] = [
  [25, log],
  [14, change],
  [7, takeNotes],
  [20, giveWord],
  [4, confirmMany],
  [6, answerDispute],
  [8, remove],
  [3, keep],
  [2, leaveSession],
  [2.5, ask],
  [4, answerLink],
  [1.2, end],
  [3, answerPairs],
  [1, changePeople],
  [0.6, changeMembers],
  [0.5, closeOrReopen],
  [3, trespass],
]
const TOTAL = ACTIONS.reduce((sum, [weight]) => sum + weight, 0)
function anAction(): () => Promise<void> {
  let at = random() * TOTAL
  for (const [weight, action] of ACTIONS) if ((at -= weight) < 0) return action
  return log
}

test(`T1, D9: whatever two sides do in whatever order, each sees what a plain model says, and neither speaks for the other (${STEPS} steps)`, async () => {
  let step = 0
  let action = ''
  const started = [performance.now(), process.cpuUsage()] as const
  try {
    for (; step < STEPS; step++) {
      world.now = server.clock.now.getTime()
      const next = anAction()
      action = next.name
      counts.set(action, (counts.get(action) ?? 0) + 1)
      await next()
      if (step % EVERYTHING === EVERYTHING - 1) await compareEverything()
    }
    await compareEverything()
    assert.equal((await verifyHistory(server.db)).broken, undefined)
  } catch (error) {
    throw new Error(`MODEL_SEED=${SEED}, step ${step} (${action}): ${(error as Error).message}`, {
      cause: error,
    })
  } finally {
    if (process.env.MODEL_REPORT) report(step, started)
  }
})

function report(steps: number, [since, usage]: readonly [number, NodeJS.CpuUsage]): void {
  const { user, system } = process.cpuUsage(usage)
  console.log(
    `seed ${SEED}: ${steps} steps in ${((performance.now() - since) / 1000).toFixed(1)} s, ${((user + system) / 1e6).toFixed(1)} CPU seconds of Node; ` +
      `${world.rows.length} rows, ${world.links.length} connections; ${[...counts, ...answers].map(([name, count]) => `${name} ${count}`).join(', ')}`,
  )
}
