// Routes for workspaces, their members and invitations.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isOptedOut } from '#features/notices/queries.server.ts'
import { noteEvent, originOf } from '#features/security/commands.server.ts'
import type { EventKind } from '#features/security/event.ts'
import { done, refused } from '#kernel/outcome.ts'
import { emailKey } from '#kernel/text.ts'
import { refusedBy } from '#platform/db/constraint.server.ts'
import type { Tx } from '#platform/db/db.server.ts'
import { notFound } from '#platform/http/problem.server.ts'
import { hitLimit } from '#platform/http/rate-limit.server.ts'
import type { CurrentUser, Services } from '#features/access/admission.server.ts'
import { serve } from '#features/access/operation.server.ts'
import { tokenHash } from '#platform/http/token.server.ts'
import { queueMail } from '#platform/mail/outbox.server.ts'
import {
  changeRole,
  deleteInvitation,
  deleteMember,
  handOver,
  hasStudents,
  insertInvitation,
  isOpenAccount,
  listInvitations,
  listMembers,
  listWorkspaces,
  lockMembers,
  ONE_SIDE,
  openInvitation,
  useInvitation,
} from './queries.server.ts'
import {
  ChangeMember,
  GIVEN_ROLES,
  type Kind,
  InviteMember,
  JoinWorkspace,
  ListMembers,
  ListWorkspaces,
  type MemberRole,
  MOST_MEMBERS,
  RemoveMember,
} from './workspace.ts'

/**
 * Limits how many invitations one address can get, counted across all senders, so that nobody can flood a
 * mailbox (promise I7).
 */
const INVITED = { hits: 3, seconds: 86_400 }

export function addWorkspaceRoutes(app: FastifyInstance, services: Services): void {
  const { db, now } = services
  const isOwner = (user: CurrentUser) => user.workspace?.role === 'owner'
  const note = (tx: Tx, { id, email }: CurrentUser, request: FastifyRequest, kind: EventKind) =>
    noteEvent(tx, originOf(request), { userId: id, kind, at: now(), email })

  serve(app, services, ListWorkspaces, async ({ tx, user }) =>
    done(
      (await listWorkspaces(tx, user.id)).map((one) => ({
        ...one,
        is_current: one.id === user.workspace?.id,
      })),
    ),
  )

  serve(app, services, ListMembers, async ({ tx, user, workspace }) => {
    const members = await db.readAsSystem((system) => listMembers(system, workspace, user.id))
    // Only the owner sees the addresses of other members.
    const shown = members.map((one) => (isOwner(user) || one.is_me ? one : { ...one, email: null }))
    const everybody = [...shown, ...(await listInvitations(tx, workspace, now()))]
    if (user.workspace?.allStudents) return done(everybody)
    // A limited member must not find out that there are other students.
    return done(everybody.map((one) => (one.is_me ? one : { ...one, student_ids: one.student_ids && [] })))
  })

  serve(app, services, InviteMember, async ({ tx, user, workspace, input, request }) => {
    if (!isOwner(user)) return refused('owner_only')
    if (!mayGive(user.workspace?.kind, input.role)) return refused('wrong_role')
    if (input.student_ids && !(await hasStudents(tx, workspace, input.student_ids)))
      return refused('unknown_student')
    const key = emailKey(input.email)
    await lockMembers(tx, workspace)
    const members = await db.asSystem((system) => listMembers(system, workspace, user.id))
    if (members.some((one) => one.email !== null && emailKey(one.email) === key))
      return refused('already_member')
    const others = (await listInvitations(tx, workspace, now())).filter(
      (one) => one.email !== null && emailKey(one.email) !== key,
    )
    if (members.length + others.length >= MOST_MEMBERS) return refused('too_many_members')
    const { isRefused, isTooOften } = await db.asSystem(async (system) => ({
      isRefused: await isOptedOut(system, input.email),
      isTooOften: (await hitLimit(system, `invite:${key}`, INVITED)) !== undefined,
    }))
    if (isRefused) return refused('opted_out')
    if (isTooOften) return refused('invited_too_often')
    const invited = await insertInvitation(
      tx,
      workspace,
      {
        email: input.email.trim(),
        emailKey: key,
        role: input.role,
        studentIds: input.student_ids ?? null,
      },
      now(),
    )
    await queueMail(tx, {
      userId: user.id,
      recipient: input.email.trim(),
      kind: 'member_invitation',
      data: { invitation_id: invited.id },
    })
    await note(tx, user, request, 'member_invited')
    return done(invited)
  })

  serve(app, services, ChangeMember, async ({ tx, user, workspace, params, input, request }) => {
    if (!isOwner(user)) return refused('owner_only')
    if (input.role === 'owner')
      return input.student_ids ? refused('owner_sees_all') : makeOwner(user, params.id, request)
    if (!mayGive(user.workspace?.kind, input.role)) return refused('wrong_role')
    if (input.student_ids && !(await hasStudents(tx, workspace, input.student_ids)))
      return refused('unknown_student')
    if (!(await changeRole(tx, workspace, params.id, input.role, input.student_ids))) throw notFound()
    await note(tx, user, request, 'member_changed')
    const members = await db.asSystem((system) => listMembers(system, workspace, user.id))
    const changed = members.find((one) => one.id === params.id)
    if (!changed) throw notFound()
    const { student_ids = changed.student_ids } = input
    return done({ ...changed, role: input.role, student_ids })
  })

  serve(app, services, RemoveMember, async ({ tx, user, workspace, params, request }) => {
    const isMe = params.id === user.id
    if (isMe && isOwner(user)) return refused('owner_stays')
    if (!isMe && !isOwner(user)) return refused('owner_only')
    const isGone =
      (await deleteMember(tx, workspace, params.id)) ||
      (!isMe && (await deleteInvitation(tx, workspace, params.id)))
    if (!isGone) throw notFound()
    await note(tx, user, request, isMe ? 'member_left' : 'member_removed')
    return done(undefined)
  })

  serve(app, services, JoinWorkspace, async ({ user, input, request }) =>
    refusedBy(ONE_SIDE, 'both_sides', () => join(user, input.token, request)),
  )

  const join = (user: CurrentUser, token: string, request: FastifyRequest) =>
    db.asSystem(async (tx) => {
      const invitation = await openInvitation(tx, { tokenHash: tokenHash(token) }, now())
      if (!invitation) return refused('invitation_over')
      if (invitation.email_key !== emailKey(user.email)) return refused('other_address')
      if (!(await useInvitation(tx, invitation, user.id))) return refused('invitation_over')
      const joined = (await listWorkspaces(tx, user.id)).find((one) => one.id === invitation.workspace_id)
      if (!joined) throw notFound()
      await note(tx, user, request, 'member_joined')
      return done({ ...joined, is_current: false })
    })

  // Runs as the system role, because it changes two members at once and members can't change their own role.
  const makeOwner = (user: CurrentUser, accountId: string, request: FastifyRequest) =>
    db.asSystem(async (tx) => {
      const { workspace } = user
      if (!workspace) throw notFound()
      await lockMembers(tx, workspace.id)
      const members = await listMembers(tx, workspace.id, user.id)
      // If two calls run at the same time, the second finds that its caller is no longer the owner.
      if (!members.some(({ is_me: isMe, role }) => isMe && role === 'owner')) return refused('owner_only')
      const heir = members.find(({ id }) => id === accountId)
      if (!heir) throw notFound()
      if (heir.is_me) return done(heir)
      if (!(await isOpenAccount(tx, accountId))) return refused('account_closed')
      if (!(await handOver(tx, workspace.id, accountId, now()))) return refused('not_an_heir')
      await queueMail(tx, {
        userId: accountId,
        recipient: '',
        kind: 'ownership',
        data: { workspace_id: workspace.id, from: user.id },
      })
      await note(tx, user, request, 'handed_over')
      return done({ ...heir, role: 'owner' as const })
    })
}

function mayGive(kind: Kind | undefined, role: MemberRole): role is Exclude<MemberRole, 'owner'> {
  const roles: readonly MemberRole[] = kind ? GIVEN_ROLES[kind] : []
  return roles.includes(role)
}
