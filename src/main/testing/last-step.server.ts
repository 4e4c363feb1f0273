// What a server of the last step before the baseline left behind (docs/decisions/0030-one-baseline.md): a backup, the
// schema, and what everybody saw. Its people connected, confirmed, paid and closed months over HTTP.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { loadBackup, readBackup } from '#platform/db/backup.server.ts'
import { connectTo } from '#platform/db/connection.server.ts'
import { loginUrl, prepareRoles, withRoles } from '#platform/db/roles.server.ts'
import { prepareQueue } from '#platform/jobs/queue.server.ts'
import type { Seen } from './seen.server.ts'

interface Recorded {
  /** When it was recorded, as the server's clock had it. */
  clock: string
  /** The people's addresses. All have the password of this folder's tests. */
  emails: Record<string, string>
  views: Record<string, Seen>
  /** What /verify says about each code. */
  verified: Record<string, string>
  /** Emailed links, with the ids of the sessions that they open. */
  links: Record<string, { token: string; opened: { sessions: { id: string }[] } }>
  /** The calendars by their secret paths. */
  calendars: Record<string, string>
  /** A device that was signed in. */
  cookies: [string, string][]
}

const placeOf = (name: string) => fileURLToPath(new URL(`last-step/${name}`, import.meta.url))
const textOf = (name: string) => gunzipSync(readFileSync(placeOf(name))).toString()

export const BACKUP = placeOf('backup.gz')
export const recorded = () => JSON.parse(textOf('seen.json.gz')) as Recorded

/** Makes an empty database what it was when the last step before the baseline had run, and fills it. */
export async function makeLastStep(url: string): Promise<void> {
  const client = await connectTo(url)
  try {
    const roles = await prepareRoles(client, url, async () => undefined)
    await prepareQueue(loginUrl(url, roles, 'system'), roles.prefix)
    // The schema was dumped by pg_dump of PostgreSQL 15, the oldest that works.
    await client.query(withRoles(roles.prefix, `create role tutorlog_tutor; ${textOf('schema.sql.gz')}`))
    await loadBackup(url, BACKUP)
    const { migrations } = await readBackup(BACKUP)
    await client.query('insert into public.schema_migrations (name) select unnest($1::text[])', [migrations])
  } finally {
    await client.end()
  }
}
