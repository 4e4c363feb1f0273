// The steps with people, members and accounts, and those of people who shouldn't get anywhere.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { unzipSync } from 'fflate'
import { purgeAccounts } from '#features/privacy/jobs.server.ts'
import { PASSWORD } from '#main/testing.server.ts'
import { commands } from '../commands.ts'
import { isSession, type Account, type Member, type Outcome, type Role, type Side } from '../terms.ts'
import * as workspaces from '../workspaces.ts'
import {
  barred,
  entryFor,
  entriesOf,
  memberOf,
  membersOf,
  NO_PART,
  peopleFor,
  seesLink,
  sessionsFor,
  tutorsFor,
} from '../world.ts'
import { aSeat } from './callers.ts'
import { accounts, addPerson, addTutor, begin, furnish, OUTSIDER, signUp, takeIn } from './cast.ts'
import {
  compareAll,
  compareBoth,
  compareEntry,
  compareId,
  compareMembers,
  compareMonth,
  compareOutcome,
  compareWaiting,
  nameOf,
  readers,
  versions,
} from './compare.ts'
import { aLessonOnTheWire } from './entry-steps.ts'
import { day, erased, MONTHS, server, staySignedIn, steps, superuser, world } from './here.ts'
import { call, send, visitorOf } from './operations.ts'

const { chance, pick, oneOf } = steps
const everyone = () => world.workspaces.flatMap((workspace) => readers(workspace))

/** Deletes a child, a student or a tutor, or adds one when only a few are left. */
let added = 0
export async function changePeople(): Promise<void> {
  const seat = aSeat()
  const refusal = barred(seat, 'people')
  if (refusal) {
    const reply = await call(seat, 'POST', '/api/v1/students', { name: 'Ann' })
    return compareOutcome(refusal, reply, 'adds a child')
  }
  const people = peopleFor(world, seat)
  const { side } = seat.workspace
  if (people.length < 3)
    return addPerson(seat, `Child${++added}`, side === 'practice' && chance(0.3) ? 5500 : null)
  const tutor = side === 'family' && chance(0.2) ? pick(tutorsFor(world, seat)) : undefined
  const person = oneOf(people)
  const path = tutor ? `/api/v1/tutors/${tutor.id}` : `/api/v1/students/${person.id}`
  const link = tutor && world.links.find((one) => one.tutor === tutor && one.practice)
  const outcome = tutor
    ? commands.removeTutor(world, seat, tutor.id)
    : commands.removePerson(world, seat, person.id)
  compareOutcome(outcome, await call(seat, 'DELETE', path, {}), `${nameOf(seat)} deletes ${path}`)
  await compareAll(readers(seat.workspace))
  if (link) await compareBoth(link)
  if (tutor) await addTutor(seat, tutor.email, tutor.rate)
}

const ROLES: Record<Side, Role[]> = {
  family: ['parent', 'parent', 'caregiver', 'caregiver', 'viewer'],
  practice: ['assistant'],
}
/** Adds a member, changes what a member can see, or removes one. */
export async function changeMembers(): Promise<void> {
  const owner = pick(
    world.members.filter(
      ({ account, role, workspace }) =>
        role === 'owner' &&
        !account.isClosed &&
        account !== OUTSIDER &&
        entriesOf(world, workspace).length > 0,
    ),
  )
  if (!owner) return
  const people = peopleFor(world, owner).filter(() => chance(0.4))
  const students = chance(0.5) && people.length > 0 ? people : null
  const role = oneOf(ROLES[owner.workspace.side])
  const members = membersOf(world, owner.workspace).filter((one) => one !== owner)
  const member = pick(members)
  if (!member || chance(members.length > 2 ? 0.05 : 0.4)) {
    const others = accounts.filter((one) => !one.isClosed && one !== owner.account && one !== OUTSIDER)
    const account = pick(others)
    return account && takeIn(owner, account, role, students)
  }
  if (chance(0.4)) return letGo(owner, member)
  const body = { role, student_ids: students?.map(({ id }) => id) ?? null }
  const reply = await call(owner, 'PATCH', `/api/v1/members/${member.account.id}`, body)
  compareOutcome({ status: 200 }, reply, `${nameOf(member)} becomes ${role}`)
  Object.assign(member, { role, students })
  await compareMembers(owner)
}
async function letGo(owner: Member, member: Member): Promise<void> {
  const by = chance(0.3) && !member.account.isClosed ? member : owner
  const reply = await call(by, 'DELETE', `/api/v1/members/${member.account.id}`, {})
  workspaces.leave(world, member)
  compareOutcome({ status: 204 }, reply, `${nameOf(member)} leaves`)
  // The server refuses these right away, whatever the request contains.
  const outside: Member = { ...member, role: 'none' }
  const out = await call(outside, 'GET', '/api/v1/sessions')
  compareOutcome(barred(outside, 'answer') ?? assert.fail(), out, 'somebody who left')
}
export async function handOver(): Promise<void> {
  const open = world.members.filter(({ account }) => !account.isClosed && account !== OUTSIDER)
  const shared = open.filter(({ workspace }) => membersOf(world, workspace).length > 1)
  const by = pick(shared.filter(({ role }) => role === 'owner' || chance(0.1))) ?? oneOf(open)
  const heir = pick(membersOf(world, by.workspace))
  const former = by.workspace.owner
  const what = `${nameOf(by)} makes ${heir && nameOf(heir)} the owner`
  const outcome = workspaces.handOver(by, heir)
  const reply = await call(by, 'PATCH', `/api/v1/members/${heir?.account.id}`, { role: 'owner' })
  compareOutcome(outcome, reply, what)
  if (by.workspace.owner !== former) await compareAll(everyone())
}

/** Checks which role the server returns for each workspace, and that it refuses other people's workspaces. */
export async function switchWorkspace(): Promise<void> {
  const seat = aSeat()
  const list = await call(seat, 'GET', '/api/v1/workspaces')
  const me = await call(seat, 'GET', '/api/v1/me')
  const away = await visitorOf(seat).call('GET', '/api/v1/me', undefined, {
    'tutorlog-workspace': randomUUID(),
  })
  if (seat.account.isClosed) return compareOutcome({ status: 401 }, me, 'a closed account')
  compareOutcome({ status: 404, code: 'no_such_workspace' }, away, 'a workspace of nobody')
  const found = list.body as unknown as { id: string; kind: Side; role: Role }[]
  const own = world.members.filter(({ account }) => account === seat.account)
  assert.deepEqual(
    found.map(({ id, kind, role }) => [id, kind, role]),
    own.map(({ workspace, role }) => [workspace.id, workspace.side, role]),
    `the workspaces of ${seat.account.name}`,
  )
  const { workspace, can_see_amounts: seesAmounts, has_all_students: hasAll } = me.body
  assert.deepEqual(
    [(workspace as { id: string }).id, (workspace as Member).role, seesAmounts, hasAll],
    [seat.workspace.id, seat.role, seat.role !== 'caregiver', seat.students === null],
  )
}

/** A member opens the list of sessions, what waits for an answer, and the month. */
export async function look(): Promise<void> {
  const seat = oneOf(world.members)
  const listed = await call(seat, 'GET', '/api/v1/sessions?limit=200')
  if (seat.account.isClosed) return compareOutcome({ status: 401 }, listed, 'a closed account')
  const sessions = listed.body.sessions as { id: string }[]
  // One that's held isn't in the log yet.
  const own = sessionsFor(world, seat).filter(({ isHeld }) => !isHeld)
  assert.equal(sessions.length, own.length)
  for (const session of own)
    compareEntry(
      seat,
      session,
      sessions.find(({ id }) => id === session.id),
    )
  const month = oneOf(MONTHS)
  if (seat.role === 'caregiver') return lookForAmounts(seat, month)
  const { body } = await call(seat, 'GET', `/api/v1/summary?month=${month}`)
  compareMonth(seat, month, body as Parameters<typeof compareMonth>[2])
  await compareWaiting(seat)
}
/** A caregiver sees no amounts anywhere: not in the month, the export, the calendar or a session's history. */
async function lookForAmounts(seat: Member, month: string): Promise<void> {
  for (const path of [
    `summary?month=${month}`,
    `statements/sessions.csv?month=${month}`,
    'payments',
    'balances',
    'connections',
    'confirmations',
  ])
    compareOutcome(NO_PART, await call(seat, 'GET', `/api/v1/${path}`), `${nameOf(seat)} asks for ${path}`)
  const own = sessionsFor(world, seat)
  const files = Object.values(unzipSync((await call(seat, 'POST', '/api/v1/export', {})).bytes))
  const exported = files.map((file) => Buffer.from(file).toString()).join()
  assert.ok(!own.some(({ id }) => exported.includes(id)), `the export of ${nameOf(seat)}`)
  const feed = String((await call(seat, 'POST', '/api/v1/calendar-feed', {})).body.url)
  const calendar = (await call(seat, 'GET', new URL(feed).pathname)).bytes.toString()
  assert.match(calendar, /BEGIN:VCALENDAR/)
  assert.doesNotMatch(calendar, /[$€]|\d\.\d\d/)
  const [session] = own
  if (!session) return
  const { body } = await send(seat, 'History', { kind: 'session', id: session.id })
  for (const { rate, total_amount, note } of body.entries as Record<string, unknown>[])
    assert.deepEqual([rate, total_amount, note], [null, null, null])
}

/** Deletes an account, restores it, erases it for good, or signs up again after an erasure. */
export async function comeAndGo(): Promise<void> {
  const away = accounts.filter(({ isClosed }) => isClosed)
  const account =
    away.length > 1 || chance(0.5 * away.length)
      ? pick(away)
      : pick(accounts.filter((one) => !one.isClosed && one !== OUTSIDER))
  if (!account) return
  if (!account.isClosed) await close(account)
  else if (erased.has(account)) await comeAnew(account)
  else await (chance(0.5) ? erase(account) : takeBack(account))
  await compareAll(everyone())
}
async function close(account: Account): Promise<void> {
  const reply = await visitorOf({ account }).call('DELETE', '/api/v1/me', { current_password: PASSWORD })
  assert.equal(reply.status, 204)
  account.isClosed = true
}
async function takeBack(account: Account): Promise<void> {
  const visitor = visitorOf({ account })
  const { email } = account
  const signIn = await visitor.call('POST', '/api/auth/sign-in', { email, password: PASSWORD })
  assert.equal(signIn.status, 200)
  const early = await visitor.call('GET', '/api/v1/sessions')
  compareOutcome({ status: 403, code: 'account_deleted' }, early, 'an account that is going')
  assert.equal((await visitor.call('POST', '/api/auth/keep-account', {})).status, 200)
  await staySignedIn()
  account.isClosed = false
}
async function erase(account: Account): Promise<void> {
  const { now } = server.clock
  await superuser.query(
    `update users set deletion_asked_at = $1::timestamptz - interval '40 days' where id = $2`,
    [now, account.id],
  )
  await purgeAccounts(server.db, join(server.dataDir, 'mailbox'), now)
  erased.add(account)
  const before = world.workspaces
  workspaces.erase(world, account)
  const { rows } = await superuser.query<{ id: string }>('select id from workspaces')
  assert.deepEqual(rows.map(({ id }) => id).sort(), world.workspaces.map(({ id }) => id).sort())
  for (const { id } of before.filter((one) => !world.workspaces.includes(one)))
    for (const key of versions.keys()) if (key.startsWith(id)) versions.delete(key)
}
async function comeAnew(account: Account): Promise<void> {
  erased.delete(account)
  await begin(account, await signUp(account))
  await furnish(account)
}

/**
 * Sends other people's ids in every field that takes an id. The response must be 404 or 422, and nothing should
 * change.
 */
export async function trespass(): Promise<void> {
  const seat = oneOf(world.members.filter(({ account, role }) => role === 'owner' && !account.isClosed))
  const { account } = seat
  const theirs = pick(world.entries.filter(({ id }) => !entryFor(world, seat, id)))
  const kind = theirs?.kind ?? 'session'
  const isTaught = !theirs || isSession(theirs)
  const id = theirs?.id ?? randomUUID()
  const link = pick(world.links.filter((one) => !seesLink(seat, one)))?.id ?? randomUUID()
  const stranger = oneOf(world.workspaces.filter((workspace) => !memberOf(world, account, workspace)))
  const child = oneOf(world.people.filter((one) => one.workspace !== seat.workspace && one.id))
  const path = `/api/v1/${kind}s/${id}`
  const [method, where, body, status] = oneOf<[string, string, object | undefined, number]>([
    ['GET', path, undefined, 404],
    ['GET', isTaught && account === OUTSIDER ? `${path}/history` : path, undefined, 404],
    ['PATCH', path, isTaught ? { duration: 2 } : { amount: 2 }, 404],
    ['DELETE', path, {}, 404],
    ['POST', `${path}/confirm`, {}, 404],
    ['POST', `${path}/dispute`, { note: 'mine' }, 404],
    ['POST', `${path}/keep`, {}, 404],
    ['POST', '/api/v1/confirmations', { sessions: [{ id, version: 1 }] }, 404],
    ['POST', '/api/v1/payments/share', { payments: [id] }, 404],
    ['POST', '/api/v1/sessions', { ...aLessonOnTheWire(seat), date: day(-1), student_id: child.id }, 422],
    ['POST', '/api/v1/payments', { date: day(-1), amount: 1, student_id: child.id }, 422],
    ['GET', `/api/v1/students/${child.id}`, undefined, 404],
    ['DELETE', `/api/v1/connections/${link}`, {}, 404],
    ['GET', `/api/v1/connections/${link}/pairs`, undefined, 404],
    ['POST', '/api/v1/months/close', { connection_id: link, month: MONTHS[0] }, 404],
  ])
  const reply = await call(seat, method, where, body)
  assert.equal(reply.status, status, `${account.name}: ${method} ${where} ${JSON.stringify(reply.body)}`)
  const outside: Member = { account, workspace: stranger, role: 'none', students: null }
  const refused: Outcome = { status: 404, code: 'no_such_workspace' }
  compareOutcome(refused, await call(outside, method, where, body), 'a workspace of others')
  if (theirs) await compareId(theirs.kind, theirs.id, [])
}
