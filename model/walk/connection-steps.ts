// The steps with connections, and with the sessions that may be the same lesson.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { commands } from '../commands.ts'
import { isLink, isOpen, type Link } from '../terms.ts'
import { barred, memberOf, membersOf, peopleFor, seesLink, tutorsFor } from '../world.ts'
import { aSeat, pageOf } from './callers.ts'
import { ADDRESSES } from './cast.ts'
import {
  compareBoth,
  compareOutcome,
  comparePage,
  learnIds,
  modelPairText,
  nameOf,
  pairText,
} from './compare.ts'
import { changeSession } from './entry-steps.ts'
import { day, steps, world } from './here.ts'
import { makeToken, send } from './operations.ts'
import { listLinks } from './reads.ts'

const { chance, below, pick, oneOf } = steps

export async function ask(): Promise<void> {
  // Sometimes another member acts while the owner's account is closed.
  const left = world.members.find(
    ({ account, workspace, role }) => role === 'parent' && workspace.owner.isClosed && !account.isClosed,
  )
  const seat = left && chance(0.4) ? left : aSeat('family')
  const tutors = tutorsFor(world, seat)
  const free = tutors.filter(
    (one) => one.email && !world.links.some((link) => link.tutor === one && isOpen(link)),
  )
  const id = (chance(0.1) ? pick(tutors) : (pick(free) ?? pick(tutors)))?.id ?? randomUUID()
  const from = chance(0.2) ? day(-below(80)) : null
  const outcome = barred(seat, 'connections') ?? commands.ask(world, seat, id, from)
  const body = { tutor_id: id, ...(from ? { shared_from: from } : {}) }
  const reply = await send(seat, 'Ask', { body })
  compareOutcome(outcome, reply, `${nameOf(seat)} asks`)
  if (outcome.link) await begun(outcome.link, String(reply.body.id))
}
/** A practice asks a family that has no account. */
export async function invite(): Promise<void> {
  const seat = aSeat('practice')
  const email = oneOf(ADDRESSES)
  const ids = peopleFor(world, seat).flatMap(({ id }) => (chance(0.4) ? [id] : []))
  if (ids.length === 0) ids.push(randomUUID())
  const outcome = barred(seat, 'connections') ?? commands.invite(world, seat, email, ids)
  const reply = await send(seat, 'Ask', { body: { email, student_ids: ids } })
  compareOutcome(outcome, reply, `${nameOf(seat)} asks a family`)
  if (outcome.link) await begun(outcome.link, String(reply.body.id))
}
async function begun(link: Link, id: string): Promise<void> {
  if (!link.id) {
    link.id = id
    await makeToken(link)
  }
  await compareBoth(link)
  await comparePage(link)
}

/** A practice accepts or declines, or matches children to different students. */
export async function answerLink(): Promise<void> {
  const seat = aSeat('practice')
  const visible = world.links.filter((one) => seesLink(seat, one))
  const asked = visible.filter((one) => !one.practice)
  const link =
    (chance(0.8) ? pick(asked) : undefined) ??
    pick(visible.filter((one) => one.state === 'active')) ??
    pick(visible)
  if (!link) return ask()
  const state = asked.includes(link)
    ? oneOf(['active', 'active', 'active', 'declined', undefined] as const)
    : oneOf(['active', undefined, undefined, undefined] as const)
  const people = (await listLinks(seat)).find(({ id }) => id === link.id)?.people ?? []
  const students = world.people.filter((one) => one.workspace === seat.workspace && one.id)
  const matches = people
    .filter(() => chance(0.6))
    .map((who) => {
      const likely = chance(0.7) ? students.find((one) => one.firstName === who.first_name) : pick(students)
      return { id: who.id, firstName: who.first_name, student: chance(0.3) ? null : (likely?.id ?? null) }
    })
  const chosen = matches.length > 0 ? matches : undefined
  const outcome = barred(seat, 'connections') ?? commands.answerLink(world, seat, link.id, state, chosen)
  const named = chosen?.map(({ id, student }) => ({ id, student_id: student }))
  const body = { ...(state ? { state } : {}), ...(named ? { people: named } : {}) }
  const reply = await send(seat, 'AnswerLink', { id: link.id, body })
  compareOutcome(outcome, reply, `${nameOf(seat)} answers ${String(state)} ${JSON.stringify(matches)}`)
  await compareBoth(link)
  await comparePage(link)
}
export async function end(): Promise<void> {
  const page = chance(0.2) ? pick(world.links.flatMap((link) => pageOf(link) ?? [])) : undefined
  const seat = page ?? aSeat()
  const visible = isLink(seat) ? [seat.link] : world.links.filter((one) => seesLink(seat, one))
  const link = pick(visible.filter((one) => one.state === 'active')) ?? pick(visible)
  const id = (chance(0.1) && !page ? pick(world.links) : link)?.id ?? randomUUID()
  const outcome = isLink(seat)
    ? commands.endByMail(world, seat)
    : (barred(seat, 'connections') ?? commands.end(world, seat, id))
  const reply = isLink(seat)
    ? await send(seat, 'EndByMail', { body: { forget: false } })
    : await send(seat, 'EndLink', { id })
  compareOutcome(outcome, reply, `${isLink(seat) ? 'a page' : nameOf(seat)} ends`)
  if (!outcome.link) return
  await compareBoth(outcome.link)
  await comparePage(outcome.link)
}

export async function answerPairs(): Promise<void> {
  const link = pick(world.links.filter((one) => one.pairs.length > 0))
  const workspace = link && (chance(0.5) ? link.family : link.practice)
  if (!workspace) return changeSession()
  const seat =
    (chance(0.2) ? pick(membersOf(world, workspace)) : memberOf(world, workspace.owner, workspace)) ??
    assert.fail()
  const { id } = link
  const what = `${nameOf(seat)} answers pairs`
  const refusal = barred(seat, 'connections')
  if (refusal)
    return compareOutcome(refusal, await send(seat, 'AnswerPairs', { id, body: { same: [] } }), what)
  const listed = await send(seat, 'ListPairs', { id })
  const pairs = listed.body.pairs as ({ id: string } & Parameters<typeof pairText>[0])[]
  const isSame = chance(0.7)
  // This test can't tell apart pairs whose visible fields are the same.
  const named = link.pairs
    .filter(() => chance(0.5))
    .flatMap((pair) => {
      const text = modelPairText(workspace.side, pair)
      const alike = pairs.filter((one) => pairText(one) === text)
      return alike.length === 1 && alike[0] ? [{ pair, id: alike[0].id }] : []
    })
  const chosen = named.map(({ pair }) => pair)
  const outcome = commands.answerPairs(world, seat, id, chosen, isSame)
  const body = { [isSame ? 'same' : 'different']: named.map((one) => one.id) }
  compareOutcome(outcome, await send(seat, 'AnswerPairs', { id, body }), what)
  await learnIds()
  await compareBoth(link)
}
