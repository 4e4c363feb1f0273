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

/** Who confirmed what when in a month with a tutor; undefined when there is no session, or one that is not confirmed. */
export async function signedLines(
  tx: Tx,
  workspaceId: WorkspaceId,
  tutorId: string,
  month: string,
): Promise<SignedLine[] | undefined> {
  const { from, to } = daysOfMonth(month)
  const { rows } = await sql<SignedLine & { is_verified: boolean }>`
    select s.id as session_id, s.day, s.minutes, coalesce(s.rate_override_cents, s.tutor_rate_cents) as rate_cents, s.total_cents, s.verified_by_tutor as is_verified,
      to_char(first.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as logged_at, to_char(word.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as confirmed_at, encode(word.hash, 'hex') as confirmed_entry
    from sessions s
    left join session_history first on first.workspace_id = s.workspace_id and first.session_id = s.id and first.seq = 1
    left join lateral (select h.at, h.hash from session_history h where h.workspace_id = s.workspace_id and h.session_id = s.id and h.action in ('confirmed', 'accepted') order by h.seq desc limit 1) word on true
    where s.workspace_id = ${workspaceId}::uuid and s.tutor_id = ${tutorId}::uuid and s.day between ${from}::date and ${to}::date`.execute(
    tx,
  )
  const isWhole = rows.length > 0 && rows.every((row) => row.is_verified && row.confirmed_entry !== null)
  return isWhole ? rows : undefined
}

export interface KeptSignOff {
  workspaceId: WorkspaceId
  tutorId: string | null
  month: string
  code: string
  signedAt: Date
}

/** The sign-off of a month with a tutor, made now where this content has none; undefined while something is not confirmed. */
export async function signOff(
  tx: Tx,
  workspaceId: WorkspaceId,
  tutorId: string,
  month: string,
  now: Date,
): Promise<KeptSignOff | undefined> {
  const lines = await signedLines(tx, workspaceId, tutorId, month)
  if (!lines) return undefined
  const hash = contentHash(month, tutorId, lines)
  const code = Array.from({ length: CODE_LENGTH }, () => CODE_LETTERS[randomInt(CODE_LETTERS.length)]).join(
    '',
  )
  await tx
    .insertInto('sign_offs')
    .values({ workspace_id: workspaceId, tutor_id: tutorId, month, code, content_hash: hash, signed_at: now })
    .onConflict((conflict) =>
      conflict.columns(['workspace_id', 'tutor_id', 'month', 'content_hash']).doNothing(),
    )
    .execute()
  const row = await tx
    .selectFrom('sign_offs')
    .select(['code', 'signed_at'])
    .where('workspace_id', '=', workspaceId)
    .where('tutor_id', '=', tutorId)
    .where('month', '=', month)
    .where('content_hash', '=', hash)
    .executeTakeFirstOrThrow()
  return { workspaceId, tutorId, month, code: row.code, signedAt: row.signed_at }
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

/** What a signed-off statement says beside its sessions: whose books, in which currency, and the tutor's name on them, as the other side may read them. */
export async function signedParties(
  tx: Tx,
  workspaceId: WorkspaceId,
  tutorId: string,
): Promise<{ holder: string; currency: Currency; tutor: string } | undefined> {
  const row = await tx
    .selectFrom('tutors')
    .innerJoin('users', 'users.id', 'tutors.workspace_id')
    .innerJoin('workspaces', 'workspaces.id', 'tutors.workspace_id')
    .select(['tutors.name', 'owner_name', 'users.email', 'currency'])
    .where('tutors.workspace_id', '=', workspaceId)
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
export async function signedSessions(tx: Tx, workspaceId: WorkspaceId, tutorId: string, month: string) {
  const { from, to } = daysOfMonth(month)
  return tx
    .selectFrom('sessions')
    .leftJoin('students', (join) =>
      join
        .onRef('students.workspace_id', '=', 'sessions.workspace_id')
        .onRef('students.id', '=', 'sessions.student_id'),
    )
    .select([
      'sessions.id',
      'student_id',
      'first_name',
      'day',
      'minutes',
      'rate_override_cents',
      'tutor_rate_cents',
      'total_cents',
      'subject',
    ])
    .where('sessions.workspace_id', '=', workspaceId)
    .where('sessions.tutor_id', '=', tutorId)
    .where('day', '>=', from)
    .where('day', '<=', to)
    .orderBy('day')
    .orderBy('sessions.id')
    .execute()
}

function contentHash(month: string, tutorId: string, lines: SignedLine[]): Buffer {
  return createHash('sha256')
    .update(signedText(month, tutorId, lines))
    .digest()
}
