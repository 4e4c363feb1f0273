// Puts the features together: registers all routes, emails and jobs.
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { addGoogleRoutes } from '#features/accounts/google.server.ts'
import { accountJobs } from '#features/accounts/jobs.server.ts'
import {
  type AccountServices,
  type Admission,
  callerKey,
  currentUser,
  knownUser,
  userBy,
  whyNotProven,
} from '#features/accounts/login.server.ts'
import { accountMails } from '#features/accounts/mail.server.ts'
import { openIdProvider } from '#features/accounts/oidc.server.ts'
import { addAccountRoutes } from '#features/accounts/routes.server.ts'
import { countPeople } from '#features/admin/queries.server.ts'
import { lastDrills, secondsOf } from '#features/admin/drill-queries.server.ts'
import type { Restoring } from '#features/admin/backup.ts'
import { addAdminRoutes } from '#features/admin/routes.server.ts'
import { billingTasks } from '#features/billing/jobs.server.ts'
import { continueTrial, creditSubscriber } from '#features/billing/queries.server.ts'
import { addBillingRoutes, type BillingServices, mayWrite } from '#features/billing/routes.server.ts'
import { stripePayments } from '#features/billing/stripe.server.ts'
import { FEE_CRONTAB, feeJobs } from '#features/charges/jobs.server.ts'
import { HOLDING_CRONTAB, holdingJobs } from '#features/schedules/jobs.server.ts'
import { CONNECTION_CRONTAB, connectionJobs } from '#features/connections/jobs.server.ts'
import { EMAIL_CRONTAB, emailJobs } from '#features/emails/jobs.server.ts'
import { emailWriters, newsAlong } from '#features/emails/mail.server.ts'
import { isAsked, lockForAnswer } from '#features/connections/queries.server.ts'
import {
  answerAsLink,
  connectionOfToken,
  isSenderOfLink,
} from '#features/connections/emailed-queries.server.ts'
import { addConnectionRoutes } from '#features/connections/routes.server.ts'
import { DRILL_CRONTAB, openDrills } from '#features/drills/jobs.server.ts'
import { drillMails } from '#features/drills/mail.server.ts'
import { addDashboardRoutes } from '#features/dashboard/routes.server.ts'
import { addImportRoutes } from '#features/imports/routes.server.ts'
import { publicKeys } from '#features/months/key-commands.server.ts'
import { addMonthRoutes } from '#features/months/routes.server.ts'
import { addPaperRoutes, checkPaper } from '#features/papers/routes.server.ts'
import { addNoticeRoutes } from '#features/notices/routes.server.ts'
import { addChargeRoutes } from '#features/charges/routes.server.ts'
import { addPaymentRoutes, addPaymentWayRoutes } from '#features/payments/routes.server.ts'
import { purgeAccounts, purgeOld } from '#features/privacy/jobs.server.ts'
import { privacyMails } from '#features/privacy/mail.server.ts'
import { addPasskeyRoutes } from '#features/passkeys/routes.server.ts'
import { noteRefusal } from '#features/security/commands.server.ts'
import { SECURITY_CRONTAB, securityJobs } from '#features/security/jobs.server.ts'
import { guessingSince } from '#features/security/queries.server.ts'
import { addSecurityRoutes } from '#features/security/routes.server.ts'
import { addPrivacyRoutes } from '#features/privacy/routes.server.ts'
import { forgetInvited } from '#features/referrals/jobs.server.ts'
import { referralMails } from '#features/referrals/mail.server.ts'
import { noteReferral, rewardReferral } from '#features/referrals/queries.server.ts'
import type { PushKind } from '#features/push/commands.server.ts'
import { pushJobs } from '#features/push/jobs.server.ts'
import { readPushKey } from '#features/push/queries.server.ts'
import { addPushRoutes } from '#features/push/routes.server.ts'
import { deliverMail } from '#features/reminders/commands.server.ts'
import { REMINDER_CRONTAB, reminderJobs } from '#features/reminders/jobs.server.ts'
import { reminderPushes, reminderWriters } from '#features/reminders/mail.server.ts'
import { addReminderRoutes } from '#features/reminders/routes.server.ts'
import { addReferralRoutes } from '#features/referrals/routes.server.ts'
import { addScheduleRoutes } from '#features/schedules/routes.server.ts'
import { addSessionRoutes } from '#features/sessions/routes.server.ts'
import { settingsMails } from '#features/settings/mail.server.ts'
import { addSettingsRoutes } from '#features/settings/routes.server.ts'
import { forgetMessages } from '#features/site/jobs.server.ts'
import { siteMails } from '#features/site/mail.server.ts'
import { addSiteRoutes } from '#features/site/routes.server.ts'
import { workspaceMails } from '#features/workspaces/mail.server.ts'
import { nameOfAccount, openInvitation, regionOfMail } from '#features/workspaces/queries.server.ts'
import { addWorkspaceRoutes } from '#features/workspaces/routes.server.ts'
import { addPriceRoutes } from '#features/prices/routes.server.ts'
import { addStudentRoutes } from '#features/students/routes.server.ts'
import { addSummaryRoutes } from '#features/summary/routes.server.ts'
import { addTermsRoutes } from '#features/terms/routes.server.ts'
import { addTutorRoutes } from '#features/tutors/routes.server.ts'
import { addVoiceRoutes } from '#features/voice/routes.server.ts'
import { addPersonRoutes } from '#features/person/routes.server.ts'
import type { Config } from '#platform/config.server.ts'
import type { Db, Tx } from '#platform/db/db.server.ts'
import type { CallerDb } from '#features/access/db.server.ts'
import { refusalByDatabase } from '#features/access/queries.server.ts'
import { dropOverdue } from '#platform/db/beside.server.ts'
import { backupAge, databaseAge } from '#platform/db/kept-backups.server.ts'
import { buildApp } from '#platform/http/app.server.ts'
import type { Maintenance } from '#platform/http/maintenance.server.ts'
import { addMetrics } from '#platform/http/metrics.server.ts'
import { openApiDocument } from '#features/access/openapi.server.ts'
import { watchReadiness } from '#platform/http/readiness.server.ts'
import { startWorker, type Worker } from '#platform/jobs/queue.server.ts'
import { waitingWork } from '#platform/jobs/waiting.server.ts'
import { addMailbox } from '#platform/mail/mailbox.server.ts'
import { mailboxMailer, smtpMailer } from '#platform/mail/mailer.server.ts'
import { watchForOutage } from '#platform/mail/outage.server.ts'
import { sendQueuedMail } from '#platform/mail/send-mail.server.ts'
import { pushAddresses } from '#platform/push/push-address.server.ts'
import { openPushSender, type PushSender } from '#platform/push/send-push.server.ts'
import { openTranscriber } from '#platform/speech/transcriber.server.ts'
import { addStaticFiles, sendWords } from './static.server.ts'

/** The span of the figures about guessing (deploy/alerts.yaml). */
const GUESSING_MS = 3_600_000

/**
 * Builds the complete server on top of an open database. Tests pass in their own clock.
 * @param isLeaving true once the server has been told to stop and is just waiting for proxies to switch to
 * another server
 * @param restoring only with an embedded database
 */
export function buildServer(
  config: Config,
  db: CallerDb,
  now: () => Date = () => new Date(),
  isLeaving = () => false,
  restoring?: Restoring & { maintenance(): Maintenance | undefined },
): FastifyInstance {
  const app = buildApp({
    baseUrl: config.baseUrl,
    trustedProxies: config.trustedProxies,
    logLevel: config.logLevel,
    readiness: watchReadiness(db, config.databaseUrl === undefined ? config.dataDir : undefined),
    refusalOf: refusalByDatabase,
    isLeaving,
    maintenance: restoring?.maintenance,
  })
  const transcriber = openTranscriber(config.speech)
  app.addHook('onClose', () => transcriber.close())
  const payments = config.stripe && stripePayments(config.stripe)
  const services: AccountServices & BillingServices = {
    db,
    now,
    baseUrl: config.baseUrl,
    trialDays: config.trialDays,
    takesPayments: payments !== undefined,
    speechEngine: transcriber.engine,
    served: [],
    sendPage: sendWords,
    currentUser: (request) => currentUser(services, request),
    callerKey: (request) => callerKey(services, request),
    userBy: (key) => userBy(services, key),
    knownUser: (request) => knownUser(services, request),
    mayWrite: (user) => mayWrite(services, user, payments),
    whyNotProven: (...asked) => whyNotProven(services, ...asked),
    noteRefusal: (request) => noteRefusal(services, request),
    links: {
      find: (hash, device) => db.readAsSystem((tx) => connectionOfToken(tx, { hash, device }, now())),
      isSender: (hash, accountId) => db.readAsSystem((tx) => isSenderOfLink(tx, hash, accountId)),
      hold: (tx, { id }) => lockForAnswer(tx, id),
      accept: (tx, link) => answerAsLink(tx, link, 'active'),
    },
    continueTrial,
    admission: admissionBy(config, now),
    referrals: {
      note: noteReferral,
      async reward(tx, userId) {
        for (const reward of await rewardReferral(tx, userId, config.referralBonusDays, now()))
          await creditSubscriber(tx, reward, now())
      },
    },
  }
  addMetrics(
    app,
    () =>
      db.asSystem(async (tx) => {
        const { mails, jobs } = await waitingWork(tx)
        return {
          ...(await countPeople(tx, now())),
          ...(await guessingSince(tx, new Date(now().getTime() - GUESSING_MS))),
          mails_waiting: mails.length,
          jobs_failed: jobs.filter((job) => job.lastError !== null).length,
          ...(await backupGauges(tx, config, now())),
        }
      }),
    config.metricsToken,
  )
  app.register(async (routes) => {
    addAccountRoutes(routes, services)
    addGoogleRoutes(routes, services, config.google && openIdProvider(config.google))
    addPasskeyRoutes(routes, services)
    addSecurityRoutes(routes, services)
    addWorkspaceRoutes(routes, services)
    addPriceRoutes(routes, services)
    addStudentRoutes(routes, services)
    addTutorRoutes(routes, services)
    addTermsRoutes(routes, services)
    addSessionRoutes(routes, services)
    addScheduleRoutes(routes, services)
    addConnectionRoutes(routes, services)
    addNoticeRoutes(routes, services)
    addPushRoutes(routes, services, pushSender(config, db))
    addReminderRoutes(routes, services)
    addSummaryRoutes(routes, services)
    addPaymentRoutes(routes, services)
    addChargeRoutes(routes, services)
    addPaymentWayRoutes(routes, services)
    addMonthRoutes(routes, { ...services, seal: config.seal }, checkPaper)
    addPaperRoutes(routes, services)
    addImportRoutes(routes, services)
    addPersonRoutes(routes, services)
    addDashboardRoutes(routes, services)
    addSettingsRoutes(routes, services)
    addBillingRoutes(routes, services, payments)
    addPrivacyRoutes(routes, services)
    addAdminRoutes(routes, { ...services, restoring, makesBackups: config.databaseUrl === undefined })
    addVoiceRoutes(routes, services, transcriber)
    addReferralRoutes(routes, { ...services, referralBonusDays: config.referralBonusDays })
    addSiteRoutes(routes, {
      ...services,
      contactTo: config.contactTo,
      securityContact: config.securityContact,
    })
    routes.get('/api/openapi.json', async () => openApiDocument(services.served, config.baseUrl))
    if (!config.mail) addMailbox(routes, mailboxFolder(config))
  })
  addStaticFiles(app, config, () => publicKeys(services))
  return app
}

/**
 * Starts the background jobs, which connect with the system role's URL.
 * @param embeddedUrl the owner role's URL, only if the database is embedded. It's used for the daily backup;
 * external databases have their own backups
 */
export function startJobs(
  config: Config,
  db: CallerDb,
  systemUrl: string,
  log: (event: string, details: object) => void,
  now: () => Date = () => new Date(),
  isNamed = true,
  embeddedUrl?: string,
): Worker {
  const admission = admissionBy(config, now)
  const writers = {
    ...accountMails({ baseUrl: config.baseUrl, now, trialDays: config.trialDays, admission }),
    ...workspaceMails({ baseUrl: config.baseUrl, now, takesPayments: config.stripe !== undefined }),
    ...emailWriters({ baseUrl: config.baseUrl, now }),
    ...reminderWriters({ db, baseUrl: config.baseUrl, now, newsAlong: newsAlong(config) }),
    ...settingsMails({ baseUrl: config.baseUrl, now }),
    ...privacyMails(config),
    ...referralMails({ ...config, takesPayments: config.stripe !== undefined }),
    ...siteMails({ baseUrl: config.baseUrl, nameOf: nameOfAccount }),
    ...drillMails(config),
  }
  /** What devices may be told, by kind. */
  const pushes: Record<string, PushKind> = { ...reminderPushes({ db, now, newsAlong: newsAlong(config) }) }
  const send = config.mail
    ? smtpMailer(config.mail.smtpUrl, config.mailFrom)
    : mailboxMailer(mailboxFolder(config), config.mailFrom, now)
  const deliver = deliverMail(db, send, now)
  const outage = watchForOutage(db)
  const drills =
    embeddedUrl === undefined ? undefined : openDrills({ db, ownerUrl: embeddedUrl, place: config, now, log })
  const worker = startWorker(
    systemUrl,
    {
      send_mail: async (payload) =>
        sendQueuedMail(
          db,
          { writers, regionOf: regionOfMail },
          deliver,
          String((payload as { id: unknown }).id),
          now,
          outage,
        ),
      ...accountJobs(db, now, admission),
      ...billingTasks(db, config.stripe && stripePayments(config.stripe), now),
      purge_accounts: async () => purgeAccounts(db, mailboxFolder(config), now()),
      purge_old: async () => purgeOld(db, mailboxFolder(config), now()),
      ...connectionJobs(db, now),
      ...emailJobs(db, now),
      ...feeJobs(db, now),
      ...holdingJobs(db, now),
      ...pushJobs(db, pushSender(config, db), pushes, now),
      ...reminderJobs(db, now),
      ...securityJobs(db, log),
      forget_invited: async () => forgetInvited(db, now()),
      forget_messages: async () => forgetMessages(db, now()),
      ...(embeddedUrl !== undefined &&
        drills && {
          back_up: async () => {
            await dropOverdue(embeddedUrl, now())
            await drills.backUp()
          },
        }),
    },
    (drills ? DRILL_CRONTAB : '') +
      CRONTAB +
      CONNECTION_CRONTAB +
      EMAIL_CRONTAB +
      FEE_CRONTAB +
      HOLDING_CRONTAB +
      REMINDER_CRONTAB +
      SECURITY_CRONTAB,
    log,
    config.databaseUrl === undefined,
    isNamed,
  )
  return {
    async stop() {
      outage.stop()
      await Promise.all([drills?.stop(), worker.stop()])
    },
  }
}

/** With an external database there are no nightly backups, which is all that's said then. */
async function backupGauges(tx: Tx, config: Config, now: Date): Promise<Record<string, number>> {
  if (config.databaseUrl !== undefined) return { nightly_backups: 0 }
  const { ended, goodBackupAt } = await lastDrills(tx)
  const age = (since: Date) => Math.max(0, Math.round((now.getTime() - since.getTime()) / 1000))
  return {
    nightly_backups: 1,
    backup_age_seconds: backupAge(config.dataDir, now),
    restored_backup_age_seconds: goodBackupAt ? age(goodBackupAt) : databaseAge(config.dataDir, now),
    ...(ended && {
      restore_drill_ok: ended.findings.length === 0 ? 1 : 0,
      restore_drill_age_seconds: age(ended.ended_at),
      restore_drill_seconds: secondsOf(ended),
      restore_drill_backup_bytes: Number(ended.backup_bytes),
    }),
  }
}

function pushSender({ baseUrl, pushContact, pushHosts }: Config, db: Db): PushSender {
  return openPushSender({
    readKey: () => db.readAsSystem(readPushKey),
    baseUrl,
    contact: pushContact,
    check: pushAddresses(pushHosts),
  })
}

function admissionBy({ signUp }: Config, now: () => Date): Admission {
  const isInvited = async (tx: Tx, email: string) =>
    (await openInvitation(tx, { email }, now())) !== undefined || isAsked(tx, email)
  return {
    isOpen: signUp === 'open',
    isClosed: signUp === 'closed',
    mayJoin: async (tx, email) => signUp === 'open' || (signUp === 'invited' && isInvited(tx, email)),
  }
}

/** When the recurring jobs run, in UTC. A job that was missed while the server was down runs once afterward. */
const CRONTAB = `
20 3 * * * read_stale_customers ?fill=1d
10 * * * * purge_accounts ?fill=1d
40 3 * * * purge_old ?fill=1d
17 3 * * * forget_invited ?fill=1d
23 3 * * * forget_messages ?fill=1d
`

function mailboxFolder(config: Config): string {
  return join(config.dataDir, 'mailbox')
}
