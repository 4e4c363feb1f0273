// SQL for the second step of signing in with a password.
import { sql } from 'kysely'
import type { Tx } from '#platform/db/db.server.ts'

/** An account's second step, if it's on. */
export interface SecondStep {
  secret: Buffer
  recoveryHashes: string[]
}

export async function secondStepOf(tx: Tx, userId: string): Promise<SecondStep | undefined> {
  const row = await tx
    .selectFrom('second_steps')
    .select(['secret', 'recovery_hashes'])
    .where('user_id', '=', userId)
    .where('on_since', 'is not', null)
    .executeTakeFirst()
  return row && { secret: row.secret, recoveryHashes: row.recovery_hashes }
}

/** Keeps a secret whose codes nobody is asked for yet, in place of an earlier one. False if the second step is on. */
export async function keepSecret(tx: Tx, userId: string, secret: Buffer, now: Date): Promise<boolean> {
  const row = await tx
    .insertInto('second_steps')
    .values({ user_id: userId, secret, created_at: now })
    .onConflict((conflict) =>
      conflict
        .column('user_id')
        .doUpdateSet({ secret, created_at: now })
        .where('second_steps.on_since', 'is', null),
    )
    .returning('user_id')
    .executeTakeFirst()
  return row !== undefined
}

/** The secret that an app hasn't shown a code of yet. */
export async function newSecretOf(tx: Tx, userId: string): Promise<Buffer | undefined> {
  const row = await tx
    .selectFrom('second_steps')
    .select('secret')
    .where('user_id', '=', userId)
    .where('on_since', 'is', null)
    .executeTakeFirst()
  return row?.secret
}

/** Turns the second step on. False if the secret is no longer the newest one, or it's on already. */
export async function turnOn(
  tx: Tx,
  userId: string,
  { secret, period, recoveryHashes }: { secret: Buffer; period: number; recoveryHashes: string[] },
  now: Date,
): Promise<boolean> {
  const row = await tx
    .updateTable('second_steps')
    .set({
      on_since: now,
      last_period: period,
      recovery_hashes: recoveryHashes,
      recovery_made_at: now,
    })
    .where('user_id', '=', userId)
    .where('secret', '=', secret)
    .where('on_since', 'is', null)
    .returning('user_id')
    .executeTakeFirst()
  return row !== undefined
}

/** Replaces the recovery codes. False if the second step is off. */
export async function replaceRecoveryCodes(
  tx: Tx,
  userId: string,
  hashes: string[],
  now: Date,
): Promise<boolean> {
  const row = await tx
    .updateTable('second_steps')
    .set({ recovery_hashes: hashes, recovery_made_at: now })
    .where('user_id', '=', userId)
    .where('on_since', 'is not', null)
    .returning('user_id')
    .executeTakeFirst()
  return row !== undefined
}

/** Uses up an app's codes up to this period. False if that has happened already, perhaps at this moment. */
export async function usePeriod(tx: Tx, userId: string, secret: Buffer, period: number): Promise<boolean> {
  const row = await tx
    .updateTable('second_steps')
    .set({ last_period: period })
    .where('user_id', '=', userId)
    .where('secret', '=', secret)
    .where('on_since', 'is not', null)
    .where('last_period', '<', sql<string>`${period}`)
    .returning('user_id')
    .executeTakeFirst()
  return row !== undefined
}

/** Uses up a recovery code. False if that has happened already, perhaps at this moment. */
export async function useRecoveryCode(tx: Tx, userId: string, hash: string): Promise<boolean> {
  const row = await tx
    .updateTable('second_steps')
    .set({ recovery_hashes: sql<string[]>`array_remove(recovery_hashes, ${hash})` })
    .where('user_id', '=', userId)
    .where(sql<boolean>`${hash} = any (recovery_hashes)`)
    .returning('user_id')
    .executeTakeFirst()
  return row !== undefined
}

/** False if there was none. */
export async function deleteSecondStep(tx: Tx, userId: string): Promise<boolean> {
  const row = await tx
    .deleteFrom('second_steps')
    .where('user_id', '=', userId)
    .returning('on_since')
    .executeTakeFirst()
  return row?.on_since != null
}
