// The people of the walk, and what they start with.
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { MOST_MEMBERS } from '#features/workspaces/workspace.ts'
import { PASSWORD } from '#main/testing.server.ts'
import { CLASS_START } from '../sessions.ts'
import type { Account, Member, Outcome, Person, Role, Side, Workspace } from '../terms.ts'
import { dollars } from '../views.ts'
import { join } from '../workspaces.ts'
import { memberOf, membersOf, peopleFor, tutorsFor } from '../world.ts'
import { compareMembers, compareOutcome } from './compare.ts'
import { day, forgetLimits, server, staySignedIn, superuser, visitors, world } from './here.ts'
import { call, visitorOf } from './operations.ts'

/** The children of a family, and the students of a practice. */
const CAST: { name: string; family?: string[]; practice?: string[]; currency?: 'EUR' }[] = [
  { name: 'Olga', family: ['Maya', 'Leo'] },
  { name: 'Paul', family: ['Ida'] },
  { name: 'Vera', family: [] },
  { name: 'Cara', family: [] },
  { name: 'Fay', family: ['Maya', 'Nils'], currency: 'EUR' },
  { name: 'Tom', practice: ['Leo', 'Nora'] },
  { name: 'Tess', practice: ['Maya'] },
  { name: 'Sam', family: ['Sid', 'Pia'], practice: ['Ida'] },
  { name: 'Otto', family: ['Zoe'] },
]
/** The tutors that families add, with the rate in cents: people of the cast, and one who only answers by email. */
const TUTORS: [string, number][] = [
  ['Tom', 4500],
  ['Tess', 5000],
  ['Sam', 4000],
  ['Edgar', 3000],
]
/** The families without an account that a practice can ask. */
export const ADDRESSES = ['the-novaks@example.com', 'the-lees@example.com']
export const accounts: Account[] = CAST.map(({ name }) => ({ name, email: '', id: '', isClosed: true }))
const named = (name: string): Account => accounts.find((one) => one.name === name) ?? assert.fail(name)
const castOf = ({ name }: Account) => CAST.find((one) => one.name === name) ?? assert.fail(name)
const addressOf = (name: string) =>
  accounts.find((one) => one.name === name)?.email ?? `${name.toLowerCase()}@example.com`
/** Someone who isn't involved and must see nothing. */
export const OUTSIDER = named('Otto')

export async function gather(): Promise<void> {
  const ids = await Promise.all(accounts.map(signUp))
  for (const [at, account] of accounts.entries()) await begin(account, ids[at] ?? [])
  for (const account of accounts) await furnish(account)
  const family = ownedBy('Olga', 'family')
  await takeIn(family, named('Paul'), 'parent', null)
  await takeIn(family, named('Vera'), 'viewer', null)
  await takeIn(family, named('Cara'), 'caregiver', peopleFor(world, family).slice(0, 1))
  await takeIn(family, named('Fay'), 'parent', peopleFor(world, family).slice(1))
  const practice = ownedBy('Tom', 'practice')
  await takeIn(practice, named('Tess'), 'assistant', peopleFor(world, practice).slice(0, 1))
}
const ownedBy = (name: string, side: Side): Member =>
  world.members.find(
    ({ account, role, workspace }) => account.name === name && role === 'owner' && workspace.side === side,
  ) ?? assert.fail(`${name} owns no ${side}`)

/** Signs up an account with its workspaces, and returns their ids. */
export async function signUp(account: Account): Promise<string[]> {
  const { family, practice } = castOf(account)
  const visitor = server.aStranger()
  account.email ||= visitor.email
  visitor.email = account.email
  visitors.set(account, visitor)
  const { email } = account
  const wanted = { email, password: PASSWORD, role: family ? 'parent' : 'tutor' }
  const signed = await visitor.call('POST', '/api/auth/sign-up', wanted)
  assert.ok(signed.status < 300, JSON.stringify(signed.body))
  assert.equal((await server.confirm(visitor)).status, 200)
  account.id = String((await visitor.call('GET', '/api/v1/me')).body.id)
  account.isClosed = false
  if (!family || !practice) return [account.id]
  const second = await visitor.call('POST', '/api/v1/workspaces', { kind: 'practice' })
  assert.equal(second.status, 201, JSON.stringify(second.body))
  return [account.id, String(second.body.id)]
}
/** Adds an account's workspaces to the model. They're empty, except for a tutor's own entry. */
export async function begin(account: Account, ids: string[]): Promise<void> {
  const cast = castOf(account)
  const currency = cast.currency ?? 'USD'
  const sides = (['family', 'practice'] as const).filter((side) => cast[side])
  for (const [at, side] of sides.entries()) {
    const workspace: Workspace = { id: ids[at] ?? assert.fail(), side, owner: account, currency }
    const owner: Member = { account, workspace, role: 'owner', students: null }
    world.workspaces.push(workspace)
    world.members.push(owner)
    if (currency !== 'USD') assert.equal((await call(owner, 'PATCH', '/api/v1/me', { currency })).status, 200)
    if (side === 'family') continue
    const [self] = (await call(owner, 'GET', '/api/v1/tutors')).body as unknown as { id: string }[]
    assert.ok(self)
    await call(owner, 'PATCH', `/api/v1/tutors/${self.id}`, { hourly_rate: 45 })
    world.tutors.push({ id: self.id, workspace, email: null, rate: 4500 })
  }
}
/** Adds people, tutors and a schedule to an account's workspaces. */
export async function furnish(account: Account): Promise<void> {
  await staySignedIn()
  for (const owner of world.members.filter((one) => one.account === account && one.role === 'owner')) {
    const { side } = owner.workspace
    if (peopleFor(world, owner).length > 0) continue
    const names = castOf(account)[side] ?? []
    for (const name of names) await addPerson(owner, name, name === 'Nora' ? 6000 : null)
    if (side === 'family') {
      for (const [name, rate] of account === OUTSIDER ? TUTORS.slice(0, 1) : TUTORS)
        await addTutor(owner, addressOf(name), rate)
      await addTutor(owner, null, null)
    }
    if (names.length > 1 || side === 'practice') await addSchedule(owner, side === 'family' ? 4000 : null)
  }
}

export async function addPerson(seat: Member, name: string, rate: number | null): Promise<void> {
  const body = { name: `${name} Whitfield`, ...(rate ? { hourly_rate: rate / 100 } : {}) }
  const reply = await call(seat, 'POST', '/api/v1/students', body)
  assert.equal(reply.status, 201)
  world.people.push({ id: String(reply.body.id), workspace: seat.workspace, firstName: name, rate })
}
export async function addTutor(seat: Member, email: string | null, rate: number | null): Promise<void> {
  const tutor = { name: 'Ingrid', email, hourly_rate: dollars(rate) }
  const reply = await call(seat, 'POST', '/api/v1/tutors', tutor)
  assert.equal(reply.status, 201, JSON.stringify(reply.body))
  world.tutors.push({ id: String(reply.body.id), workspace: seat.workspace, email, rate })
}
async function addSchedule(seat: Member, rate: number | null): Promise<void> {
  const [person] = peopleFor(world, seat)
  const [tutor] = tutorsFor(world, seat)
  assert.ok(person && tutor)
  const reply = await call(seat, 'POST', '/api/v1/schedules', {
    student_id: person.id,
    tutor_id: tutor.id,
    day_of_week: 2,
    start_time: CLASS_START,
    duration: 1,
    start_date: day(-120),
    hourly_rate: dollars(rate),
  })
  assert.equal(reply.status, 201, JSON.stringify(reply.body))
  world.schedules.push({ id: String(reply.body.id), workspace: seat.workspace, person, tutor, rate })
}

/** Adds a member: the owner sends an invitation, and the account joins. */
export async function takeIn(
  owner: Member,
  account: Account,
  role: Role,
  students: Person[] | null,
): Promise<void> {
  const { workspace } = owner
  const count = membersOf(world, workspace).length
  await forgetLimits()
  const invited = await call(owner, 'POST', '/api/v1/members', {
    email: account.email,
    role,
    ...(students ? { student_ids: students.map(({ id }) => id) } : {}),
  })
  if (memberOf(world, account, workspace))
    return compareOutcome({ status: 409, code: 'already_member' }, invited, 'invites a member')
  if (count === MOST_MEMBERS)
    return compareOutcome({ status: 409, code: 'too_many_members' }, invited, 'invites one too many')
  assert.equal(invited.status, 201, JSON.stringify(invited.body))
  // The real secret is only in the email, so the walk makes one up and stores its hash, the way the email job
  // would.
  const token = randomBytes(32).toString('base64url')
  await server.allJobsDone()
  await superuser.query('update member_invitations set token_hash = $1 where id = $2', [
    createHash('sha256').update(token).digest(),
    invited.body.id,
  ])
  const outcome = join(world, account, workspace, role, students)
  const joined = await visitorOf({ account }).call('POST', '/api/v1/workspaces/join', { token })
  compareOutcome(outcome, joined, `${account.name} joins ${owner.account.name}`)
  const path = `/api/v1/members/${String(invited.body.id)}`
  const gone: Outcome = { status: outcome.status === 200 ? 404 : 204 }
  compareOutcome(gone, await call(owner, 'DELETE', path, {}), 'takes an invitation back')
  await compareMembers(owner)
}
