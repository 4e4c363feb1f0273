// `npm run admin -- doctor`: looks at everything that an installation needs, changes nothing, and prints no secret.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { verifyHistory } from '#features/agreements/jobs.server.ts'
import { openDb } from '#features/access/db.server.ts'
import { readPushKey } from '#features/push/queries.server.ts'
import type { Config } from '#platform/config.server.ts'
import { roomIn } from '#platform/data-folder.server.ts'
import { hasLabeledBytes } from '#platform/db/backup-label.server.ts'
import { readCondition } from '#platform/db/condition.server.ts'
import type { Db } from '#platform/db/db.server.ts'
import { keptBackups, plainBackups } from '#platform/db/kept-backups.server.ts'
import { knownMigrations, roleUrls } from '#platform/db/migrate.server.ts'
import { mailOnlyOverTls, whyNoMail } from '#platform/mail/mail-tls.server.ts'
import type { Seal } from '#platform/pdf/seal.server.ts'
import { SAMPLE_RATE, SpeechFailed, wavHeader } from '#platform/speech/engine.server.ts'
import { openTranscriber } from '#platform/speech/transcriber.server.ts'
import { VERSION } from '#platform/version.server.ts'
import {
  backupFindings,
  clockFinding,
  diskFinding,
  failed,
  type Finding,
  historyFinding,
  mailFindings,
  pushFinding,
  roleFindings,
  sealFinding,
  settingFindings,
  speechFinding,
  versionFindings,
} from './doctor.ts'

/**
 * Makes every check. One that fails is a problem, and doesn't keep the others from being made.
 * @param ownerUrl connects to the database as the owner of its tables
 */
export async function examine(
  config: Config,
  ownerUrl: () => Promise<string>,
  environment: Record<string, string | undefined>,
): Promise<Finding[]> {
  const checks: [about: string, check: () => Promise<Finding[]> | Finding[]][] = [
    ['settings', () => settingFindings(settingsOf(config, environment))],
    ['database', async () => databaseFindings(config, await ownerUrl())],
    ['mail', () => mailOf(config)],
    ['speech', () => speechOf(config)],
    ...(config.seal ? [['seal', sealOf(config.seal)] satisfies (typeof checks)[number]] : []),
    ...(config.databaseUrl === undefined
      ? [['backups', () => backupsOf(config)] satisfies (typeof checks)[number]]
      : []),
  ]
  const findings: Finding[] = []
  for (const [about, check] of checks) {
    try {
      findings.push(...(await check()))
    } catch (error) {
      findings.push(failed(about, error))
    }
  }
  return findings
}

function settingsOf(config: Config, environment: Record<string, string | undefined>) {
  const { mail, databaseUrl } = config
  return {
    ...config,
    isBaseUrlSet: Boolean(environment.BASE_URL),
    smtp: mail && { isPlainUrl: mail.smtpUrl.startsWith('smtp:'), isTlsRequired: mail.isTlsRequired },
    plainBackups: plainBackups(config),
    externalDatabase:
      databaseUrl === undefined
        ? undefined
        : {
            isLocal: /@?(localhost|127\.0\.0\.1)[:/]/.test(databaseUrl),
            isTlsRequired: config.isDatabaseTlsRequired,
          },
    acceptsAnyCertificate: environment.NODE_TLS_REJECT_UNAUTHORIZED === '0',
    hasContact: config.securityContact !== undefined,
    metricsToken: config.metricsToken,
  }
}

async function databaseFindings(config: Config, ownerUrl: string): Promise<Finding[]> {
  const condition = await readCondition(ownerUrl)
  const known = await knownMigrations()
  const versions = versionFindings({
    node: process.versions.node,
    leastNode: leastNode(),
    server: VERSION,
    postgres: condition.version,
    applied: condition.applied,
    known,
  })
  const findings = [...versions, ...roleFindings(condition), clockFinding(condition.aheadMs)]
  if (config.databaseUrl === undefined)
    findings.push(
      diskFinding({
        free: roomIn(config.dataDir),
        database: condition.bytes,
        backups: sizeOfFiles(join(config.dataDir, 'backups')),
      }),
    )
  // The rest reads tables that are there only once they're those of this version.
  if (versions.some(({ verdict }) => verdict === 'problem')) return findings
  const db = openDb(await roleUrls(ownerUrl), 2)
  try {
    return [...findings, await historyOf(db), await pushOf(db)]
  } finally {
    await db.close()
  }
}

async function historyOf(db: Db): Promise<Finding> {
  const { entries, broken = [] } = await verifyHistory(db)
  return historyFinding(entries, broken.length)
}

async function pushOf(db: Db): Promise<Finding> {
  const key = await db.readAsSystem(readPushKey).catch(() => undefined)
  return pushFinding(key !== undefined)
}

async function mailOf({ mail }: Config): Promise<Finding[]> {
  if (!mail) return []
  const asSet = await whyNoMail(mail.smtpUrl)
  const overTls = asSet === undefined ? await whyNoMail(mailOnlyOverTls(mail.smtpUrl)) : undefined
  return mailFindings(asSet, overTls, mail.isTlsRequired)
}

/** What an engine says that works, about a tone without words. */
const WORKING = new Set(['nothing_heard', 'recording_silent'])

/** Nobody's names: the recognizer needs a model of a few sentences to listen at all. */
const EXAMPLE = {
  names: ['Maya', 'Chen'],
  subjects: [],
  rates: [],
  words: ['maya', 'chen'],
  sentences: async () =>
    'maya had an hour of algebra with mister chen yesterday\nmaya had one hour of algebra with miss chen yesterday',
}

async function speechOf({ speech }: Config): Promise<Finding[]> {
  const transcriber = openTranscriber(speech)
  try {
    await transcriber.transcribe(tone(), EXAMPLE, AbortSignal.timeout(30_000))
    return [speechFinding(transcriber.engine, undefined)]
  } catch (error) {
    const works = error instanceof SpeechFailed && WORKING.has(error.reason)
    return [speechFinding(transcriber.engine, works ? undefined : String(error))]
  } finally {
    await transcriber.close()
  }
}

const sealOf = (seal: Seal) => () => [sealFinding(seal, new Date())]

async function backupsOf({ dataDir }: Config): Promise<Finding[]> {
  const backups = await keptBackups(dataDir)
  const facts = []
  for (const { name, path, label } of backups)
    facts.push({
      name,
      createdAt: label?.created_at,
      isWhole: label !== undefined && (await hasLabeledBytes(path, label)),
    })
  return backupFindings(facts, new Date())
}

function sizeOfFiles(folder: string): number {
  if (!existsSync(folder)) return 0
  return readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)
}

function leastNode(): string {
  const { engines } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    engines: { node: string }
  }
  return engines.node.replace(/^[^\d]*/, '')
}

/** A second and a half of a quiet tone, as a WAV file. */
function tone(): Uint8Array {
  const samples = Int16Array.from(
    { length: SAMPLE_RATE * 1.5 },
    (_, n) => 3000 * Math.sin((2 * Math.PI * 440 * n) / SAMPLE_RATE),
  )
  return Buffer.concat([wavHeader(samples.byteLength), Buffer.from(samples.buffer)])
}
