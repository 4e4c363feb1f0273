// Restores one of the server's own backups while nobody is served: into a database beside the one that's served, which
// takes its place in one step once all is in order. Until that step, whatever goes wrong leaves everything as it was.
import { verifyHistory } from '#features/agreements/jobs.server.ts'
import { openDb } from '#features/access/db.server.ts'
import type { NotRestored, RestoreChoice, Restorer, Restoring } from '#features/admin/backup.ts'
import { eraseAgain } from '#features/privacy/jobs.server.ts'
import { keptSince } from '#features/privacy/retention.ts'
import type { Config } from '#platform/config.server.ts'
import { roomIn } from '#platform/data-folder.server.ts'
import { differenceOf } from '#platform/db/backup-content.server.ts'
import { type BackupLabel, hasLabeledBytes } from '#platform/db/backup-label.server.ts'
import { loadBackup, readBackup } from '#platform/db/backup.server.ts'
import {
  clearUp,
  dropFormer,
  hasAccount,
  makeBeside,
  readFormer,
  servedBytes,
  takePlace,
  urlOf,
} from '#platform/db/beside.server.ts'
import { type Carry, carryErasures, carryOver } from '#platform/db/carry-over.server.ts'
import { keptBackups } from '#platform/db/kept-backups.server.ts'
import { knownMigrations, migrate } from '#platform/db/migrate.server.ts'
import { keysIn, NotOpened } from '#platform/db/sealed.server.ts'
import { stepsBehind } from '#platform/db/upgrade.server.ts'
import type { Maintenance } from '#platform/http/maintenance.server.ts'

type Log = (event: string, details?: object) => void

/** What a restore needs of the server that it runs in. */
interface Serving {
  /** Ends jobs and connections. Requests are answered that there's maintenance. */
  stop(): Promise<void>
  /** Serves the database that has the served one's name, with nothing remembered of before. */
  startAgain(): Promise<void>
}

/** In order, with the share of the time that has passed at the beginning of each. */
const STEPS = {
  stopping: 0,
  checking: 0.05,
  creating: 0.15,
  loading: 0.2,
  migrating: 0.7,
  verifying: 0.8,
  erasing: 0.88,
  carrying: 0.9,
  switching: 0.95,
  switched: 0.97,
  starting: 0.98,
} as const
type Step = keyof typeof STEPS

/** A compressed backup takes this many times its size as a database, at most, as far as we've seen. */
const GROWTH = 12
const LEAST_NEEDED_BYTES = 64 * 1024 * 1024

interface Chosen {
  path: string
  keys: string[]
  label: BackupLabel
}

/** Where the backups and databases are, and how the restore says how far it is. */
interface Place {
  config: Config
  superuserUrl: string
  now: () => Date
  enter: (step: Step, share?: number) => void
}

/** Answers what can be restored, and restores it. */
export function openRestoring(
  config: Config,
  superuserUrl: string,
  serving: Serving,
  log: Log,
  now: () => Date = () => new Date(),
): Restoring & { maintenance(): Maintenance | undefined } {
  let standing: Maintenance | undefined
  let lastFailure: string | null = null
  const enter: Place['enter'] = (step, share) => {
    if (share === undefined) log('restoring', { step })
    standing = { step, share: share ?? STEPS[step] }
  }
  const place: Place = { config, superuserUrl, now, enter }

  // The caller is answered before the server stops answering.
  function begin(work: () => Promise<void>): void {
    enter('stopping')
    setImmediate(() => void maintain(work))
  }

  async function maintain(work: () => Promise<void>): Promise<void> {
    try {
      await serving.stop()
      await work()
      lastFailure = null
    } catch (error) {
      lastFailure = error instanceof Error ? error.message : String(error)
      log('nothing was restored', { reason: lastFailure })
    }
    enter('starting')
    try {
      await clearUp(superuserUrl, now())
      await serving.startAgain()
      standing = undefined
      log('restoring', { step: 'served' })
    } catch (error) {
      // The next start finds the old state or the new one, whole.
      log('the server could not go on after the restore and stops', { reason: String(error) })
      process.exit(1)
    }
  }

  return {
    maintenance: () => standing,
    read: async () => ({ ...(await listed(place)), last_failure: lastFailure }),
    preview: async (choice) => (standing ? 'busy' : preview(place, choice)),
    async restore(choice) {
      const found = standing ? 'busy' : await compared(place, choice)
      if (typeof found === 'string') return found
      const { needed_bytes: needed, free_bytes: free } = await room(place, found.label)
      if (free !== null && free < needed) return 'no_room'
      if (standing) return 'busy'
      begin(() => restore(place, found, choice))
      return undefined
    },
    async goBack(by) {
      if (!(await readFormer(superuserUrl))) return 'no_former'
      if (!(await hasAccount(urlOf(superuserUrl, 'former'), by.id))) return 'not_in_it'
      if (standing) return 'busy'
      begin(() => goBack(place, by))
      return undefined
    },
    async forget() {
      if (standing) return 'busy'
      await dropFormer(superuserUrl)
      return undefined
    },
  }
}

async function listed({ config, superuserUrl }: Place) {
  const all = await keptBackups(config.dataDir)
  return {
    backups: all.flatMap(({ name, isEncrypted: is_encrypted, label }) =>
      label
        ? [{ name, is_encrypted, bytes: label.bytes, rows: label.rows, created_at: label.created_at }]
        : [],
    ),
    strangers: all.filter(({ label }) => !label).map(({ name }) => name),
    former: (await readFormer(superuserUrl)) ?? null,
  }
}

async function chosen({ config, now }: Place, { backup, key }: RestoreChoice): Promise<Chosen | NotRestored> {
  const found = (await keptBackups(config.dataDir)).find(({ name }) => name === backup)
  if (!found?.label || !(await hasLabeledBytes(found.path, found.label))) return 'not_own'
  const { label, path, isEncrypted } = found
  if (new Date(label.created_at) < keptSince('erasures', now())) return 'too_old'
  if (!(await knownMigrations()).includes(label.schema)) return 'newer'
  if (isEncrypted && !key?.trim()) return 'key_needed'
  const keys = isEncrypted ? keysIn(key ?? '') : []
  return keys ? { path, label, keys } : 'wrong_key'
}

async function compared(place: Place, choice: RestoreChoice) {
  const found = await chosen(place, choice)
  if (typeof found === 'string') return found
  const { path, keys, label } = found
  try {
    const difference = await differenceOf(place.superuserUrl, path, keys, label.created_at)
    return difference.accounts.has(choice.by.id) ? { ...found, difference } : 'not_in_it'
  } catch (error) {
    if (error instanceof NotOpened) return 'wrong_key'
    throw error
  }
}

async function preview(place: Place, choice: RestoreChoice) {
  const found = await compared(place, choice)
  if (typeof found === 'string') return found
  const { difference, label } = found
  return {
    created_at: label.created_at,
    newest_entry_at: difference.newestEntryAt,
    ...difference.counts,
    changes_since: difference.changesSince,
    erased_again: difference.erasedAgain,
    ...(await room(place, label)),
  }
}

async function room({ config, superuserUrl }: Place, { bytes }: BackupLabel) {
  const needed = Math.max(bytes * GROWTH, await servedBytes(superuserUrl)) * 1.5 + LEAST_NEEDED_BYTES
  const free = roomIn(config.dataDir)
  return { needed_bytes: Math.round(needed), free_bytes: Number.isFinite(free) ? free : null }
}

async function restore(place: Place, { path, keys, label }: Chosen, choice: RestoreChoice): Promise<void> {
  const { superuserUrl, enter, now } = place
  enter('checking')
  const { migrations } = await readBackup(path, keys)
  const steps = stepsBehind('backup', migrations, await knownMigrations())
  enter('creating')
  const to = await makeBeside(superuserUrl)
  await migrate(to, { only: steps })
  enter('loading')
  let rows = 0
  const span = STEPS.migrating - STEPS.loading
  await loadBackup(to, path, keys, () =>
    enter('loading', STEPS.loading + span * Math.min(1, ++rows / Math.max(1, label.rows))),
  )
  const { loginId } = choice.by
  await settle(place, { from: urlOf(superuserUrl, 'served'), to, loginId, isGoingBack: false })
  enter('switching')
  await takePlace(superuserUrl, 'beside', { since: now().toISOString(), backup: choice.backup })
  enter('switched')
}

async function goBack(place: Place, { loginId }: Restorer): Promise<void> {
  const { superuserUrl, enter, now } = place
  const [from, to] = [urlOf(superuserUrl, 'served'), urlOf(superuserUrl, 'former')]
  await settle(place, { from, to, loginId, isGoingBack: true })
  enter('switching')
  await takePlace(superuserUrl, 'former', { since: now().toISOString(), backup: null })
  enter('switched')
}

/** Makes a database ready to be served instead of another one. */
async function settle({ enter, now }: Place, carry: Carry): Promise<void> {
  enter('migrating')
  const db = openDb(await migrate(carry.to), 2)
  try {
    enter('verifying')
    const { broken } = await verifyHistory(db)
    if (broken) throw new Error(`The history in it is broken at ${broken.length} entries.`)
    enter('erasing')
    await carryErasures(carry)
    await eraseAgain(db, now())
  } finally {
    await db.close()
  }
  enter('carrying')
  await carryOver(carry)
}
