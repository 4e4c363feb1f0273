// What restoring a backup would change, from reading the backup and the served database.
import { rowsInBackup } from './backup.server.ts'
import { connectTo } from './connection.server.ts'

/** What is counted, and the table that has a row for each. */
const COUNTED = { accounts: 'users', sessions: 'sessions', payments: 'payments' } as const
type Counted = keyof typeof COUNTED

interface Difference {
  /** How many there are now and in the backup, and how many of those now would be lost. */
  counts: Record<Counted, { now: number; then: number; lost: number }>
  /** The newest change of a session or payment in the backup. */
  newestEntryAt: string | null
  /** How many changes since the backup would be lost. */
  changesSince: number
  /** When accounts were erased that are in the backup, and would be erased again. */
  erasedAgain: string[]
  /** The accounts in the backup. */
  accounts: ReadonlySet<string>
}

export async function differenceOf(
  superuserUrl: string,
  file: string,
  keys: readonly string[],
  createdAt: string,
): Promise<Difference> {
  const client = await connectTo(superuserUrl)
  const column = async (query: string, values: unknown[] = []) =>
    (await client.query<{ value: string }>(query, values)).rows.map(({ value }) => value)
  try {
    const tables = Object.entries(COUNTED) as [Counted, string][]
    const left = new Map<string, Set<string>>()
    const counts = {} as Difference['counts']
    for (const [name, table] of tables) {
      const ids = new Set(await column(`select id::text as value from ${table}`))
      left.set(table, ids)
      counts[name] = { now: ids.size, then: 0, lost: 0 }
    }
    const accounts = new Set<string>()
    let newest: string | null = null
    const wanted = { users: ['id'], sessions: ['id'], payments: ['id'], history: ['at'] }
    for await (const { table, values } of rowsInBackup(file, keys, wanted)) {
      const [value = null] = values
      if (table === 'history') {
        if (value !== null && (newest === null || value > newest)) newest = value
        continue
      }
      if (table === 'users' && value !== null) accounts.add(value)
      const name = tables.find(([, of]) => of === table)?.[0]
      if (name) counts[name].then += 1
      if (value !== null) left.get(table)?.delete(value)
    }
    for (const [name, table] of tables) counts[name].lost = left.get(table)?.size ?? 0
    const erased = await client.query<{ at: Date }>(
      `select erased_at as at from erasures where account_hash in (select erased_hash(id) from unnest($1::uuid[]) id)
        order by erased_at`,
      [[...accounts]],
    )
    const [changes] = await column('select count(*)::text as value from history where at > $1', [createdAt])
    return {
      counts,
      newestEntryAt: newest === null ? null : new Date(`${newest.replace(' ', 'T')}:00`).toISOString(),
      changesSince: Number(changes),
      erasedAgain: erased.rows.map(({ at }) => at.toISOString()),
      accounts,
    }
  } finally {
    await client.end()
  }
}
