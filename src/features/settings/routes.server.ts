// Routes for the list of devices and for settings that require reentering the password.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type AccountServices, knownBrowserHash } from '#features/accounts/login.server.ts'
import { newPasswordHash } from '#features/accounts/password.server.ts'
import {
  dropPassword,
  endEmailedLinks,
  readMe,
  readName,
  setPassword,
} from '#features/accounts/queries.server.ts'
import { deleteLoginsOf, dropWaysInSince, forgetBrowsers } from '#features/accounts/login-queries.server.ts'
import { rememberTrial } from '#features/billing/queries.server.ts'
import { noteEvent, originOf } from '#features/security/commands.server.ts'
import { findNotMeLink, useNotMeLink } from '#features/security/queries.server.ts'
import { isOnBothSides, ONE_SIDE } from '#features/workspaces/queries.server.ts'
import { refusedBy } from '#platform/db/constraint.server.ts'
import type { Tx } from '#platform/db/db.server.ts'
import { tokenHash } from '#platform/http/token.server.ts'
import { done, refused } from '#kernel/outcome.ts'
import { deviceName } from '#kernel/device-name.ts'
import { notFound } from '#platform/http/problem.server.ts'
import { OUTSIDE, serve } from '#features/access/operation.server.ts'
import { queueMail } from '#platform/mail/outbox.server.ts'
import {
  applyEmailChange,
  confirmEmailSide,
  deleteOneLogin,
  deleteOtherLogins,
  listLogins,
  replaceEmailChange,
} from './queries.server.ts'
import {
  ChangeEmail,
  ChangePassword,
  ConfirmEmail,
  EndDevice,
  EndOtherDevices,
  ListDevices,
  ReportNotMe,
} from './settings.ts'

const EMAIL_CHANGE_HOURS = 24

export function addSettingsRoutes(app: FastifyInstance, services: AccountServices): void {
  const { now, db } = services

  serve(app, services, ChangePassword, async ({ tx: own, user, input, request }) => {
    const owner = { email: user.email, fullName: await readName(own, user.id) }
    const passwordHash = await newPasswordHash(input.password, owner)
    const me = await db.asSystem(async (tx) => {
      await setPassword(tx, user.id, passwordHash)
      await deleteOtherLogins(tx, user.id, user.loginId)
      await forgetBrowsers(tx, user.id, knownBrowserHash(services, request, user.id))
      const { id: userId, email } = user
      await noteEvent(tx, originOf(request), { userId, kind: 'password_changed', at: now(), email })
      return readMe(tx, user.id, services, user.workspace?.id)
    })
    if (!me) throw notFound()
    return done(me)
  })

  serve(app, services, ChangeEmail, async ({ user, input, request }) => {
    if (await db.asSystem((tx) => isOnBothSides(tx, user.id, input.email))) return refused('both_sides')
    await db.asSystem(async (tx) => {
      await replaceEmailChange(
        tx,
        user.id,
        input.email,
        new Date(now().getTime() + EMAIL_CHANGE_HOURS * 3_600_000),
      )
      await queueMail(tx, { userId: user.id, recipient: user.email, kind: 'email_change_old' })
      await queueMail(tx, { userId: user.id, recipient: input.email, kind: 'email_change_new' })
      const { id: userId, email } = user
      await noteEvent(tx, originOf(request), { userId, kind: 'email_change_asked', at: now(), email })
    })
    return done({ message: 'We sent a link to both addresses.' })
  })

  // Email scanners open every link, so nothing changes until someone presses the button on the page.
  // In a transaction of its own, which is rolled back if the database refuses the address.
  serve(app, services, ConfirmEmail, OUTSIDE, ({ input, request }) =>
    refusedBy(ONE_SIDE, 'both_sides', () => db.asSystem((tx) => confirmEmail(tx, input.token, request))),
  )

  async function confirmEmail(tx: Tx, token: string, request: FastifyRequest) {
    const change = await confirmEmailSide(tx, tokenHash(token), now())
    if (!change) return refused('invalid_link')
    if (!change.isComplete) return done({ outcome: 'half' as const })
    if (!(await applyEmailChange(tx, change))) return refused('invalid_link')
    await rememberTrial(tx, { id: change.userId, email: change.oldEmail }, now())
    await deleteLoginsOf(tx, change.userId)
    const { userId, oldEmail: email } = change
    await noteEvent(tx, originOf(request), { userId, kind: 'email_changed', at: now(), email })
    return done({ outcome: 'done' as const })
  }

  // In a transaction of its own, like a change of address: the former one may belong to somebody else by now.
  serve(app, services, ReportNotMe, OUTSIDE, ({ input, request }) =>
    refusedBy(ONE_SIDE, 'address_taken', () => db.asSystem((tx) => reportNotMe(tx, input.token, request))),
  )

  async function reportNotMe(tx: Tx, token: string, request: FastifyRequest) {
    const link = await findNotMeLink(tx, tokenHash(token), now())
    if (!link) return refused('invalid_link')
    const { userId, formerEmail } = link
    if (formerEmail !== undefined && !(await applyEmailChange(tx, { userId, newEmail: formerEmail })))
      return refused('address_taken')
    if (!(await useNotMeLink(tx, link))) return refused('invalid_link')
    await deleteLoginsOf(tx, userId)
    await forgetBrowsers(tx, userId)
    await dropPassword(tx, userId)
    await endEmailedLinks(tx, userId)
    await dropWaysInSince(tx, userId, link.happenedAt)
    const me = await readMe(tx, userId, services)
    if (!me) return refused('invalid_link')
    await noteEvent(tx, originOf(request), { userId, kind: 'reported', at: now(), email: me.email })
    await queueMail(tx, { userId, recipient: me.email, kind: 'reset_password' })
    return done({ outcome: 'signed_out' as const })
  }

  serve(app, services, ListDevices, async ({ tx, user }) => {
    const logins = await listLogins(tx, user.id, now())
    return done({
      devices: logins.map((login) => ({
        id: login.id,
        name: deviceName(login.user_agent),
        signed_in_at: login.created_at.toISOString(),
        last_seen_at: login.refreshed_at.toISOString(),
        is_this: login.id === user.loginId,
      })),
    })
  })

  serve(app, services, EndDevice, async ({ tx, user, params }) => {
    if (!(await deleteOneLogin(tx, user.id, params.id))) throw notFound()
    return done(undefined)
  })

  serve(app, services, EndOtherDevices, async ({ tx, user }) => {
    await deleteOtherLogins(tx, user.id, user.loginId)
    return done(undefined)
  })
}
