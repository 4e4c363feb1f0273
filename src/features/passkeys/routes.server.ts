// Routes for an account's own passkeys, and for starting to use one.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { CurrentUser, Services } from '#features/access/admission.server.ts'
import { noteEvent, originOf } from '#features/security/commands.server.ts'
import { OUTSIDE, serve } from '#features/access/operation.server.ts'
import type { EventKind } from '#features/security/event.ts'
import { done, refused } from '#kernel/outcome.ts'
import { refusedBy } from '#platform/db/constraint.server.ts'
import type { Tx } from '#platform/db/db.server.ts'
import { notFound } from '#platform/http/problem.server.ts'
import { keepPasskey, madePasskey, startMaking, startUsing } from './commands.server.ts'
import {
  AddPasskey,
  MOST_PASSKEYS,
  type Passkey,
  ReadWaysIn,
  RemovePasskey,
  RenamePasskey,
  StartPasskey,
  StartPasskeyProof,
  StartPasskeySignIn,
} from './passkey.ts'
import {
  deletePasskey,
  holdAccount,
  listPasskeys,
  ONE_CREDENTIAL,
  otherWaysIn,
  readSecondStep,
  renamePasskey,
} from './queries.server.ts'

export function addPasskeyRoutes(app: FastifyInstance, services: Services): void {
  const { db, now } = services

  serve(app, services, StartPasskeySignIn, OUTSIDE, async () => done(await startUsing(services)))

  serve(app, services, StartPasskeyProof, OUTSIDE, async ({ user }) =>
    done(await startUsing(services, user.id)),
  )

  serve(app, services, ReadWaysIn, async ({ tx, user }) => {
    const passkeys = await listPasskeys(tx, user.id)
    const { hasPassword, hasGoogle } = await otherWaysIn(tx, user.id)
    const step = await readSecondStep(tx, user.id)
    return done({
      passkeys: passkeys.map(toPasskey),
      has_password: hasPassword,
      has_google: hasGoogle,
      second_step: step ? { ...step, on_since: step.on_since.toISOString() } : null,
    })
  })

  serve(app, services, StartPasskey, OUTSIDE, async ({ user }) =>
    done(await startMaking(services, user.email, user.id)),
  )

  serve(app, services, AddPasskey, OUTSIDE, async ({ user, input, request }) => {
    const made = await madePasskey(services, input.passkey, user.id)
    if (!made) return refused('passkey_refused')
    const device = request.headers['user-agent']
    return refusedBy(ONE_CREDENTIAL, 'passkey_refused', () =>
      db.asSystem(async (tx) => {
        await holdAccount(tx, user.id)
        const own = await listPasskeys(tx, user.id)
        if (own.length >= MOST_PASSKEYS) return refused('too_many_passkeys')
        const kept = await keepPasskey(tx, user.id, made, device, now())
        await note(tx, user, request, 'passkey_added')
        return done(toPasskey(kept))
      }),
    )
  })

  serve(app, services, RenamePasskey, async ({ tx, user, params, input }) => {
    const renamed = await renamePasskey(tx, user.id, params.id, input.name)
    if (!renamed) throw notFound()
    return done(toPasskey(renamed))
  })

  serve(app, services, RemovePasskey, OUTSIDE, async ({ user, params, request }) =>
    db.asSystem(async (tx) => {
      await holdAccount(tx, user.id)
      const own = await listPasskeys(tx, user.id)
      if (!own.some(({ id }) => id === params.id)) throw notFound()
      const { hasPassword, hasGoogle } = await otherWaysIn(tx, user.id)
      if (own.length === 1 && !hasPassword && !hasGoogle) return refused('last_way_in')
      await deletePasskey(tx, user.id, params.id)
      await note(tx, user, request, 'passkey_removed')
      return done(undefined)
    }),
  )

  const note = (tx: Tx, user: CurrentUser, request: FastifyRequest, kind: EventKind) =>
    noteEvent(tx, originOf(request), { userId: user.id, kind, at: now(), email: user.email })
}

function toPasskey(row: { id: string; name: string; created_at: Date; used_at: Date | null }): Passkey {
  return {
    id: row.id,
    name: row.name,
    created_at: row.created_at.toISOString(),
    used_at: row.used_at?.toISOString() ?? null,
  }
}
