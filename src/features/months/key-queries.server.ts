// SQL for the keys that sign pages, and for pages from before there were any. Runs as the system role, the only one that
// may read a private key.
import { sql } from 'kysely'
import type { Tx } from '#platform/db/db.server.ts'
import type { MonthContent } from './month-page.ts'
import type { PublishedKey, SignedPage } from './signed-page.ts'

/** The key that signs pages now. */
export interface PageKey {
  id: string
  publicKey: Buffer
  privateKey: Buffer
}

/** Undefined if there's none yet, or if the database was restored from a backup, which has no private key. */
export async function readKeyInUse(tx: Tx): Promise<PageKey | undefined> {
  const row = await tx
    .selectFrom('page_keys')
    .select(['id', 'public_key', 'private_key'])
    .where('retired_at', 'is', null)
    .executeTakeFirst()
  return row?.private_key ? { id: row.id, publicKey: row.public_key, privateKey: row.private_key } : undefined
}

/** Waits until no other server is exchanging the key. */
export async function lockKeys(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('page_keys', 0))`.execute(tx)
}

/** Deletes the private half of the key in use, and puts another one in its place. */
export async function replaceKey(tx: Tx, { id, publicKey, privateKey }: PageKey, now: Date): Promise<void> {
  await tx
    .updateTable('page_keys')
    .set({ retired_at: now, private_key: null })
    .where('retired_at', 'is', null)
    .execute()
  await tx
    .insertInto('page_keys')
    .values({ id, public_key: publicKey, private_key: privateKey, made_at: now })
    .execute()
}

/** All public keys, the newest first. */
export async function listKeys(tx: Tx): Promise<PublishedKey[]> {
  const rows = await tx
    .selectFrom('page_keys')
    .select(['id', 'public_key', 'made_at', 'retired_at'])
    .orderBy('made_at', 'desc')
    .orderBy('id')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    public_key: row.public_key.toString('hex'),
    made_at: row.made_at.toISOString(),
    retired_at: row.retired_at?.toISOString() ?? null,
  }))
}

/** Closed months whose pages aren't signed, at most `most`. */
export async function listUnsigned(tx: Tx, most: number): Promise<MonthContent[]> {
  const rows = await tx
    .selectFrom('closed_months')
    .select('content')
    .where('signed_page', 'is', null)
    .where('content', 'is not', null)
    .orderBy('answered_at')
    .limit(most)
    .execute()
  return rows.map(({ content }) => content as MonthContent)
}

export async function keepSigned(tx: Tx, code: string, { page, key, signature }: SignedPage): Promise<void> {
  await sql`select sign_earlier_page(${code}, ${page}, ${key}, ${Buffer.from(signature, 'hex')}::bytea)`.execute(
    tx,
  )
}
