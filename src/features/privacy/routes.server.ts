// Routes for exporting data, deleting an account, and undoing the deletion.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { KeepAccount } from '#features/accounts/profile.ts'
import { type AccountServices, clearCookies } from '#features/accounts/login.server.ts'
import { readMe } from '#features/accounts/queries.server.ts'
import { askToCancel } from '#features/billing/queries.server.ts'
import { listWorkspaces, readTimeZone } from '#features/workspaces/queries.server.ts'
import { dayIn } from '#kernel/calendar-day.ts'
import { noteEvent, originOf } from '#features/security/commands.server.ts'
import type { EventKind } from '#features/security/event.ts'
import { done } from '#kernel/outcome.ts'
import { goneSignal } from '#platform/http/heavy.server.ts'
import type { Tx } from '#platform/db/db.server.ts'
import { notFound } from '#platform/http/problem.server.ts'
import { OUTSIDE, serve } from '#features/access/operation.server.ts'
import { type CurrentUser, principalOf } from '#features/access/admission.server.ts'
import { queueMail } from '#platform/mail/outbox.server.ts'
import { packedFile } from './commands.server.ts'
import { DeleteAccount, ExportData } from './privacy.ts'
import { askForDeletion, takeDeletionBack } from './queries.server.ts'

export function addPrivacyRoutes(app: FastifyInstance, services: AccountServices): void {
  const { db, now } = services
  const note = (tx: Tx, { id, email }: CurrentUser, request: FastifyRequest, kind: EventKind) =>
    noteEvent(tx, originOf(request), { userId: id, kind, at: now(), email })

  serve(app, services, ExportData, OUTSIDE, async ({ user, reply, request }) => {
    await db.asSystem((tx) => note(tx, user, request, 'exported'))
    // Only owners and parents who see all of a workspace's records get those records. Everyone else gets just
    // their own data.
    const keeps =
      (user.workspace?.role === 'owner' || user.workspace?.role === 'parent') && user.workspace.allStudents
    const exporter = { account: user.id, workspace: keeps ? user.workspace : undefined }
    const [all, timeZone] = await db.readAsSystem(async (tx) => [
      await listWorkspaces(tx, user.id),
      await readTimeZone(tx, user.id),
    ])
    const place = {
      workspace: all.find(({ id }) => id === exporter.workspace?.id),
      others: all.filter(({ id }) => id !== user.workspace?.id).length,
    }
    const task = { database: db.place, speaker: principalOf(user), exporter, place, writtenAt: now() }
    const file = await packedFile(task, goneSignal(reply))
    reply
      .type('application/zip')
      .header('content-length', (await file.stat()).size)
      .header(
        'content-disposition',
        `attachment; filename="tutorlog-export-${dayIn(now(), timeZone ?? 'UTC')}.zip"`,
      )
    return done(file.createReadStream({ start: 0 }))
  })

  serve(app, services, DeleteAccount, OUTSIDE, async ({ user, reply, request }) => {
    await db.asSystem(async (tx) => {
      await askForDeletion(tx, user.id, now())
      // Nobody should be charged for an account that's about to be deleted.
      await askToCancel(tx, user.id)
      await queueMail(tx, { userId: user.id, recipient: user.email, kind: 'account_deleted' })
      await note(tx, user, request, 'deletion_asked')
    })
    clearCookies(services, reply)
    reply.header('clear-site-data', '"cache", "storage"')
    return done(undefined)
  })

  serve(app, services, KeepAccount, async ({ tx, user, request }) => {
    await db.asSystem(async (system) => {
      await takeDeletionBack(system, user.id)
      await note(system, user, request, 'deletion_undone')
    })
    const me = await readMe(tx, user.id, services, user.workspace?.id)
    if (!me) throw notFound()
    return done(me)
  })
}
