// Admin routes. Every access to a person's data is recorded before the response goes out.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { readMe } from '#features/accounts/queries.server.ts'
import { noteEvent, originOf } from '#features/security/commands.server.ts'
import type { EventKind } from '#features/security/event.ts'
import { ownWorkspaces } from '#features/workspaces/queries.server.ts'
import { done, refused } from '#kernel/outcome.ts'
import { notFound } from '#platform/http/problem.server.ts'
import { OUTSIDE, serve } from '#features/access/operation.server.ts'
import type { CurrentUser, Services } from '#features/access/admission.server.ts'
import type { Tx } from '#platform/db/db.server.ts'
import { retryFailed, waitingWork } from '#platform/jobs/waiting.server.ts'
import { queueMail } from '#platform/mail/outbox.server.ts'
import {
  type Backups,
  ListAccounts,
  PAGE,
  ReadOverview,
  ReadRecord,
  ResendFor,
  RetryJobs,
  SetDisabled,
} from './admin.ts'
import { ForgetFormer, GoBack, PreviewRestore, ReadBackups, RestoreBackup, type Restoring } from './backup.ts'
import { lastDrills, secondsOf } from './drill-queries.server.ts'
import {
  countPeople,
  isUser,
  listAccounts,
  noteListed,
  noteRecordRead,
  readRecord,
  setDisabled,
} from './queries.server.ts'

interface AdminServices extends Services {
  trialDays: number
  /** Whether the server makes backups every night, which it does of an embedded database. */
  makesBackups: boolean
  restoring: Restoring | undefined
}

export function addAdminRoutes(app: FastifyInstance, services: AdminServices): void {
  addBackupRoutes(app, services, services.restoring)
  const { db, now, makesBackups } = services

  serve(app, services, ListAccounts, async ({ user, input }) =>
    db.asSystem(async (tx) => {
      const rows = await listAccounts(
        tx,
        input.search?.trim() ?? '',
        input.before ? new Date(input.before) : undefined,
        PAGE + 1,
      )
      const page = rows.slice(0, PAGE)
      await noteListed(
        tx,
        user.id,
        page.map((row) => row.id),
        now(),
      )
      return done({
        has_more: rows.length > page.length,
        people: page.map((row) => ({
          id: row.id,
          email: row.email,
          full_name: row.full_name,
          role: row.role,
          created_at: row.created_at.toISOString(),
          last_seen_at: row.last_seen_at?.toISOString() ?? null,
          is_confirmed: row.email_confirmed_at !== null,
          is_disabled: row.disabled_at !== null,
          is_leaving: row.deletion_asked_at !== null,
        })),
      })
    }),
  )

  serve(app, services, SetDisabled, async ({ user, params, input }) => {
    if (params.id === user.id) return refused('self')
    if (!(await db.asSystem((tx) => setDisabled(tx, params.id, input.disabled ? now() : null))))
      throw notFound()
    return done(undefined)
  })

  serve(app, services, ResendFor, async ({ params }) =>
    db.asSystem(async (tx) => {
      const person = await readMe(tx, params.id, services)
      if (!person) throw notFound()
      if (person.email_confirmed_at) return refused('confirmed')
      await queueMail(tx, { userId: person.id, recipient: person.email, kind: 'verify_email' })
      return done(undefined)
    }),
  )

  serve(app, services, ReadRecord, async ({ user, params, input }) => {
    await db.asSystem(async (tx) => {
      if (!(await isUser(tx, params.id))) throw notFound()
      await noteRecordRead(tx, user.id, params.id, input.purpose, now())
    })
    // Reads as the owner of the entries, so that row-level security applies here too.
    const own = await db.asSystem((tx) => ownWorkspaces(tx, params.id))
    const records = await Promise.all(
      own.map(({ id, kind }) =>
        db.asMember({ accountId: params.id, workspace: { id, kind } }, (tx) => readRecord(tx, id)),
      ),
    )
    const sum = (count: (record: (typeof records)[number]) => number) =>
      records.reduce((total, record) => total + count(record), 0)
    return done({
      students: records.flatMap(({ students }) => students),
      tutors: records.flatMap(({ tutors }) => tutors),
      sessions: sum(({ sessions }) => sessions),
      schedules: sum(({ schedules }) => schedules),
    })
  })

  serve(app, services, ReadOverview, async ({ user }) =>
    db.asSystem(async (tx) => {
      const counts = await countPeople(tx, now())
      const { mails, jobs } = await waitingWork(tx)
      await noteListed(
        tx,
        user.id,
        mails.flatMap(({ userId }) => userId ?? []),
        now(),
      )
      return done({
        ...counts,
        work: {
          mails: mails.map(({ id, kind, recipient, since, attempts, lastError }) => ({
            id,
            kind,
            recipient,
            attempts,
            since: since.toISOString(),
            last_error: lastError,
          })),
          jobs: jobs.map(({ runAt, maxAttempts, isParked, lastError, ...job }) => ({
            ...job,
            run_at: runAt.toISOString(),
            max_attempts: maxAttempts,
            is_parked: isParked,
            last_error: lastError,
          })),
        },
        backups: makesBackups ? await readBackups(tx) : null,
      })
    }),
  )

  serve(app, services, RetryJobs, async () => done({ jobs: await db.asSystem(retryFailed) }))
}

async function readBackups(tx: Tx): Promise<Backups> {
  const { newest, goodBackupAt } = await lastDrills(tx)
  const { ended_at: endedAt = null } = newest ?? {}
  return {
    drill: newest
      ? {
          backup: newest.backup,
          backup_at: newest.backup_at.toISOString(),
          backup_bytes: Number(newest.backup_bytes),
          ended_at: endedAt?.toISOString() ?? null,
          seconds: endedAt && secondsOf({ ...newest, ended_at: endedAt }),
          findings: newest.findings ?? [],
        }
      : null,
    last_good_at: goodBackupAt?.toISOString() ?? null,
  }
}

/** @param restoring undefined with an external database */
function addBackupRoutes(app: FastifyInstance, services: Services, restoring: Restoring | undefined): void {
  const none = { backups: [], strangers: [], former: null, last_failure: null }
  serve(app, services, ReadBackups, OUTSIDE, async () =>
    done(restoring ? { is_embedded: true, ...(await restoring.read()) } : { is_embedded: false, ...none }),
  )

  serve(app, services, PreviewRestore, OUTSIDE, async ({ user, input }) => {
    const answer = restoring ? await restoring.preview({ ...input, by: user }) : 'external'
    return typeof answer === 'string' ? refused(answer) : done(answer)
  })

  // Noted in the database that's still served, whose events go along into the one that takes its place.
  const begun = async ({ id: userId, email }: CurrentUser, request: FastifyRequest, kind: EventKind) => {
    const event = { userId, email, kind, at: services.now() }
    await services.db.asSystem((tx) => noteEvent(tx, originOf(request), event))
    return done(undefined)
  }

  serve(app, services, RestoreBackup, OUTSIDE, async ({ user, input, request }) => {
    const { backup, key } = input
    const reason = restoring ? await restoring.restore({ backup, key, by: user }) : 'external'
    return reason ? refused(reason) : begun(user, request, 'restore_asked')
  })

  serve(app, services, GoBack, OUTSIDE, async ({ user, request }) => {
    const reason = restoring ? await restoring.goBack(user) : 'no_former'
    return reason ? refused(reason) : begun(user, request, 'restore_undo_asked')
  })

  serve(app, services, ForgetFormer, OUTSIDE, async () => {
    const reason = await restoring?.forget()
    return reason ? refused(reason) : done(undefined)
  })
}
