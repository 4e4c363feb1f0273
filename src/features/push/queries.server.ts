// SQL for devices that get push messages, and for the key that push services know this server by.
import type { Tx } from '#platform/db/db.server.ts'
import { tokenHash } from '#platform/http/token.server.ts'
import { type PushKey, pushKeyOf } from '#platform/push/push-key.server.ts'
import type { Subscription } from '#platform/push/send-push.server.ts'
import { MOST_DEVICES, type PushDevice, usedSince } from './push.ts'

/** The account and the hash of the browser, which identify a device. */
export interface DeviceKey {
  userId: string
  browser: Buffer
}

/** A device that can be reached. */
interface Reachable extends DeviceKey, Subscription {
  showsNames: boolean
}

export async function readPushKey(tx: Tx): Promise<PushKey> {
  const { private_key } = await tx.selectFrom('push_keys').select('private_key').executeTakeFirstOrThrow()
  return pushKeyOf(private_key)
}

export async function readDevice(
  tx: Tx,
  key: DeviceKey | undefined,
): Promise<Omit<PushDevice, 'public_key'>> {
  const row =
    key &&
    (await tx
      .selectFrom('push_devices')
      .select(['is_on', 'endpoint', 'shows_names', 'is_offer_dismissed', 'delivered_at', 'failure'])
      .where('user_id', '=', key.userId)
      .where('browser_hash', '=', key.browser)
      .executeTakeFirst())
  return {
    is_on: row?.is_on ?? false,
    is_subscribed: Boolean(row?.endpoint),
    shows_names: row?.shows_names ?? false,
    is_offer_dismissed: row?.is_offer_dismissed ?? false,
    delivered_at: row?.delivered_at?.toISOString() ?? null,
    is_failing: Boolean(row?.failure),
  }
}

/** Saves what a person chose for a device. What they didn't say stays. */
export async function updateDevice(
  tx: Tx,
  { userId, browser }: DeviceKey,
  choice: { shows_names?: boolean | undefined; is_offer_dismissed?: boolean | undefined },
): Promise<void> {
  if (Object.values(choice).every((one) => one === undefined)) return
  await tx
    .insertInto('push_devices')
    .values({ user_id: userId, browser_hash: browser, ...choice })
    .onConflict((conflict) => conflict.columns(['user_id', 'browser_hash']).doUpdateSet(choice))
    .execute()
}

export async function turnOffDevice(tx: Tx, { userId, browser }: DeviceKey): Promise<void> {
  await tx
    .updateTable('push_devices')
    .set({ is_on: false, login_id: null })
    .where('user_id', '=', userId)
    .where('browser_hash', '=', browser)
    .execute()
}

/**
 * Subscribes a device. The address then belongs to nobody else: another account may have used the same browser. If the
 * account has too many devices, those used longest ago end.
 */
export async function subscribeDevice(
  tx: Tx,
  { userId, browser }: DeviceKey,
  loginId: string,
  subscription: Subscription,
  now: Date,
): Promise<void> {
  const hash = tokenHash(subscription.endpoint)
  await tx
    .updateTable('push_devices')
    .set({ login_id: null })
    .where('endpoint_hash', '=', hash)
    .where((where) => where.or([where('user_id', '<>', userId), where('browser_hash', '<>', browser)]))
    .execute()
  const columns = { ...addressOf(subscription, hash), is_on: true, login_id: loginId, used_at: now }
  await tx
    .insertInto('push_devices')
    .values({ user_id: userId, browser_hash: browser, ...columns })
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'browser_hash']).doUpdateSet({ ...columns, failure: null }),
    )
    .execute()
  await tx
    .deleteFrom('push_devices')
    .where('user_id', '=', userId)
    .where('browser_hash', 'not in', (query) =>
      query
        .selectFrom('push_devices')
        .select('browser_hash')
        .where('user_id', '=', userId)
        .orderBy('used_at', (order) => order.desc().nullsLast())
        .orderBy('created_at', 'desc')
        .limit(MOST_DEVICES),
    )
    .execute()
}

const addressOf = ({ endpoint, p256dh, auth }: Subscription, hash = tokenHash(endpoint)) => ({
  endpoint,
  endpoint_hash: hash,
  p256dh,
  auth,
})

/** Notes that something was opened or answered on the device with this address, if there's one. */
export async function noteUsed(tx: Tx, endpoint: string, now: Date): Promise<void> {
  await tx
    .updateTable('push_devices')
    .set({ used_at: now })
    .where('endpoint_hash', '=', tokenHash(endpoint))
    .execute()
}

/** Moves a device to a new address. False if no device has the old one. */
export async function renewAddress(
  tx: Tx,
  old: { endpoint: string; auth: string },
  subscription: Subscription,
): Promise<boolean> {
  const moved = await tx
    .updateTable('push_devices')
    .set({ ...addressOf(subscription), failure: null })
    .where('endpoint_hash', '=', tokenHash(old.endpoint))
    .where('auth', '=', old.auth)
    .where((where) =>
      where.not(
        where.exists(
          where
            .selectFrom('push_devices as other')
            .select('other.user_id')
            .where('other.endpoint_hash', '=', tokenHash(subscription.endpoint)),
        ),
      ),
    )
    .returning('user_id')
    .executeTakeFirst()
  return moved !== undefined
}

/** The devices on which an account can be reached: used recently, and the account isn't closed. */
export async function reachableDevices(tx: Tx, userId: string, now: Date): Promise<Reachable[]> {
  const rows = await tx
    .selectFrom('push_devices')
    .innerJoin('users', 'users.id', 'push_devices.user_id')
    .select(['browser_hash', 'endpoint', 'p256dh', 'auth', 'shows_names'])
    .where('user_id', '=', userId)
    .where('used_at', '>', usedSince(now))
    .where('users.disabled_at', 'is', null)
    .where('users.deletion_asked_at', 'is', null)
    .orderBy('used_at', 'desc')
    .execute()
  return rows.flatMap(({ browser_hash: browser, endpoint, p256dh, auth, shows_names: showsNames }) =>
    endpoint && p256dh && auth ? [{ userId, browser, endpoint, p256dh, auth, showsNames }] : [],
  )
}

/** Notes what came of a message, unless the device has another address by now. */
export async function noteDelivery(
  tx: Tx,
  { endpoint }: Pick<Reachable, 'endpoint'>,
  delivery: 'accepted' | 'gone' | 'later' | 'refused',
  now: Date,
): Promise<void> {
  const changes = {
    accepted: { delivered_at: now, failure: null },
    gone: { login_id: null },
    later: { failure: 'later' as const },
    refused: { failure: 'refused' as const },
  }
  await tx
    .updateTable('push_devices')
    .set(changes[delivery])
    .where('endpoint_hash', '=', tokenHash(endpoint))
    .execute()
}
