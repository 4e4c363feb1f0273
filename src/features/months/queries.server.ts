// SQL of the sign-offs. It runs as the system, which reads both sides and no notes, and is the only one that may write one.
import { createHash, randomInt } from 'node:crypto'
import { sql } from 'kysely'
import { displayName } from '#features/accounts/account.ts'
import { daysOfMonth } from '#kernel/calendar-day.ts'
import type { Currency } from '#kernel/money.ts'
import { plainName } from '#kernel/plain-name.ts'
import type { WorkspaceId } from '#kernel/id.ts'
import type { Tx } from '#platform/db/db.server.ts'
import { CODE_LENGTH, CODE_LETTERS, type SignedLine, signedText } from './sign-off.ts'

/**
 * The entry by which a session became verified: the later word of the two sides, or the answer that two were one lesson. What both
 * logged before they shared it has no such entry; the other side's last one says that it agrees. A merge keeps an earlier word.
 */
const CONFIRMING = sql`select h.at, h.hash from public.session_history h where h.session_key = s.key and (h.chain > 1 or h.action in ('confirmed', 'accepted')
    or (h.action = 'merged' and not exists (select from public.session_history before where before.session_key = h.session_key and before.chain = 1 and before.seq = h.seq - 1
      and before.facts ->> 'state' = 'verified')))
  order by h.chain, h.seq desc limit 1`

/** Who confirmed what when in a family's month with a tutor; undefined when there is no session, or one that is not confirmed. */
export async function signedLines(
  tx: Tx,
  familyId: WorkspaceId,
  tutorId: string,
  month: string,
): Promise<SignedLine[] | undefined> {
  const { from, to } = daysOfMonth(month)
  const { rows } = await sql<SignedLine & { is_verified: boolean }>`
    select s.id as session_id, s.day, s.minutes, coalesce(s.rate_override_cents, s.tutor_rate_cents) as rate_cents, s.total_cents,
      s.is_verified and s.deletion_asked_by is null as is_verified, to_char(first.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as logged_at,
      to_char(word.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as confirmed_at, encode(word.hash, 'hex') as confirmed_entry
    from public.sessions s
    left join public.session_history first on first.session_key = s.key and first.chain = 1 and first.seq = 1
    left join lateral (${CONFIRMING}) word on true
    where s.family_id = ${familyId}::uuid and s.family_tutor_id = ${tutorId}::uuid and s.day between ${from}::date and ${to}::date and not s.is_held`.execute(
    tx,
  )
  const isWhole = rows.length > 0 && rows.every((row) => row.is_verified && row.confirmed_entry !== null)
  return isWhole ? rows : undefined
}

export interface KeptSignOff {
  code: string
  signedAt: Date
}

/** The sign-off of a month with a tutor, made now where this content has none; undefined while something is not confirmed. */
export async function signOff(
  tx: Tx,
  { familyId, tutorId }: Parties,
  month: string,
  now: Date,
): Promise<KeptSignOff | undefined> {
  const lines = await signedLines(tx, familyId, tutorId, month)
  if (!lines) return undefined
  const hash = contentHash(month, tutorId, lines)
  const code = Array.from({ length: CODE_LENGTH }, () => CODE_LETTERS[randomInt(CODE_LETTERS.length)]).join(
    '',
  )
  await tx
    .insertInto('sign_offs')
    .values({ workspace_id: familyId, tutor_id: tutorId, month, code, content_hash: hash, signed_at: now })
    .onConflict((conflict) =>
      conflict.columns(['workspace_id', 'tutor_id', 'month', 'content_hash']).doNothing(),
    )
    .execute()
  const row = await tx
    .selectFrom('sign_offs')
    .select(['code', 'signed_at'])
    .where('workspace_id', '=', familyId)
    .where('tutor_id', '=', tutorId)
    .where('month', '=', month)
    .where('content_hash', '=', hash)
    .executeTakeFirstOrThrow()
  return { code: row.code, signedAt: row.signed_at }
}

/** The month that a code stands for, and whether what was confirmed then is what stands now; undefined for an unknown code. */
export async function checkCode(
  tx: Tx,
  code: string,
): Promise<{ month: string; isCurrent: boolean } | undefined> {
  const row = await tx
    .selectFrom('sign_offs')
    .select(['workspace_id', 'tutor_id', 'month', 'content_hash'])
    .where('code', '=', code)
    .executeTakeFirst()
  if (!row) return undefined
  const lines = row.tutor_id ? await signedLines(tx, row.workspace_id, row.tutor_id, row.month) : undefined
  return {
    month: row.month,
    isCurrent:
      lines !== undefined &&
      row.tutor_id !== null &&
      contentHash(row.month, row.tutor_id, lines).equals(row.content_hash),
  }
}

/** What a month is signed off for: a family, and its tutor on the other side. */
export interface Parties {
  familyId: WorkspaceId
  tutorId: string
}

/** As the system: the two of an open connection; undefined where it is over, or the family's tutor is gone. */
export async function partiesOf(tx: Tx, connectionId: string): Promise<Parties | undefined> {
  const row = await tx
    .selectFrom('connections')
    .select(['family_id', 'tutor_id'])
    .where('id', '=', connectionId)
    .where('state', 'in', ['asked', 'active'])
    .executeTakeFirst()
  return row?.family_id && row.tutor_id ? { familyId: row.family_id, tutorId: row.tutor_id } : undefined
}

/** As a practice: whether an active connection is its own. What only asks its address is not yet. */
export async function isOwnConnection(tx: Tx, practiceId: WorkspaceId, id: string): Promise<boolean> {
  const row = await tx
    .selectFrom('connections')
    .select('id')
    .where('id', '=', id)
    .where('practice_id', '=', practiceId)
    .where('state', '=', 'active')
    .executeTakeFirst()
  return row !== undefined
}

/** What a signed-off statement says beside its sessions: whose books, in which currency, and the tutor's name on them, as the other side may read them. */
export async function signedNames(
  tx: Tx,
  { familyId, tutorId }: Parties,
): Promise<{ holder: string; currency: Currency; tutor: string } | undefined> {
  const row = await tx
    .selectFrom('tutors')
    .innerJoin('workspaces', 'workspaces.id', 'tutors.workspace_id')
    .innerJoin('members', (join) =>
      join.onRef('members.workspace_id', '=', 'workspaces.id').on('members.role', '=', 'owner'),
    )
    .innerJoin('users', 'users.id', 'members.account_id')
    .select(['tutors.name', 'owner_name', 'users.email', 'currency'])
    .where('tutors.workspace_id', '=', familyId)
    .where('tutors.id', '=', tutorId)
    .executeTakeFirst()
  return (
    row && {
      holder: plainName(displayName({ full_name: row.owner_name, email: row.email }), 'A family'),
      currency: row.currency,
      tutor: plainName(row.name, 'Tutor'),
    }
  )
}

/** The sessions of a sign-off with the children's first names, oldest first: what both sides may read. */
export async function signedSessions(tx: Tx, { familyId, tutorId }: Parties, month: string) {
  const { from, to } = daysOfMonth(month)
  return tx
    .selectFrom('public.sessions as s')
    .leftJoin('students', (join) =>
      join.onRef('students.workspace_id', '=', 's.family_id').onRef('students.id', '=', 's.child_id'),
    )
    .select([
      's.id',
      's.child_id',
      'first_name',
      'day',
      'minutes',
      'rate_override_cents',
      'tutor_rate_cents',
      'total_cents',
      'subject',
    ])
    .where('s.family_id', '=', familyId)
    .where('s.family_tutor_id', '=', tutorId)
    .where('day', '>=', from)
    .where('day', '<=', to)
    .where('s.is_held', '=', false)
    .orderBy('day')
    .orderBy('s.id')
    .execute()
}

function contentHash(month: string, tutorId: string, lines: SignedLine[]): Buffer {
  return createHash('sha256')
    .update(signedText(month, tutorId, lines))
    .digest()
}
