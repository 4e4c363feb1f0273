// `npm run admin -- COMMAND`, with one table entry per command.
import { resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { grantAdmin, revokeAdmin } from '#features/admin/queries.server.ts'
import { accountByEmail } from '#features/accounts/queries.server.ts'
import { deleteSecondStep } from '#features/accounts/step-queries.server.ts'
import { rotateKey } from '#features/months/key-commands.server.ts'
import { historyLines, verifyHistory } from '#features/agreements/jobs.server.ts'
import { noteEvent, ON_SERVER } from '#features/security/commands.server.ts'
import type { EventKind } from '#features/security/event.ts'
import { readConfig } from '#platform/config.server.ts'
import { loadBackup, readBackup, writeBackup } from '#platform/db/backup.server.ts'
import type { Tx } from '#platform/db/db.server.ts'
import { knownMigrations, migrate } from '#platform/db/migrate.server.ts'
import { isSealed, makeKeyFile, readKeys } from '#platform/db/sealed.server.ts'
import { stepsBehind } from '#platform/db/upgrade.server.ts'
import { waitingWork } from '#platform/jobs/waiting.server.ts'
import { describeTranscriber } from '#platform/speech/transcriber.server.ts'
import { installNeuralModel } from '#platform/speech/neural-model.server.ts'
import { readAnnouncement } from '#features/site/announcement.ts'
import { announceTerms } from '#features/site/jobs.server.ts'
import { dayIn } from '#kernel/calendar-day.ts'
import { type CommandContext, openContext } from './command.server.ts'
import { examine } from './doctor.server.ts'
import { reportOf } from './doctor.ts'

interface Command {
  usage: string
  /** Returns what to print. Throws an Error with a one-line message if the command fails. */
  run(context: CommandContext, args: string[]): Promise<string>
}

const COMMANDS: Record<string, Command> = {
  grant: {
    usage: 'grant EMAIL       make someone an administrator',
    run: (context, [email]) =>
      changeAccount(context, email, grantAdmin, 'role_changed', 'is an administrator now'),
  },
  revoke: {
    usage: 'revoke EMAIL      make an administrator an ordinary user again',
    run: (context, [email]) =>
      changeAccount(context, email, revokeAdmin, 'role_changed', 'is no longer an administrator'),
  },
  'second-step-off': {
    usage:
      'second-step-off EMAIL      turn off the second step of someone who lost the phone and the recovery codes',
    run: (context, [email]) =>
      changeAccount(
        context,
        email,
        turnOffSecondStep,
        'second_step_off',
        'signs in without a second step now',
      ),
  },
  backup: {
    usage: 'backup FILE       back up everything to one file; the server may be running',
    run: backUp,
  },
  restore: {
    usage: 'restore FILE [KEY_FILE]      restore a backup into an empty database; the server must be stopped',
    run: restore,
  },
  'new-backup-key': {
    usage:
      'new-backup-key KEY_FILE      make a key that backups can be encrypted to; keep the file elsewhere',
    run: newBackupKey,
  },
  jobs: { usage: 'jobs              emails and jobs that are waiting or failed', run: listWork },
  'voice-model': {
    usage:
      'voice-model [install]      show which speech engine is used, or download the neural model (28 MB)',
    run: voiceModel,
  },
  'verify-history': {
    usage: 'verify-history    check the hash chain of every session history and name each broken entry',
    run: checkHistory,
  },
  'rotate-page-key': {
    usage:
      'rotate-page-key   sign the pages of closed months with another key from now on; what the present key signed stays valid',
    run: rotatePageKey,
  },
  doctor: {
    usage: 'doctor            check settings, disk, versions, roles, history, mail, speech and backups',
    run: diagnose,
  },
  'announce-terms': {
    usage:
      'announce-terms VERSION EFFECTIVE_DATE      email everyone once that new terms take effect on that date',
    run: announce,
  },
}

async function turnOffSecondStep(tx: Tx, userId: string): Promise<void> {
  if (!(await deleteSecondStep(tx, userId))) throw new Error('This account has no second step.')
}

async function changeAccount(
  context: CommandContext,
  email: string | undefined,
  change: (tx: Tx, userId: string) => Promise<void>,
  kind: EventKind,
  outcome: string,
): Promise<string> {
  if (!email) throw new Error("Specify the account's email address.")
  const { db } = await context.database()
  return db.asSystem(async (tx) => {
    const account = await accountByEmail(tx, email)
    if (!account) throw new Error(`No account has the address ${email}.`)
    await change(tx, account.id)
    const { id: userId, email: to } = account
    await noteEvent(tx, ON_SERVER, { userId, kind, at: new Date(), email: to })
    return `${account.email} ${outcome}.`
  })
}

async function backUp(context: CommandContext, [file]: string[]): Promise<string> {
  if (!file) throw new Error('Specify the file to write.')
  const { ownerUrl } = await context.database()
  const recipients = context.config.backupRecipients
  const { tables, rows } = await writeBackup(ownerUrl, resolve(file), new Date(), recipients)
  const safety =
    recipients.length > 0
      ? 'It is encrypted: only the key of BACKUP_RECIPIENT opens it.'
      : "It contains everyone's data unencrypted: keep it as safe as the database."
  return `${file} contains ${rows} rows from ${tables} tables. ${safety}`
}

async function newBackupKey(_context: CommandContext, [keyFile]: string[]): Promise<string> {
  if (!keyFile) throw new Error('Specify the file to write the key to.')
  const recipient = await makeKeyFile(resolve(keyFile), new Date())
  return (
    `BACKUP_RECIPIENT=${recipient}\nSet this for the server, and move ${keyFile} to a safe place elsewhere: ` +
    'without it, nobody can read the backups, and with it, anyone can.'
  )
}

async function restore(context: CommandContext, [file, keyFile]: string[]): Promise<string> {
  if (!file) throw new Error('Specify the backup file to restore.')
  const keys = (await isSealed(resolve(file))) ? await keysFor(file, keyFile) : []
  const backup = await readBackup(resolve(file), keys)
  const steps = stepsBehind('backup', backup.migrations, await knownMigrations())
  const { ownerUrl, isServed } = await context.owner()
  if (isServed) throw new Error('The server is running. Stop it first.')
  await migrate(ownerUrl, { only: steps })
  await loadBackup(ownerUrl, resolve(file), keys)
  await migrate(ownerUrl)
  return `Restored ${backup.rows} rows in ${backup.tables} tables, as of ${backup.created_at}.`
}

async function keysFor(file: string, named: string | undefined): Promise<string[]> {
  const keyFile = named ?? (await askedFor(`${file} is encrypted. Key file: `))
  if (!keyFile) throw new Error(`${file} is encrypted. Name its key file as well: restore FILE KEY_FILE`)
  return readKeys(resolve(keyFile))
}

/** What the operator types; undefined if nobody is there to ask. */
async function askedFor(question: string): Promise<string | undefined> {
  if (!process.stdin.isTTY) return undefined
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return (await terminal.question(question)).trim()
  } finally {
    terminal.close()
  }
}

async function listWork(context: CommandContext): Promise<string> {
  const { db } = await context.database()
  const { mails, jobs } = await db.asSystem(waitingWork)
  const lines = [
    ...mails.map(
      (mail) =>
        `mail  ${mail.kind}  to ${mail.recipient}  since ${mail.since.toISOString()}  tries ${mail.attempts}  ${mail.lastError ?? 'not tried yet'}`,
    ),
    ...jobs.map(
      (job) =>
        `job   ${job.task}  ${job.isParked ? 'gave up' : `next try ${job.runAt.toISOString()}`}  ` +
        `tries ${job.attempts} of ${job.maxAttempts}  ${job.lastError ?? ''}`,
    ),
  ]
  return lines.length > 0 ? lines.join('\n') : 'Nothing is waiting and nothing has failed.'
}

async function checkHistory(context: CommandContext): Promise<string> {
  const { db } = await context.database()
  const report = await verifyHistory(db)
  if (report.broken) throw new Error(historyLines(report))
  return historyLines(report)
}

async function diagnose(context: CommandContext): Promise<string> {
  const ownerUrl = async () => (await context.owner()).ownerUrl
  const { text, hasProblems } = reportOf(await examine(context.config, ownerUrl, process.env))
  if (hasProblems) throw new Error(text)
  return text
}

async function voiceModel({ config }: CommandContext, [action]: string[]): Promise<string> {
  if (action === undefined) return describeTranscriber(config.speech)
  if (action !== 'install') throw new Error('Use "voice-model" or "voice-model install".')
  return `The neural model is in ${await installNeuralModel(config.speech.modelDir)}. A running server uses it for the next recording.`
}

async function rotatePageKey(context: CommandContext): Promise<string> {
  const { db } = await context.database()
  const id = await rotateKey(db, new Date())
  return `Pages are signed with key ${id} from now on. The private half of the one before is deleted, and its public half stays published.`
}

async function announce(context: CommandContext, [version, day]: string[]): Promise<string> {
  const announcement = readAnnouncement(version, day, dayIn(new Date(), 'UTC'))
  const { db } = await context.database()
  const mails = await announceTerms(db, announcement)
  return `Version ${announcement.version} takes effect on ${announcement.effectiveDay}: ${mails} ${mails === 1 ? 'email' : 'emails'} queued.`
}

async function main([name = '', ...args]: string[]): Promise<void> {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (!command) {
    throw new Error(
      ['Usage: npm run admin -- COMMAND', ...Object.values(COMMANDS).map(({ usage }) => `  ${usage}`)].join(
        '\n',
      ),
    )
  }
  const context = openContext(readConfig(process.env))
  try {
    console.log(await command.run(context, args))
  } finally {
    await context.close()
  }
}

main(process.argv.slice(2)).then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : String(error))
    process.exit(1)
  },
)
