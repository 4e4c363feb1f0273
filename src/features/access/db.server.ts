// The database as callers reach it: as a member of a workspace, on that workspace's side, or as an emailed
// link, with access to one connection.
import type { WorkspaceId } from '#kernel/id.ts'
import {
  type Db,
  type DbUrls,
  type Identity,
  type KnownCaller,
  openDb as openGenericDb,
  type Tx,
} from '#platform/db/db.server.ts'
import { type MemberRole, seesAmounts, type Side } from './role.ts'

/**
 * Who a member's transaction runs as: an account, usually in one of its workspaces. Without a workspace, the
 * transaction sees only what belongs to the account itself.
 */
export interface Principal {
  accountId: string
  /** Includes the account's role. Without it, a caregiver can't read anything (db/repeatable/admission.sql). */
  workspace?: { id: WorkspaceId; kind: Side; role?: MemberRole }
}

/** The connection an emailed link belongs to, and the side that uses the link to respond without an account. */
export interface EmailedLink {
  id: string
  side: Side
}

export interface CallerDb extends Db {
  /** Runs the work in one transaction that sees only the rows of the account and its workspace (`as`). */
  asMember<Result>(
    member: Principal,
    work: (tx: Tx) => Promise<Result>,
    options?: { isSnapshot?: boolean; caller?: KnownCaller },
  ): Promise<Result>
  /** Runs read-only work that sees only the rows of the account and its workspace (`readAs`). */
  readAsMember<Result>(
    member: Principal,
    work: (tx: Tx) => Promise<Result>,
    caller?: KnownCaller,
  ): Promise<Result>
  /**
   * Runs the work in one transaction that sees only the emailed link's connection and can write only that
   * side's responses.
   */
  asLink<Result>(link: EmailedLink, work: (tx: Tx) => Promise<Result>): Promise<Result>
  /** Runs read-only work that sees only the emailed link's connection (`readAs`). */
  readAsLink<Result>(link: EmailedLink, work: (tx: Tx) => Promise<Result>): Promise<Result>
}

/** Opens the database for callers (platform's openDb). */
export function openDb(urls: DbUrls, poolSize?: number, isNamed?: boolean): CallerDb {
  const db = openGenericDb(urls, poolSize, isNamed)
  return {
    ...db,
    asMember: (member, work, options) => db.as(memberIdentity(member), work, options),
    readAsMember: (member, work, caller) => db.readAs(memberIdentity(member), work, caller),
    asLink: (link, work) => db.as(linkIdentity(link), work),
    readAsLink: (link, work) => db.readAs(linkIdentity(link), work),
  }
}

// A side's role has its schema, which has that side's people, confirmations and notes
// (db/repeatable/sides.sql). The caregivers' role has no access to amounts. In its schema, every amount is
// null.
function memberIdentity({ accountId, workspace }: Principal): Identity {
  return {
    role: seesAmounts(workspace?.role) ? (workspace?.kind ?? 'family') : 'caregiver',
    settings: { 'app.account_id': accountId, 'app.workspace_id': workspace?.id ?? '' },
  }
}

function linkIdentity({ id, side }: EmailedLink): Identity {
  const settings = { 'app.link_id': id }
  return side === 'practice'
    ? { role: 'link', settings, hasOwnLogin: true }
    : { role: 'family_link', settings }
}
