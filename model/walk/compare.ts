// Compares what everyone sees with the model.
import assert from 'node:assert/strict'
import type { Answer as Reply } from '#main/testing.server.ts'
import { answerOf, rateOf, standingOf, waitsFor } from '../kinds.ts'
import { accountsOf, linesOf } from '../ledger.ts'
import {
  type Entry,
  isOpen,
  isSession,
  type Link,
  type Member,
  monthOf,
  otherSide,
  type Outcome,
  type Pair,
  type Role,
  type Session,
  type Side,
  type Workspace,
} from '../terms.ts'
import { dollars, seePayment, seeSession, totalsOf } from '../views.ts'
import {
  barred,
  entriesOf,
  entryFor,
  isNarrow,
  isReadOnly,
  isShut,
  listedLinks,
  membersOf,
  seenBy,
  sessionsFor,
} from '../world.ts'
import { day, noForeignAnswers, steps, superuser, world } from './here.ts'
import { call, openPage, send } from './operations.ts'
import { listEntries, listLedgers, listLinkPairs, listLinks, readEntry, readMonth } from './reads.ts'

type Seen = { id: string; version: number } & Record<string, unknown>

/**
 * The members whose views of a workspace are compared: all limited members, plus one who sees everything
 * (`told`, if given).
 */
export function readers(workspace: Workspace, told?: Member): Member[] {
  const members = membersOf(world, workspace)
  const whole = members.filter((one) => !isNarrow(one))
  const one = told?.workspace === workspace && !isNarrow(told) ? told : steps.pick(whole)
  return [...(one ? [one] : []), ...members.filter(isNarrow)]
}
export const nameOf = ({ account, workspace, role }: Member): string =>
  `${account.name} (${role} of ${workspace.owner.name}'s ${workspace.side})`

export function compareOutcome(outcome: Outcome, reply: Reply, what: string): void {
  steps.tally(`${outcome.status} ${outcome.code ?? ''}`.trim())
  assert.deepEqual(
    [reply.status, reply.status >= 400 && outcome.code ? reply.body.code : outcome.code],
    [outcome.status, reply.status === 202 ? 'deletion_requested' : outcome.code],
    `${what}: ${reply.status} ${JSON.stringify(reply.body).slice(0, 300)}`,
  )
}

// Entries.

/** What each version of an entry contained when it was read, by workspace and entry, newest version last. */
export const versions = new Map<string, Map<number, string>>()
/**
 * Fields that can change without a new version: the entry's people (when children are matched or people are
 * deleted), who else can read it, and what follows from that.
 */
const UNVERSIONED = new Set(
  'student_id tutor_id connection_id is_shared is_read_only counts currency'.split(' '),
)

export function compareEntry(who: Member, entry: Entry, found: object | undefined): void {
  assert.ok(found, `${nameOf(who)} does not see ${entry.kind} ${entry.id}`)
  const seen = found as Seen
  const expected: Record<string, unknown> = isSession(entry)
    ? seeSession(world, who, entry)
    : seePayment(who, entry)
  const fields = Object.keys(expected)
  // They're usually equal, and building the error message is slow, so check for equality first.
  if (fields.some((field) => seen[field] !== expected[field])) {
    const own = Object.fromEntries(fields.map((field) => [field, seen[field]]))
    assert.deepEqual(own, expected, `a ${entry.kind} as ${nameOf(who)} sees it`)
  }
  if (who.role === 'caregiver') return
  const content = JSON.stringify(fields.map((field) => UNVERSIONED.has(field) || seen[field]))
  const key = `${who.workspace.id} ${entry.id}`
  const known = versions.get(key) ?? new Map<number, string>()
  const before = known.get(seen.version) ?? content
  assert.equal(before, content, `version ${seen.version} came back for other content`)
  known.delete(seen.version)
  versions.set(key, known.set(seen.version, content))
}
export const holders = (id: string): Workspace[] =>
  world.workspaces.filter((workspace) => entriesOf(world, workspace).some((one) => one.id === id))

/**
 * Compares each side's view of an entry, and checks that nobody else sees it.
 * @param before the workspaces that had it before the step
 * @param told a member and the response the server gave them
 */
export async function compareId(
  kind: Entry['kind'],
  id: string,
  before: Workspace[],
  told?: { seat: Member; entry: object },
): Promise<void> {
  const shown = new Set(holders(id))
  for (const workspace of world.workspaces)
    if (!shown.has(workspace)) versions.delete(`${workspace.id} ${id}`)
  // Sometimes also check a workspace that never had the entry.
  const looking = world.workspaces.filter(
    (workspace) => shown.has(workspace) || before.includes(workspace) || steps.chance(0.03),
  )
  const whom = looking
    .flatMap((workspace) => readers(workspace, told?.seat))
    .filter((who) => kind === 'session' || !isNarrow(who))
  const compared = whom.map(async (who) => {
    const found = who === told?.seat ? told.entry : await readEntry[kind](who, id)
    const entry = entryFor(world, who, id)
    if (entry) compareEntry(who, entry, found)
    else assert.equal(found, undefined, `${nameOf(who)} sees ${id}`)
  })
  const holder = steps.pick([...shown])
  await Promise.all([...compared, ...(holder ? [compareLedgers(holder)] : [])])
}

export async function compareLog(who: Member): Promise<void> {
  for (const kind of ['session', 'payment'] as const) {
    if (kind === 'payment' && isNarrow(who)) continue
    const found: object[] = await listEntries[kind](who)
    const seen = new Map((found as Seen[]).map((entry) => [entry.id, entry]))
    const own = seenBy(world, who).filter(
      (entry) => entry.kind === kind && !(isSession(entry) && entry.isHeld),
    )
    const ids = own.map(({ id }) => id)
    assert.deepEqual([...seen.keys()].sort(), ids.sort(), `the ${kind}s of ${nameOf(who)}`)
    for (const entry of own) compareEntry(who, entry, seen.get(entry.id))
  }
}

type Amounts = Record<`${'total' | 'verified' | 'waiting' | 'disputed' | 'own'}_amount`, number>
export function compareMonth(who: Member, month: string, summary: Amounts): void {
  const { total_amount, verified_amount, waiting_amount, disputed_amount, own_amount } = summary
  const { total, verified, waiting, disputed, own } = totalsOf(world, who, month)
  assert.deepEqual(
    [total_amount, verified_amount, waiting_amount, disputed_amount, own_amount],
    [total, verified, waiting, disputed, own].map(dollars),
    `${month} of ${nameOf(who)}`,
  )
}

/** Compares every line in a workspace's accounts, to the cent. */
async function compareLedgers(workspace: Workspace): Promise<void> {
  const who = membersOf(world, workspace).find(({ role }) => role === 'owner')
  if (!who) return
  const lines = new Map<string, string[]>()
  for (const ledger of await listLedgers(who))
    lines.set(
      ledger.connection_id ?? ledger.id ?? 'unknown',
      ledger.lines.map(({ entry, charged, paid, covered, coveredAmount, balance, left }) =>
        [entry.id, entry.standing, charged, paid, covered, coveredAmount, balance, left].join(' '),
      ),
    )
  const expected = [...accountsOf(world, workspace)].map(([key, entries]): [string, string[]] => [
    key,
    linesOf(entries, workspace.side).map(({ entry, charged, paid, covered, coveredCents, balance, left }) =>
      [entry.id, standingOf(entry), charged, paid, covered, coveredCents, balance, left].join(' '),
    ),
  ])
  const filled = (accounts: Iterable<[string, string[]]>) =>
    Object.fromEntries([...accounts].filter(([, own]) => own.length > 0))
  assert.deepEqual(filled(lines), filled(expected), `the accounts of ${nameOf(who)}`)
}

// Connections.

/** Members who can't see amounts, or can't see all students, don't see connections. */
async function compareLinks(who: Member): Promise<void> {
  if (isNarrow(who)) return
  const { side } = who.workspace
  const found = await listLinks(who)
  const expected = listedLinks(world, who)
  const byId = (one: { id: string }, other: { id: string }) => (one.id < other.id ? -1 : 1)
  assert.deepEqual(
    found
      .map((one) => ({
        id: one.id,
        state: one.state,
        tutor: one.tutor_id,
        ended_by: one.ended_by,
        pairs: one.pairs,
        is_read_only: one.is_read_only,
        people: one.people.map(({ first_name, student_id }) => `${first_name} ${student_id}`).sort(),
      }))
      .sort(byId),
    expected
      .map((link) => ({
        id: link.id,
        state: link[side] ? link.state : 'asked',
        tutor: side === 'family' ? (link.tutor?.id ?? null) : null,
        ended_by: link.endedBy && (link.endedBy === side ? 'you' : 'other'),
        pairs: link.pairs.length,
        is_read_only: isReadOnly({ link }, side),
        people: link.people
          .map((one) => `${one.firstName} ${(side === 'family' ? one.child : one.student)?.id ?? null}`)
          .sort(),
      }))
      .sort(byId),
    `the connections of ${nameOf(who)}`,
  )
  for (const link of expected.filter(({ pairs }) => pairs.length > 0)) {
    const pairs = await listLinkPairs(who, link.id)
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
export const pairText = ({ yours, theirs }: { yours: Half; theirs: Half }): string =>
  `${halfText(yours)} = ${halfText(theirs)}`
export function modelPairText(side: Side, pair: Pair): string {
  const half = (session: Session) =>
    halfText({
      date: session.facts.day,
      duration: session.facts.minutes / 60,
      rate: dollars(rateOf(session)),
      subject: session.subject,
    })
  return `${half(pair[side])} = ${half(pair[otherSide(side)])}`
}

/** The side of a connection that answers on an emailed page; undefined if both have an account. */
export const emailedSide = ({ family, practice }: Link): Side | undefined =>
  practice ? (family ? undefined : 'family') : 'practice'
/** Whether an emailed page still shows something: its connection is open, and so is the account of its other side. */
export const isPageOpen = (link: Link): boolean =>
  emailedSide(link) !== undefined && isOpen(link) && !isShut(link)
/** Entries in the future can't be answered yet, except for a request to delete them. */
const isAnswerable = (entry: Entry, side: Side) =>
  entry.facts.day <= day(1) || entry.deletion?.by === otherSide(side)
export const onPage = (link: Link, side: Side): Entry[] =>
  world.entries.filter((entry) => entry.link === link && isAnswerable(entry, side))
/** Compares an emailed page with the model. Without an open connection, or with an account, there's no page. */
export async function comparePage(link: Link): Promise<void> {
  const page = await openPage(link)
  const side = emailedSide(link)
  if (!side || !isPageOpen(link)) return assert.equal(page, undefined, 'a page that is gone')
  const text = (...parts: unknown[]) => parts.join(' ')
  const shown = [...(page?.session ?? []), ...(page?.payment ?? [])]
  assert.deepEqual(
    shown.map((one) => text(one.id, one.own_confirmation, one.other_confirmation)).sort(),
    onPage(link, side)
      .map((entry) => text(entry.id, answerOf(entry, side), answerOf(entry, otherSide(side))))
      .sort(),
    `the page of the ${side} without an account`,
  )
}

// Everything.

/** Compares the entries, connections and accounts of these members. */
export async function compareAll(who: Member[]): Promise<void> {
  await learnIds()
  await Promise.all(who.flatMap((one) => [compareLog(one), compareLinks(one)]))
  await Promise.all([...new Set(who.map(({ workspace }) => workspace))].map(compareLedgers))
}
export async function compareBoth({ family, practice }: Link): Promise<void> {
  const sides = [family, practice].filter((side) => side !== null)
  await compareAll(sides.filter((one) => world.workspaces.includes(one)).flatMap((one) => readers(one)))
}
/** Compares what everyone sees. For each connection, both sides must agree to the cent on what they share. */
export async function compareEverything(): Promise<void> {
  await compareAll(world.members)
  for (const link of world.links) await comparePage(link)
  const months = world.members.flatMap((who) =>
    [...new Set(sessionsFor(world, who).map(({ facts }) => monthOf(facts.day)))].map(async (month) =>
      compareMonth(who, month, await readMonth(who, month)),
    ),
  )
  await Promise.all(months)
  await noForeignAnswers()
}

export async function compareMembers(owner: Member): Promise<void> {
  const { body } = await call(owner, 'GET', '/api/v1/members')
  const found = body as unknown as { id: string; role: Role; student_ids: string[] | null }[]
  const text = (id: string, role: Role, ids: string[] | null) =>
    `${id} ${role} ${ids?.sort().join() ?? 'all'}`
  assert.deepEqual(
    found.map(({ id, role, student_ids }) => text(id, role, student_ids)).sort(),
    membersOf(world, owner.workspace)
      .map(({ account, role, students }) => text(account.id, role, students?.map(({ id }) => id) ?? null))
      .sort(),
    `the members of ${nameOf(owner)}`,
  )
  await compareAll(readers(owner.workspace))
}

/** Learns the ids that the server made: of a student who was added for a child, and of a payment with a new id. */
export async function learnIds(): Promise<void> {
  for (const person of world.people.filter(({ id }) => id === '')) {
    const { rows } = await superuser.query<{ id: string }>(
      'select id from students where workspace_id = $1 and name = $2 order by created_at, id',
      [person.workspace.id, person.firstName],
    )
    const id = rows.find((row) => !world.people.some((known) => known.id === row.id))?.id
    assert.ok(id, `no student ${person.firstName} was made for ${person.workspace.owner.name}`)
    person.id = id
  }
  for (const entry of world.entries.filter(({ id, link }) => id === '' && link)) {
    const { rows } = await superuser.query<{ id: string }>(
      'select id from payments where connection_id = $1',
      [entry.link?.id],
    )
    const id = rows.find((row) => !world.entries.some((known) => known.id === row.id))?.id
    assert.ok(id, 'no new id of a payment')
    entry.id = id
  }
}

/** Compares what waits for a member's answer with the model (rule 3). */
export async function compareWaiting(seat: Member): Promise<void> {
  if (barred(seat, 'payments')) return
  const { side } = seat.workspace
  const asked = [
    await send(seat, 'ListWaitingSessions', { query: '?waiting=true' }),
    await send(seat, 'ListWaitingPayments'),
  ]
  const found = asked.flatMap(({ body }) => (body.sessions ?? body.payments) as { id: string }[])
  const expected = seenBy(world, seat).filter(
    (entry) => waitsFor(entry, side) && !isReadOnly(entry, side) && isAnswerable(entry, side),
  )
  assert.deepEqual(
    found.map(({ id }) => id).sort(),
    expected.map(({ id }) => id).sort(),
    `what waits for ${nameOf(seat)}`,
  )
}
