// The environment, read once through one schema (contract, Environment).
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import * as z from 'zod/mini'

const text = z.optional(z.string())
const port = z._default(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(65_535)), 3000)
const url = (protocols: RegExp) => z.optional(z.url({ protocol: protocols }))

const Environment = z.object({
  PORT: port,
  HOST: z._default(z.string(), '127.0.0.1'),
  BASE_URL: url(/^https?$/),
  DATA_DIR: z._default(z.string(), './data'),
  DATABASE_URL: url(/^postgres(ql)?$/),
  SMTP_URL: url(/^smtps?$/),
  MAIL_FROM: text,
  CONTACT_TO: text,
  GOOGLE_CLIENT_ID: text,
  GOOGLE_CLIENT_SECRET: text,
  OIDC_ISSUER: url(/^https?$/),
  STRIPE_SECRET_KEY: text,
  STRIPE_WEBHOOK_SECRET: text,
  STRIPE_PRICE_MONTHLY: text,
  STRIPE_PRICE_YEARLY: text,
  STRIPE_API_URL: url(/^https?$/),
  SPEECH_ENGINE: z._default(z.enum(['auto', 'local', 'remote', 'off']), 'auto'),
  SPEECH_URL: url(/^https?$/),
  SPEECH_API_KEY: text,
  SPEECH_MODEL: text,
  SPEECH_MODEL_DIR: text,
  TRUSTED_PROXIES: text,
  METRICS_TOKEN: text,
  METRICS_TOKEN_FILE: text,
  TRIAL_DAYS: z._default(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(3650)), 45),
  REFERRAL_BONUS_DAYS: z._default(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(3650)), 30),
  LOG_LEVEL: z._default(z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']), 'info'),
})

export interface Config {
  port: number
  host: string
  /** Where people reach the app; the only source of links in mails and redirects. */
  baseUrl: string
  dataDir: string
  databaseUrl?: string
  mail?: { smtpUrl: string }
  mailFrom: string
  contactTo: string
  google?: { clientId: string; clientSecret: string; issuer: string }
  /** The payment provider; without it the server is unlimited. */
  stripe?: StripeSettings
  speech: {
    engine: 'auto' | 'local' | 'remote' | 'off'
    url?: string
    apiKey?: string
    model?: string
    modelDir: string
  }
  trustedProxies: string[]
  /** Lets /metrics answer from elsewhere than this machine. */
  metricsToken?: string
  trialDays: number
  /** More days of trial for each of two friends, once the invited one has confirmed (decisions, section 6). */
  referralBonusDays: number
  logLevel: string
}

export interface StripeSettings {
  secretKey: string
  webhookSecret: string
  /** The provider's price objects, by what they are paid for. */
  prices: { month: string; year: string }
  apiUrl: string
}

/** Reads the settings; throws an Error whose message is one line that names the variable at fault. */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
  const parsed = Environment.safeParse(given)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw new Error(`${String(issue?.path[0])} is not valid: ${issue?.message}. Correct it or leave it out.`)
  }
  const env = parsed.data
  if (Boolean(env.GOOGLE_CLIENT_ID) !== Boolean(env.GOOGLE_CLIENT_SECRET)) {
    throw new Error('GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET go together: one of them is missing.')
  }
  const stripeNames = [
    'STRIPE_SECRET_KEY',
    'STRIPE_WEBHOOK_SECRET',
    'STRIPE_PRICE_MONTHLY',
    'STRIPE_PRICE_YEARLY',
  ] as const
  const missing = stripeNames.filter((name) => !env[name])
  if (missing.length > 0 && missing.length < stripeNames.length)
    throw new Error(`${missing[0]} is missing: ${stripeNames.join(', ')} go together.`)
  if (env.SPEECH_ENGINE === 'remote' && !env.SPEECH_URL)
    throw new Error('SPEECH_ENGINE is remote, so SPEECH_URL is needed too.')
  const baseUrl = (env.BASE_URL ?? `http://localhost:${env.PORT}`).replace(/\/+$/, '')
  return {
    port: env.PORT,
    host: env.HOST,
    baseUrl,
    dataDir: resolve(env.DATA_DIR),
    databaseUrl: env.DATABASE_URL,
    mail: env.SMTP_URL ? { smtpUrl: env.SMTP_URL } : undefined,
    mailFrom: env.MAIL_FROM ?? `Tutorlog <no-reply@${new URL(baseUrl).hostname}>`,
    // The address alone, also of "Name <address>".
    contactTo:
      (env.CONTACT_TO && (/<([^<>]+)>/.exec(env.CONTACT_TO)?.[1] ?? env.CONTACT_TO).trim()) ||
      `contact@${new URL(baseUrl).hostname}`,
    google:
      env.GOOGLE_CLIENT_ID && env.GOOGLE_CLIENT_SECRET
        ? {
            clientId: env.GOOGLE_CLIENT_ID,
            clientSecret: env.GOOGLE_CLIENT_SECRET,
            issuer: env.OIDC_ISSUER ?? 'https://accounts.google.com',
          }
        : undefined,
    stripe:
      env.STRIPE_SECRET_KEY &&
      env.STRIPE_WEBHOOK_SECRET &&
      env.STRIPE_PRICE_MONTHLY &&
      env.STRIPE_PRICE_YEARLY
        ? {
            secretKey: env.STRIPE_SECRET_KEY,
            webhookSecret: env.STRIPE_WEBHOOK_SECRET,
            apiUrl: env.STRIPE_API_URL ?? 'https://api.stripe.com',
            prices: { month: env.STRIPE_PRICE_MONTHLY, year: env.STRIPE_PRICE_YEARLY },
          }
        : undefined,
    speech: {
      engine: env.SPEECH_ENGINE,
      url: env.SPEECH_URL,
      apiKey: env.SPEECH_API_KEY,
      model: env.SPEECH_MODEL,
      modelDir: resolve(env.SPEECH_MODEL_DIR ?? join(env.DATA_DIR, 'models')),
    },
    trustedProxies:
      env.TRUSTED_PROXIES?.split(',')
        .map((part) => part.trim())
        .filter(Boolean) ?? [],
    metricsToken: env.METRICS_TOKEN ?? secretIn('METRICS_TOKEN_FILE', env.METRICS_TOKEN_FILE),
    trialDays: env.TRIAL_DAYS,
    referralBonusDays: env.REFERRAL_BONUS_DAYS,
    logLevel: env.LOG_LEVEL,
  }
}

function secretIn(name: string, path: string | undefined): string | undefined {
  if (path === undefined) return undefined
  let secret: string
  try {
    secret = readFileSync(path, 'utf8').trim()
  } catch {
    throw new Error(`${name} is not valid: the file cannot be read. Correct it or leave it out.`)
  }
  if (secret === '') throw new Error(`${name} is not valid: the file is empty. Correct it or leave it out.`)
  return secret
}
