// Reads the environment once and validates it with one schema (docs/contract.md, Environment).
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { join, resolve } from 'node:path'
import * as z from 'zod/mini'
import { isDatabaseAddress, onlyOverTls } from './db/connection.server.ts'
import { isRecipient } from './db/sealed.server.ts'
import { mailOnlyOverTls } from './mail/mail-tls.server.ts'
import { openSeal, type Seal } from './pdf/seal.server.ts'
import type { SpeechSettings } from './speech/transcriber.server.ts'

/** A setting validated by a function. `valid` describes the allowed values and is used in the error message. */
const such = (isValid: (value: string) => boolean, valid: string) =>
  z.string().check(z.refine(isValid, valid))
const whole = (minimum: number, maximum: number, valid: string) =>
  z.pipe(
    such((value) => /^\d+$/.test(value) && Number(value) >= minimum && Number(value) <= maximum, valid),
    z.transform(Number),
  )
const days = whole(0, 3650, 'a whole number of days from 0 to 3650')
const webAddress = such(
  (value) => /^https?:$/.test(urlOf(value)?.protocol ?? ''),
  'an address that starts with http:// or https://',
)
const databaseAddress = such(
  isDatabaseAddress,
  'an address such as postgresql://host:5432/database, or postgresql://one:5432,other:5432/database?target_session_attrs=read-write',
)
const folder = such((value) => value.trim() !== '' && !value.includes('\0'), 'the path of a folder')
const file = such((value) => value.trim() !== '' && !value.includes('\0'), 'the path of a file')
const tls = z._default(z.enum(['auto', 'require'], { error: 'auto or require' }), 'auto')
const secret = z.optional(such((value) => value.trim() !== '', 'not only spaces'))

const Environment = z.object({
  PORT: z._default(whole(0, 65_535, 'a port from 0 to 65535'), 3000),
  HOST: z._default(
    such((value) => /^[\w.:-]+$/.test(value), 'an address or a name of this machine, such as 127.0.0.1'),
    '127.0.0.1',
  ),
  BASE_URL: z.optional(
    such(isOrigin, 'an address such as https://tutorlog.example, without a path, a query or a password'),
  ),
  DATA_DIR: z._default(folder, './data'),
  DATABASE_URL: z.optional(databaseAddress),
  DATABASE_DIRECT_URL: z.optional(databaseAddress),
  DATABASE_TLS: tls,
  DATABASE_POOL: z._default(whole(1, 1000, 'a whole number of connections from 1 to 1000'), 12),
  DATABASE_NAMED: z._default(z.enum(['auto', 'on', 'off'], { error: 'auto, on or off' }), 'auto'),
  SMTP_URL: z.optional(such(isMailServer, 'an address such as smtps://user:password@mail.example:465')),
  SMTP_TLS: tls,
  MAIL_FROM: z.optional(
    such(isSender, 'an email address, or a name and an address: Tutorlog <no-reply@tutorlog.example>'),
  ),
  CONTACT_TO: z.optional(
    such(isSender, 'an email address, or a name and an address: Support <help@tutorlog.example>'),
  ),
  PUSH_CONTACT: z.optional(such(isSender, 'an email address, such as push@tutorlog.example')),
  PUSH_HOSTS: z.optional(
    such(
      (value) => listOf(value).every(isPushOrigin),
      'origins such as https://push.example:8443, separated by commas; http only on this machine',
    ),
  ),
  GOOGLE_CLIENT_ID: secret,
  GOOGLE_CLIENT_SECRET: secret,
  OIDC_ISSUER: z.optional(webAddress),
  STRIPE_SECRET_KEY: secret,
  STRIPE_WEBHOOK_SECRET: secret,
  STRIPE_PRICE_MONTHLY: secret,
  STRIPE_PRICE_YEARLY: secret,
  STRIPE_API_URL: z.optional(webAddress),
  SPEECH_ENGINE: z._default(
    z.enum(['auto', 'local', 'remote', 'off'], { error: 'auto, local, remote or off' }),
    'auto',
  ),
  SPEECH_URL: z.optional(webAddress),
  SPEECH_TLS: tls,
  SPEECH_API_KEY: secret,
  SPEECH_MODEL: secret,
  SPEECH_MODEL_DIR: z.optional(folder),
  SPEECH_CONCURRENCY: z._default(whole(1, 1000, 'a whole number from 1 to 1000'), 8),
  TRUSTED_PROXIES: z.optional(
    such(
      (value) => listOf(value).every(isProxy),
      'addresses and networks such as 10.0.0.0/8, separated by commas',
    ),
  ),
  SIGN_UP: z._default(z.enum(['open', 'invited', 'closed'], { error: 'open, invited or closed' }), 'open'),
  BACKUP_RECIPIENT: z.optional(
    such(
      (value) => listOf(value).length > 0 && listOf(value).every(isRecipient),
      'a public key that starts with age1 (new-backup-key makes one), or several, separated by commas',
    ),
  ),
  SEAL_CERTIFICATE: z.optional(file),
  SEAL_KEY: z.optional(file),
  METRICS_TOKEN: secret,
  TRIAL_DAYS: z._default(days, 45),
  REFERRAL_BONUS_DAYS: z._default(days, 30),
  // Used by scripts/prepare.mjs, which installs packages before the server starts. The server itself never
  // downloads anything.
  OFFLINE: z._default(z.enum(['0', '1'], { error: '0 or 1' }), '0'),
  LOG_LEVEL: z._default(
    z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
      error: 'fatal, error, warn, info, debug, trace or silent',
    }),
    'info',
  ),
})
type Name = keyof typeof Environment.shape
const NAMES = Object.keys(Environment.shape) as Name[]

/** Settings that never appear in messages or logs. Each can also be read from the file named by NAME_FILE. */
const SECRETS = [
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'SMTP_URL',
  'GOOGLE_CLIENT_SECRET',
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'SPEECH_API_KEY',
  'METRICS_TOKEN',
] as const satisfies Name[]

export interface Config {
  port: number
  host: string
  /** The app's public address. Links in emails and redirects always use it. */
  baseUrl: string
  dataDir: string
  /** The database URL for requests, possibly through a pooler. If unset, the embedded database is used. */
  databaseUrl?: string
  /** Bypasses a pooler; used for migrations, jobs and LISTEN. */
  databaseDirectUrl?: string
  /** If so, both URLs already say that there's no connection without TLS. */
  isDatabaseTlsRequired: boolean
  /** The maximum number of connections for members' requests. */
  databasePool: number
  /** Whether to use named statements. "auto" uses them unless the database is behind a pooler. */
  databaseNamed: 'auto' | 'on' | 'off'
  /** If `isTlsRequired`, the URL already says that nothing is sent without TLS. */
  mail?: { smtpUrl: string; isTlsRequired: boolean }
  mailFrom: string
  contactTo: string
  /** Where people may report a weakness. Undefined unless an operator said so. */
  securityContact?: string
  /** The email address that push services are told. */
  pushContact: string
  /** Origins that push messages may go to, besides the known push services. */
  pushHosts: string[]
  google?: { clientId: string; clientSecret: string; issuer: string }
  /** The payment provider. Without one there are no plan limits. */
  stripe?: StripeSettings
  speech: SpeechSettings
  trustedProxies: string[]
  /** Who can sign up: anyone, only people with an invitation, or nobody. */
  signUp: 'open' | 'invited' | 'closed'
  /** The public keys that backups are encrypted to. Without any, they aren't encrypted. */
  backupRecipients: string[]
  /** Seals the pages of closed months for PDF viewers. */
  seal?: Seal
  /** Lets other machines read /metrics. */
  metricsToken?: string
  trialDays: number
  /**
   * Extra trial days for both the inviter and the invited friend, once the friend confirms
   * (docs/product-decisions.md, section 6).
   */
  referralBonusDays: number
  logLevel: string
  /** Returns a warning for each environment variable that looks like a misspelled setting. */
  warnings: string[]
}

export interface StripeSettings {
  secretKey: string
  webhookSecret: string
  /** The provider's price ids, by billing interval. */
  prices: { month: string; year: string }
  apiUrl: string
}

/** Reads the settings. Throws a one-line Error that names the invalid variable. */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const given = withFiles(Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== '')))
  const parsed = Environment.safeParse(given)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw new Error(
      invalid(String(issue?.path[0]) as Name, given[String(issue?.path[0])], issue?.message ?? ''),
    )
  }
  const env = parsed.data
  const [google, stripe] = [googleOf(env), stripeOf(env)]
  if (env.SPEECH_ENGINE === 'remote' && !env.SPEECH_URL)
    throw new Error('SPEECH_ENGINE is remote, so SPEECH_URL is needed too.')
  if (env.DATABASE_DIRECT_URL && !env.DATABASE_URL)
    throw new Error(
      'DATABASE_URL is missing: DATABASE_DIRECT_URL only bypasses its pooler to reach the same database.',
    )
  refusePlain(env, environment)
  const baseUrl = (env.BASE_URL ?? `http://localhost:${env.PORT}`).replace(/\/+$/, '')
  const contactTo = addressOf(env.CONTACT_TO) ?? `contact@${new URL(baseUrl).hostname}`
  return {
    port: env.PORT,
    host: env.HOST,
    baseUrl,
    dataDir: resolve(env.DATA_DIR),
    databaseUrl: databaseUrlOf(env, env.DATABASE_URL),
    databaseDirectUrl: databaseUrlOf(env, env.DATABASE_DIRECT_URL ?? env.DATABASE_URL),
    isDatabaseTlsRequired: env.DATABASE_TLS === 'require',
    databasePool: env.DATABASE_POOL,
    databaseNamed: env.DATABASE_NAMED,
    mail: mailOf(env),
    mailFrom: env.MAIL_FROM ?? `Tutorlog <no-reply@${new URL(baseUrl).hostname}>`,
    contactTo,
    securityContact: addressOf(env.CONTACT_TO),
    pushContact: addressOf(env.PUSH_CONTACT) ?? contactTo,
    pushHosts: listOf(env.PUSH_HOSTS ?? '').map((origin) => new URL(origin).origin),
    google,
    stripe,
    speech: {
      engine: env.SPEECH_ENGINE,
      url: env.SPEECH_URL,
      apiKey: env.SPEECH_API_KEY,
      model: env.SPEECH_MODEL,
      modelDir: resolve(env.SPEECH_MODEL_DIR ?? join(env.DATA_DIR, 'models')),
      concurrency: env.SPEECH_CONCURRENCY,
    },
    trustedProxies: listOf(env.TRUSTED_PROXIES ?? ''),
    signUp: env.SIGN_UP,
    backupRecipients: listOf(env.BACKUP_RECIPIENT ?? ''),
    seal: sealOf(env),
    metricsToken: env.METRICS_TOKEN,
    trialDays: env.TRIAL_DAYS,
    referralBonusDays: env.REFERRAL_BONUS_DAYS,
    logLevel: env.LOG_LEVEL,
    warnings: almostSettings(Object.keys(given)),
  }
}

type Settings = z.output<typeof Environment>

function databaseUrlOf({ DATABASE_TLS }: Settings, url: string | undefined): string | undefined {
  return url !== undefined && DATABASE_TLS === 'require' ? onlyOverTls(url) : url
}

function mailOf({ SMTP_URL: url, SMTP_TLS }: Settings): Config['mail'] {
  if (url === undefined) return undefined
  const isTlsRequired = SMTP_TLS === 'require'
  return { smtpUrl: isTlsRequired ? mailOnlyOverTls(url) : url, isTlsRequired }
}

// What is required holds for connections to other servers. Without their addresses, there are none.
function refusePlain(env: Settings, environment: Record<string, string | undefined>): void {
  const required = (['DATABASE_TLS', 'SMTP_TLS', 'SPEECH_TLS'] as const).find(
    (name) => env[name] === 'require',
  )
  if (env.SPEECH_TLS === 'require' && env.SPEECH_URL && urlOf(env.SPEECH_URL)?.protocol !== 'https:')
    throw new Error('SPEECH_TLS is require, so SPEECH_URL has to start with https://.')
  // Node's own switch, which accepts any certificate.
  if (required && environment.NODE_TLS_REJECT_UNAUTHORIZED === '0')
    throw new Error(`${required} is require, so NODE_TLS_REJECT_UNAUTHORIZED can't be 0. Leave it out.`)
}

function googleOf({ GOOGLE_CLIENT_ID: clientId, GOOGLE_CLIENT_SECRET: clientSecret, OIDC_ISSUER }: Settings) {
  if (Boolean(clientId) !== Boolean(clientSecret))
    throw new Error('GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET go together: one of them is missing.')
  const issuer = OIDC_ISSUER ?? 'https://accounts.google.com'
  return clientId && clientSecret ? { clientId, clientSecret, issuer } : undefined
}

function sealOf({ SEAL_CERTIFICATE: certificate, SEAL_KEY: key }: Settings): Seal | undefined {
  if (Boolean(certificate) !== Boolean(key))
    throw new Error('SEAL_CERTIFICATE and SEAL_KEY go together: one of them is missing.')
  return certificate && key ? openSeal(certificate, key) : undefined
}

const STRIPE = [
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'STRIPE_PRICE_MONTHLY',
  'STRIPE_PRICE_YEARLY',
] as const satisfies Name[]

function stripeOf(env: Settings): StripeSettings | undefined {
  const missing = STRIPE.filter((name) => !env[name])
  if (missing.length === STRIPE.length) return undefined
  const [secretKey, webhookSecret, month, year] = STRIPE.map((name) => env[name])
  if (!secretKey || !webhookSecret || !month || !year)
    throw new Error(`${missing[0]} is missing: ${STRIPE.join(', ')} go together.`)
  const apiUrl = env.STRIPE_API_URL ?? 'https://api.stripe.com'
  return { secretKey, webhookSecret, apiUrl, prices: { month, year } }
}

/** Someone may have pasted the private key. */
const HIDDEN: Name[] = [...SECRETS, 'BACKUP_RECIPIENT', 'SEAL_KEY']

function invalid(name: Name, value: string | undefined, valid: string): string {
  const shown = HIDDEN.includes(name) ? 'its value' : JSON.stringify(value)
  return `${name} is not valid: ${shown} is not ${valid}. Correct it or leave it out.`
}

// Loads secrets from files as if they'd been set in the environment.
function withFiles(given: Record<string, string | undefined>): Record<string, string | undefined> {
  const read = { ...given }
  for (const name of SECRETS) {
    const path = given[`${name}_FILE`]
    if (path === undefined) continue
    if (given[name] !== undefined)
      throw new Error(`${name}_FILE is not valid: ${name} is set as well. Leave one of them out.`)
    read[name] = secretIn(`${name}_FILE`, path)
  }
  return read
}

function secretIn(name: string, path: string): string {
  let found: string
  try {
    found = readFileSync(path, 'utf8').trim()
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? 'unknown'
    throw new Error(
      `${name} is not valid: the file ${JSON.stringify(path)} cannot be read (${reason}). Correct it or leave it out.`,
      { cause: error },
    )
  }
  if (found === '') throw new Error(`${name} is not valid: the file is empty. Correct it or leave it out.`)
  return found
}

/** Shorter names are too often one letter away from an unrelated variable. */
const SHORTEST_TYPO = 8

function almostSettings(given: string[]): string[] {
  const known = new Set<string>([...NAMES, ...SECRETS.map((name) => `${name}_FILE`)])
  return given
    .filter((name) => name.length >= SHORTEST_TYPO && !known.has(name))
    .flatMap((name) => {
      const meant = [...known].find((setting) => isTypoOf(name, setting))
      return meant ? [`${name} is not a setting and is ignored. Did you mean ${meant}?`] : []
    })
}

/** True if two names differ by one letter or by two swapped letters. */
function isTypoOf(a: string, b: string): boolean {
  let start = 0
  while (start < a.length && a[start] === b[start]) start += 1
  let end = 0
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end += 1
  const [left, right] = [a.slice(start, a.length - end), b.slice(start, b.length - end)]
  return (
    (left.length <= 1 && right.length <= 1) || (left.length === 2 && left === [...right].reverse().join(''))
  )
}

function urlOf(value: string): URL | undefined {
  return URL.canParse(value) ? new URL(value) : undefined
}

function isOrigin(value: string): boolean {
  const url = urlOf(value)
  return (
    url !== undefined &&
    /^https?:$/.test(url.protocol) &&
    `${url.origin}/` === `${value.replace(/\/+$/, '')}/`.toLowerCase()
  )
}

function isMailServer(value: string): boolean {
  const url = urlOf(value)
  return url !== undefined && /^smtps?:$/.test(url.protocol) && url.hostname !== ''
}

/** "address", or "name <address>", on one line. */
function isSender(value: string): boolean {
  const address = /^[^<>\r\n]*<([^<>]+)>$/.exec(value)?.[1] ?? value
  return z.email().safeParse(address).success || /^[\w.+-]+@localhost$/.test(address)
}

/** Only the email address, even if the setting is "Name <address>". */
function addressOf(sender: string | undefined): string | undefined {
  return sender && (/<([^<>]+)>/.exec(sender)?.[1] ?? sender).trim()
}

function listOf(value: string): string[] {
  return value
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
}

/** Plain HTTP only on this machine: a message would otherwise travel the network with its address in the clear. */
function isPushOrigin(value: string): boolean {
  const { protocol, hostname } = urlOf(value) ?? {}
  return (
    isOrigin(value) &&
    (protocol === 'https:' || /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname ?? ''))
  )
}

/** The web framework's names for the networks defined in RFC 1918, 3927, 4193 and 4291. */
const NETWORKS = new Set(['loopback', 'linklocal', 'uniquelocal'])

function isProxy(value: string): boolean {
  if (NETWORKS.has(value)) return true
  const [address = '', bits, ...more] = value.split('/')
  const most = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1
  return (
    most > 0 && more.length === 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most))
  )
}
