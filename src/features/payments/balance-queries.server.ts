// SQL for balances: the accounts they're kept for, and the sessions, payments and charges that make them up.
import { sql } from 'kysely'
import type { CalendarDay } from '#kernel/calendar-day.ts'
import type { Minutes } from '#kernel/duration.ts'
import { type Cents, type Currency, dollars } from '#kernel/money.ts'
import { plainName } from '#kernel/plain-name.ts'
import type { Standing } from '#features/agreements/answer.ts'
import { askedOf } from '#features/agreements/queries.server.ts'
import { COUNTS } from '#features/sessions/queries.server.ts'
import { listStudents } from '#features/students/queries.server.ts'
import { UNKNOWN_STUDENT } from '#features/students/student.ts'
import { listTutors } from '#features/tutors/queries.server.ts'
import { listVersions } from '#features/terms/queries.server.ts'
import { UNKNOWN_TUTOR } from '#features/tutors/tutor.ts'
import { readCurrency } from '#features/workspaces/queries.server.ts'
import { familyOf } from '#features/workspaces/sides.ts'
import type { WorkspaceId } from '#kernel/id.ts'
import { compareNames } from '#kernel/names.ts'
import { ALPHABETICAL } from '#platform/db/collation.server.ts'
import { effectivePriceOf } from '#features/sessions/session-price.ts'
import type { Tx } from '#platform/db/db.server.ts'
import {
  type AccountName,
  type Entry,
  type Figures,
  figuresBetween,
  isWorthALine,
  ledgerOf,
  type Line,
  type LineCharge,
} from './balance.ts'
import type { TermsVersion } from './due.ts'
import type { KeptWith, Payment } from './payment.ts'
import { MOST, paymentsOf, toPayment } from './queries.server.ts'

const UNKNOWN = { tutor: UNKNOWN_TUTOR, student: UNKNOWN_STUDENT } as const

/** The column with the id of the tutor or student that a balance is kept for. */
const PARTY = { tutor: 'tutor_id', student: 'student_id' } as const

/** An account: either a connection's, or one in your own records with a tutor or student. */
interface Account extends AccountName {
  /** The tutor's id or, on a tutor's side, the students' ids. */
  partyIds: string[]
}

/**
 * The accounts of active connections, sorted by name. A family with several students still has just one
 * account with the practice.
 */
async function activeConnections(tx: Tx, workspaceId: WorkspaceId, keptWith: KeptWith): Promise<Account[]> {
  const people =
    keptWith === 'tutor'
      ? sql`select c.id, t.id as party_id, t.name, null::text as family, null::text as first_name from connections c
        join tutors t on t.workspace_id = c.family_id and t.id = c.tutor_id
          where c.state = 'active' and c.family_id = ${workspaceId}::uuid`
      : sql`select c.id, s.id as party_id, s.name, (select w.owner_name from workspaces w where w.id = c.family_id) as family, p.first_name from connections c
          left join connection_people p on p.connection_id = c.id and p.student_id is not null
          left join students s on s.workspace_id = ${workspaceId}::uuid and s.id = p.student_id
          where c.state = 'active' and c.practice_id = ${workspaceId}::uuid`
  const { rows } = await sql<{
    id: string
    party_ids: string[]
    names: string[]
    first_names: string[]
    family: string | null
    currency: Currency
  }>`
    select x.id, array_remove(array_agg(x.party_id order by x.name ${ALPHABETICAL}, x.party_id), null) as party_ids,
      array_remove(array_agg(x.name order by x.name ${ALPHABETICAL}, x.party_id), null) as names,
      array_remove(array_agg(x.first_name order by x.first_name ${ALPHABETICAL}), null) as first_names, min(x.family) as family,
      (select w.currency from workspaces w where w.id = coalesce((select c.family_id from connections c where c.id = x.id), ${workspaceId}::uuid)) as currency
    from (${people}) x group by x.id order by min(x.name ${ALPHABETICAL}), x.id`.execute(tx)
  return rows
    .map(({ id, party_ids: partyIds, names, first_names: firstNames, family, currency }) => ({
      id: partyIds.length === 1 ? (partyIds[0] ?? null) : null,
      connection_id: id,
      name: keptWith === 'tutor' ? (names[0] ?? UNKNOWN_TUTOR) : familyOf(family, firstNames),
      // If the family has no name, the account's name already consists of the children's names.
      students: keptWith === 'student' && plainName(family, '') ? names : [],
      currency,
      is_only_yours: false,
      partyIds,
    }))
    .sort((one, other) => compareNames(one.name, other.name))
}

/**
 * All of this side's accounts: one per active connection, one per person in its own records, and one that all
 * deleted people share.
 */
async function listAccounts(tx: Tx, workspaceId: WorkspaceId, keptWith: KeptWith): Promise<Account[]> {
  const shared = await activeConnections(tx, workspaceId, keptWith)
  const people =
    keptWith === 'tutor'
      ? await listTutors(tx, workspaceId, 'all')
      : await listStudents(tx, workspaceId, 'all')
  const currency = await readCurrency(tx, workspaceId)
  const connected = new Set(shared.flatMap(({ partyIds }) => partyIds))
  const own = [...people.map(({ id, name }) => ({ id, name })), { id: null, name: UNKNOWN[keptWith] }]
  return [
    ...shared,
    ...own.map(({ id, name }) => ({
      id,
      name,
      students: [],
      currency,
      connection_id: null,
      is_only_yours: id !== null && connected.has(id),
      partyIds: id === null ? [] : [id],
    })),
  ]
}

/**
 * Payments that are only in this side's records even though it's connected with the people they're for.
 * Newest first.
 */
export async function listUnshared(tx: Tx, workspaceId: WorkspaceId, keptWith: KeptWith): Promise<Payment[]> {
  const parties = (await activeConnections(tx, workspaceId, keptWith)).flatMap(({ partyIds }) => partyIds)
  if (parties.length === 0) return []
  const rows = await paymentsOf(tx, workspaceId)
    .where('payments.connection_id', 'is', null)
    .where(`payments.${PARTY[keptWith]}`, 'in', parties)
    .orderBy('payments.day', 'desc')
    .orderBy('payments.id', 'desc')
    .limit(MOST)
    .execute()
  return rows.map(toPayment)
}

/** An account's key: the connection's id, otherwise the tutor's or student's id, otherwise 'unknown'. */
const keyOf = ({ connection_id: connection, id }: Pick<Account, 'connection_id' | 'id'>) =>
  connection ?? id ?? 'unknown'

/** A balance entry, with the fields that its line on the screen needs. */
interface HistoryEntry extends Entry {
  standing: Standing
  studentName: string | null
  subject: string | null
  payment: Payment | null
  charge: LineCharge | null
}

/**
 * The entries that make up balances up to a day, grouped by account. Leaves out entries in a currency other
 * than their account's. Also leaves out sessions that were sent back or that one side asked to delete, until
 * both sides agree. Payments and charges that the sides don't agree on are included but don't count.
 */
async function readHistory(
  tx: Tx,
  workspaceId: WorkspaceId,
  keptWith: KeptWith,
  until: CalendarDay,
  { all, only }: { all: Account[]; only?: Account },
): Promise<Map<string, HistoryEntry[]>> {
  const party = PARTY[keptWith]
  let sessions = tx
    .selectFrom('sessions')
    .leftJoin('students', (join) =>
      join
        .onRef('students.workspace_id', '=', 'sessions.workspace_id')
        .onRef('students.id', '=', 'sessions.student_id'),
    )
    .select([
      'sessions.id',
      'sessions.day',
      'sessions.minutes',
      'sessions.rate_override_cents',
      'sessions.tutor_rate_cents',
      'sessions.lesson_price_cents',
      'sessions.lesson_price_minutes',
      'sessions.total_cents',
      'sessions.currency',
      'sessions.subject',
      'sessions.connection_id',
      'students.name',
      `sessions.${party} as party_id`,
      'sessions.standing',
    ])
    .where('sessions.workspace_id', '=', workspaceId)
    .where('sessions.day', '<=', until)
    .where(COUNTS)
  let payments = paymentsOf(tx, workspaceId).where('payments.day', '<=', until)
  let charges = tx
    .selectFrom('charges')
    .select(['id', 'day', 'amount_cents', 'reason', 'label', 'currency', 'connection_id', 'student_name'])
    .select(['counts', 'standing', 'own_says', 'other_says', 'deletion_by', 'asked_since', 'reminders'])
    .select(['reminded_at', `${party} as party_id`])
    .where('workspace_id', '=', workspaceId)
    .where('day', '<=', until)
  if (only?.connection_id) {
    sessions = sessions.where('sessions.connection_id', '=', only.connection_id)
    payments = payments.where('payments.connection_id', '=', only.connection_id)
    charges = charges.where('connection_id', '=', only.connection_id)
  } else if (only) {
    sessions = sessions.where(`sessions.${party}`, 'is not distinct from', only.id)
    payments = payments.where(`payments.${party}`, 'is not distinct from', only.id)
    charges = charges.where(party, 'is not distinct from', only.id)
  }
  const accounts = new Map((only ? [only] : all).map((account) => [keyOf(account), account]))
  const shared = new Set(all.flatMap(({ connection_id: id }) => id ?? []))
  const entries = new Map<string, HistoryEntry[]>([...accounts.keys()].map((key) => [key, []]))
  const add = (
    row: { connection_id: string | null; currency: Currency },
    partyId: string | null,
    entry: HistoryEntry,
  ) => {
    const key =
      row.connection_id && shared.has(row.connection_id) ? row.connection_id : (partyId ?? 'unknown')
    if (accounts.get(key)?.currency === row.currency) entries.get(key)?.push(entry)
  }
  for (const row of await sessions.execute())
    add(row, row.party_id, {
      id: row.id,
      kind: 'session',
      day: row.day as CalendarDay,
      minutes: row.minutes as Minutes,
      rate: effectivePriceOf(row)?.cents ?? null,
      stated: (effectivePriceOf(row)?.lesson_minutes ?? null) as Minutes | null,
      amount: row.total_cents as Cents | null,
      standing: row.standing,
      studentName: row.name,
      subject: row.subject,
      payment: null,
      charge: null,
    })
  for (const row of await payments.execute()) {
    const payment = toPayment(row)
    add(row, row[party], {
      id: row.id,
      kind: row.kind,
      day: row.day as CalendarDay,
      minutes: (row.prepaid_minutes ?? 0) as Minutes,
      rate: null,
      amount: row.amount_cents as Cents,
      counts: row.counts,
      standing: row.standing,
      studentName: row.student_name,
      subject: null,
      payment,
      charge: null,
    })
  }
  for (const row of await charges.execute())
    add(row, row.party_id, {
      id: row.id,
      kind: 'charge',
      day: row.day as CalendarDay,
      minutes: 0 as Minutes,
      rate: null,
      amount: row.amount_cents as Cents,
      counts: row.counts,
      standing: row.standing,
      studentName: row.student_name,
      subject: null,
      payment: null,
      charge: {
        reason: row.reason,
        label: row.label,
        counts: row.counts,
        currency: row.currency,
        amount: dollars(row.amount_cents as Cents),
        own_confirmation: row.own_says,
        other_confirmation: row.other_says,
        deletion_asked_by: row.deletion_by,
        is_shared: row.connection_id !== null,
        ...askedOf(row),
      },
    })
  return entries
}

interface Ledger extends Account {
  lines: Line<HistoryEntry>[]
  /** The terms that say when its money is due, newest first. */
  versions: TermsVersion[]
}

/**
 * All ledgers up to a day. The connections' ledgers come first, then those in your own records, each group
 * sorted by name. All deleted people share the last one.
 */
export async function readLedgers(
  tx: Tx,
  workspaceId: WorkspaceId,
  keptWith: KeptWith,
  until: CalendarDay,
): Promise<Ledger[]> {
  const all = await listAccounts(tx, workspaceId, keptWith)
  const [entries, terms] = await Promise.all([
    readHistory(tx, workspaceId, keptWith, until, { all }),
    listVersions(tx, workspaceId),
  ])
  const versions = Map.groupBy(terms, (one) => one.connection_id ?? one[PARTY[keptWith]])
  return all.map((account) => ({
    ...account,
    lines: ledgerOf(entries.get(keyOf(account)) ?? [], account.currency),
    versions: versions.get(account.connection_id ?? account.id) ?? [],
  }))
}

/** The ledger of the account with this key, up to a day; undefined if there isn't one. */
export async function readLedger(
  tx: Tx,
  workspaceId: WorkspaceId,
  keptWith: KeptWith,
  until: CalendarDay,
  wanted: string,
): Promise<Omit<Ledger, 'versions'> | undefined> {
  const all = await listAccounts(tx, workspaceId, keptWith)
  const only = all.find((account) => keyOf(account) === wanted)
  if (!only) return undefined
  const entries = await readHistory(tx, workspaceId, keptWith, until, { all, only })
  return { ...only, lines: ledgerOf(entries.get(wanted) ?? [], only.currency) }
}

/** The ledgers that have anything to show for a range of days, with their figures. */
export function accountsWorthALine(
  ledgers: readonly Omit<Ledger, 'versions'>[],
  from: CalendarDay,
  to: CalendarDay,
): (Account & { figures: Figures })[] {
  return ledgers
    .map(({ lines, ...account }) => ({ ...account, figures: figuresBetween(lines, from, to) }))
    .filter(({ figures }) => isWorthALine(figures))
}
