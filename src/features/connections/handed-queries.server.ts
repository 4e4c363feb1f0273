// SQL for links that are handed over. Making one runs as the side that asks, everything else as the system role.
import { sql } from 'kysely'
import type { AdmittedLink } from '#features/access/admission.server.ts'
import type { LinkProblem } from '#features/access/link-refusals.ts'
import { emailKey } from '#kernel/text.ts'
import type { WorkspaceId } from '#kernel/id.ts'
import type { Tx } from '#platform/db/db.server.ts'
import { CLAIM_DAYS } from './handed.ts'

/** Makes the link to hand over for a connection and ends the previous one. Returns when it lapses. */
export async function replaceLink(
  tx: Tx,
  workspace: WorkspaceId,
  connection: string,
  hash: Buffer,
  now: Date,
): Promise<Date> {
  const lapsesAt = new Date(now.getTime() + CLAIM_DAYS * 86_400_000)
  await tx
    .updateTable('handed_links')
    .set({ ended_at: now })
    .where('connection_id', '=', connection)
    .where('ended_at', 'is', null)
    .execute()
  await tx
    .insertInto('handed_links')
    .values({ workspace_id: workspace, connection_id: connection, token_hash: hash, lapses_at: lapsesAt })
    .execute()
  return lapsesAt
}

/** Claims a link for a device. False unless it was still to be claimed. */
export async function claimLink(
  tx: Tx,
  { hash, device }: { hash: Buffer; device: Buffer },
  now: Date,
): Promise<boolean> {
  const row = await tx
    .updateTable('handed_links')
    .set({ claimed_at: now, device_hash: device })
    .where('token_hash', '=', hash)
    .where('claimed_at', 'is', null)
    .where('ended_at', 'is', null)
    .where('lapses_at', '>', now)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** The link that a token was handed over as, or why it can't be used on this device. */
export async function handedLinkOf(
  tx: Tx,
  { hash, device }: { hash: Buffer; device: Buffer | undefined },
  now: Date,
): Promise<AdmittedLink | LinkProblem> {
  const found = await tx
    .selectFrom('handed_links as l')
    .innerJoin('connections as c', 'c.id', 'l.connection_id')
    .select(['l.lapses_at', 'l.claimed_at', 'l.device_hash', 'l.ended_at', 'c.id', 'c.email', 'c.state'])
    .select(['c.family_id', 'c.practice_id', 'c.family_closed_at', 'c.practice_closed_at'])
    .where('l.token_hash', '=', hash)
    .executeTakeFirst()
  if (!found) return 'link_gone'
  // Says nothing else on any other device.
  if (found.device_hash && !(device && found.device_hash.equals(device))) return 'link_used'
  if (found.ended_at || !['asked', 'active'].includes(found.state)) return 'link_ended'
  const isOver = found.family_closed_at ?? found.practice_closed_at ?? (found.family_id && found.practice_id)
  if (isOver) return 'link_gone'
  if (!found.claimed_at) return found.lapses_at <= now ? 'link_lapsed' : 'link_unclaimed'
  const side = found.practice_id === null ? 'practice' : 'family'
  return { id: found.id, email: found.email, side, isHanded: true }
}

/** Replaces the address that a side without one has asked to add, before its email has been answered. */
export async function forgetAskedAddress(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('link_tokens').where('link_id', '=', id).where('address', 'is not', null).execute()
}

/** The address that a side without one has asked to add, if its email hasn't been answered yet. */
export async function askedAddress(tx: Tx, id: string, now: Date): Promise<string | null> {
  const row = await tx
    .selectFrom('link_tokens')
    .innerJoin('connections', 'connections.id', 'link_id')
    .select('address')
    .where('link_id', '=', id)
    .where('address', 'is not', null)
    .where('email_key', 'is', null)
    .where('expires_at', '>', now)
    .orderBy('link_tokens.created_at', 'desc')
    .executeTakeFirst()
  return row?.address ?? null
}

/**
 * Gives the side without an account its address, from where an account can take it over. False if it has one
 * by now. Throws if the address is on the other side, or was already asked.
 */
export async function setAddress(tx: Tx, id: string, address: string): Promise<boolean> {
  await sql`select lock_sides(${id}::uuid)`.execute(tx)
  const row = await tx
    .updateTable('connections')
    .set({ email: address, email_key: emailKey(address), version: sql`version + 1`, updated_at: sql`now()` })
    .where('id', '=', id)
    .where('email_key', 'is', null)
    .where('state', 'in', ['asked', 'active'])
    .where((where) => where.or([where('practice_id', 'is', null), where('family_id', 'is', null)]))
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** The address that an emailed token is about to confirm, and for which connection. */
export async function addressToConfirm(
  tx: Tx,
  hash: Buffer,
  now: Date,
): Promise<{ id: string; address: string } | undefined> {
  const row = await tx
    .selectFrom('link_tokens')
    .select(['link_id as id', 'address'])
    .where('token_hash', '=', hash)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return row?.address ? { id: row.id, address: row.address } : undefined
}
