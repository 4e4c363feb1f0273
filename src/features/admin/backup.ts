// The administrators' view of the server's own backups, and restoring one (docs/decisions/0074-restoring.md).
import * as z from 'zod/mini'
import { endpoint } from '#features/access/endpoint.ts'
import type { OutputOf } from '#kernel/endpoint.ts'

const ADMIN = ['admin'] as const

/** What has to be typed before a restore begins. */
export const RESTORE_WORD = 'RESTORE'

const BackupLine = z.object({
  name: z.string(),
  bytes: z.number(),
  rows: z.number(),
  is_encrypted: z.boolean(),
  created_at: z.string(),
})
export type BackupLine = z.output<typeof BackupLine>

export const ReadBackups = endpoint({
  operation: 'ReadBackups',
  summary: "List the server's own backups, and the database that was served before the last restore",
  method: 'GET',
  path: '/api/v1/admin/backups',
  access: ADMIN,
  input: z.strictObject({}),
  output: z.object({
    /** False with an external database, whose backups are made and restored with its own tools. */
    is_embedded: z.boolean(),
    backups: z.array(BackupLine),
    /** Files with a backup's name that this server didn't make, or that were changed since. */
    strangers: z.array(z.string()),
    former: z.nullable(
      z.object({
        since: z.string(),
        until: z.string(),
        bytes: z.number(),
        /** The backup that took its place; null if someone went back. */
        backup: z.nullable(z.string()),
      }),
    ),
    /** Why the last restore since the server's start changed nothing. */
    last_failure: z.nullable(z.string()),
  }),
})

const Choice = {
  backup: z.string().check(z.maxLength(100)),
  /** The private key of an encrypted backup. It's used for this call and kept nowhere. */
  key: z.optional(z.string().check(z.maxLength(20_000))),
}

/** Why a backup can't be restored here. */
const NOT_THIS_ONE = {
  external: { status: 409, title: 'This server uses an external database. Restore it with its own tools.' },
  busy: { status: 409, title: 'A restore is running already.' },
  not_own: {
    status: 409,
    title: 'This isn’t a backup as this server made it. Restore it with the command line.',
  },
  too_old: {
    status: 409,
    title: 'This backup is too old to know which accounts were erased since. Use the command line.',
  },
  newer: { status: 409, title: 'This backup is of another version of Tutorlog. Use the command line.' },
  not_in_it: {
    status: 409,
    title: 'Your own account isn’t in this backup, so you’d be locked out. Use the command line.',
  },
  no_room: { status: 409, title: 'There isn’t enough room on the disk.' },
  key_needed: { status: 422, title: 'This backup is encrypted. Choose its key.', field: 'key' },
  wrong_key: { status: 422, title: 'This key doesn’t open the backup.', field: 'key' },
} as const

const Count = z.object({ now: z.number(), then: z.number(), lost: z.number() })

export const PreviewRestore = endpoint({
  operation: 'PreviewRestore',
  summary: 'Say what restoring a backup would change, without changing anything',
  method: 'POST',
  path: '/api/v1/admin/backups/preview',
  access: ADMIN,
  isFree: true,
  limit: { hits: 30, seconds: 600 },
  input: z.strictObject(Choice),
  output: z.object({
    created_at: z.string(),
    /** The newest change in it. */
    newest_entry_at: z.nullable(z.string()),
    accounts: Count,
    sessions: Count,
    payments: Count,
    /** How many changes were made since. */
    changes_since: z.number(),
    /** When accounts were erased that are in the backup. They're erased again. */
    erased_again: z.array(z.string()),
    needed_bytes: z.number(),
    free_bytes: z.nullable(z.number()),
  }),
  refusals: NOT_THIS_ONE,
})

export const RestoreBackup = endpoint({
  operation: 'RestoreBackup',
  summary: 'Begin to restore a backup; the server is in maintenance until it is done',
  method: 'POST',
  path: '/api/v1/admin/backups/restore',
  access: ADMIN,
  isFree: true,
  proof: 'recent',
  input: z.strictObject({ ...Choice, word: z.literal(RESTORE_WORD) }),
  output: z.undefined(),
  refusals: NOT_THIS_ONE,
})

export const GoBack = endpoint({
  operation: 'GoBack',
  summary: 'Begin to serve the database again that was served before; the other one is kept in its place',
  method: 'POST',
  path: '/api/v1/admin/backups/back',
  access: ADMIN,
  isFree: true,
  proof: 'recent',
  input: z.strictObject({}),
  output: z.undefined(),
  refusals: {
    busy: NOT_THIS_ONE.busy,
    no_former: { status: 409, title: 'There’s no former database to go back to.' },
    not_in_it: { status: 409, title: 'Your own account isn’t in the former database.' },
  },
})

export const ForgetFormer = endpoint({
  operation: 'ForgetFormer',
  summary: 'Delete the database that was served before',
  method: 'POST',
  path: '/api/v1/admin/backups/forget',
  access: ADMIN,
  isFree: true,
  proof: 'recent',
  input: z.strictObject({}),
  output: z.undefined(),
  refusals: { busy: NOT_THIS_ONE.busy },
})

/** What the server can do about its backups. main/ provides it; without an embedded database there's none. */
export interface Restoring {
  read(): Promise<Omit<OutputOf<typeof ReadBackups>, 'is_embedded'>>
  preview(choice: RestoreChoice): Promise<OutputOf<typeof PreviewRestore> | NotRestored>
  /** Begins once the caller was answered. */
  restore(choice: RestoreChoice): Promise<NotRestored | undefined>
  goBack(by: Restorer): Promise<'busy' | 'no_former' | 'not_in_it' | undefined>
  forget(): Promise<'busy' | undefined>
}

/** The administrator, whose login stays. */
export interface Restorer {
  id: string
  loginId: string
}

export interface RestoreChoice {
  backup: string
  key?: string | undefined
  by: Restorer
}

export type NotRestored = keyof typeof NOT_THIS_ONE
