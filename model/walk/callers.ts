// Chooses who acts, and on what.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import {
  type Caller,
  type Entry,
  isLink,
  type Link,
  type LinkCaller,
  type Member,
  type Side,
} from '../terms.ts'
import { memberOf, peopleFor, seenBy } from '../world.ts'
import { OUTSIDER } from './cast.ts'
import { emailedSide, isPageOpen, onPage, versions } from './compare.ts'
import { steps, world } from './here.ts'
import { openPage } from './operations.ts'

const { chance, pick } = steps

/** Picks the member who acts, usually one who's allowed to. */
export function aSeat(side?: Side): Member {
  const seats = world.members.filter(
    ({ account, workspace }) =>
      (!side || workspace.side === side) && (!account.isClosed || chance(0.02)) && account !== OUTSIDER,
  )
  const seat = pick(seats) ?? assert.fail('everybody is closed')
  const isIdle = seat.role === 'viewer' || (peopleFor(world, seat).length === 0 && chance(0.9))
  return isIdle && chance(0.9) ? aSeat(side) : seat
}
export const pageOf = (link: Link): LinkCaller | undefined => {
  const side = emailedSide(link)
  return side && isPageOpen(link) ? { link, side } : undefined
}
/** A member, or sometimes an emailed page. */
export function aCaller(): Caller {
  const pages = world.links.flatMap((link) => pageOf(link) ?? [])
  return (chance(0.2) ? pick(pages) : undefined) ?? aSeat()
}
/** Who speaks for a side of a connection: the owner, or the emailed page. Undefined if nobody can. */
export function speakerOf(link: Link, side: Side): Caller | undefined {
  const workspace = link[side]
  if (!workspace) return pageOf(link)
  return workspace.owner.isClosed ? undefined : memberOf(world, workspace.owner, workspace)
}

/** Picks the id of an entry to act on, usually from the caller's own, sometimes from anyone's. */
export function anEntry(caller: Caller, kind: Entry['kind'], where: (entry: Entry) => boolean): string {
  if (!isLink(caller) && chance(0.03))
    return pick(world.entries.filter((one) => one.kind === kind))?.id ?? randomUUID()
  const seen = (isLink(caller) ? onPage(caller.link, caller.side) : seenBy(world, caller)).filter(
    (one) => one.kind === kind,
  )
  return (pick(seen.filter(where)) ?? pick(seen))?.id ?? randomUUID()
}
/** The versions of an entry that the caller has read, oldest first. */
async function knownTo(caller: Caller, kind: Entry['kind'], id: string): Promise<number[]> {
  if (!isLink(caller)) return [...(versions.get(`${caller.workspace.id} ${id}`)?.keys() ?? [])]
  const shown = (await openPage(caller.link))?.[kind].find((one) => one.id === id)
  return shown ? [shown.version - 1, shown.version] : []
}
/** Picks the version to send: the newest, an old one, or none. */
export async function aVersion(
  caller: Caller,
  kind: Entry['kind'],
  id: string,
): Promise<{ isStale: boolean; version?: number }> {
  const known = await knownTo(caller, kind, id)
  const newest = known.at(-1)
  const named = chance(0.15) ? pick(known) : newest
  if (named === undefined || chance(0.25)) return { isStale: false }
  return { isStale: named !== newest, version: named }
}
