// What `npm run admin -- doctor` says about what it found. Each rule is a function of the facts, and says what to do.

type Verdict = 'ok' | 'warning' | 'problem'

export interface Finding {
  verdict: Verdict
  about: string
  text: string
}

type Rule = (text: string) => Finding
const says =
  (verdict: Verdict, about: string): Rule =>
  (text) => ({ verdict, about, text })
const [ok, warning, problem] = (['ok', 'warning', 'problem'] as const).map(
  (verdict) => (about: string, text: string) => says(verdict, about)(text),
) as [Say, Say, Say]
type Say = (about: string, text: string) => Finding

const MB = 1_000_000
/** Below this, a restore or an upgrade can't even begin. */
const LEAST_FREE_BYTES = 64 * MB
/** A token that's shorter can be guessed. */
const SHORTEST_TOKEN = 20
const HOUR_MS = 3_600_000
/** Authorities take days to check who asks for a certificate. */
const SEAL_NOTICE_MS = 30 * 24 * HOUR_MS

/** The settings that matter here. Secrets are only looked at. */
export interface SettingFacts {
  baseUrl: string
  isBaseUrlSet: boolean
  warnings: readonly string[]
  smtp: { isPlainUrl: boolean; isTlsRequired: boolean } | undefined
  metricsToken: string | undefined
  trustedProxies: readonly string[]
  plainBackups: string | undefined
  externalDatabase: { isLocal: boolean; isTlsRequired: boolean } | undefined
  acceptsAnyCertificate: boolean
  hasContact: boolean
}

const LOCAL = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

export function settingFindings(facts: SettingFacts): Finding[] {
  const { smtp, externalDatabase: external, metricsToken: token } = facts
  const { protocol, hostname } = new URL(facts.baseUrl)
  const found = facts.warnings.map((text) => warning('settings', text))
  const add = (is: boolean, finding: Finding) => void (is && found.push(finding))
  if (!facts.isBaseUrlSet)
    add(
      true,
      warning(
        'settings',
        'BASE_URL is not set: links in emails lead to this machine. Set your public address.',
      ),
    )
  else
    add(
      protocol === 'http:' && !LOCAL.test(hostname),
      problem(
        'settings',
        'BASE_URL is http: passwords travel unencrypted. Put a proxy with TLS in front, and set https.',
      ),
    )
  add(
    protocol === 'https:' && facts.trustedProxies.length === 0,
    warning(
      'settings',
      'TRUSTED_PROXIES is not set: behind a proxy, everybody counts as one for the limits on guessing. Set its address.',
    ),
  )
  add(
    !smtp,
    warning('settings', 'SMTP_URL is not set: emails stay in the local mailbox, and nobody gets them.'),
  )
  add(
    smtp?.isPlainUrl === true && !smtp.isTlsRequired,
    warning(
      'settings',
      'SMTP_TLS is auto: emails go unencrypted if the email server stops offering TLS. Set require.',
    ),
  )
  add(
    external !== undefined && !external.isLocal && !external.isTlsRequired,
    warning(
      'settings',
      'DATABASE_TLS is auto: set require, so that nothing is sent to the database in the clear.',
    ),
  )
  add(
    facts.acceptsAnyCertificate,
    problem('settings', 'NODE_TLS_REJECT_UNAUTHORIZED is 0: any certificate is accepted. Leave it out.'),
  )
  if (facts.plainBackups) add(true, warning('settings', facts.plainBackups))
  add(
    token !== undefined && token.length < SHORTEST_TOKEN,
    warning(
      'settings',
      `METRICS_TOKEN is short: use at least ${SHORTEST_TOKEN} characters (openssl rand -hex 32).`,
    ),
  )
  add(
    !facts.hasContact,
    warning(
      'settings',
      'CONTACT_TO is not set: nobody can tell you about a weakness. Set an address that you read.',
    ),
  )
  return found.length > 0 ? found : [ok('settings', 'complete, and no two contradict each other')]
}

export function diskFinding({
  free,
  database,
  backups,
}: Record<'free' | 'database' | 'backups', number>): Finding {
  if (!Number.isFinite(free)) return warning('disk', 'The system doesn’t say how much room is left.')
  const sizes = `${sized(free)} free; the database has ${sized(database)}, its backups ${sized(backups)}`
  if (free < LEAST_FREE_BYTES) return problem('disk', `${sizes}. Free some space now: saving may soon fail.`)
  // A restore and an upgrade of PostgreSQL need the database twice.
  if (free < database * 1.5 + LEAST_FREE_BYTES)
    return warning('disk', `${sizes}. That’s too little to restore a backup beside it. Free some space.`)
  return ok('disk', sizes)
}

export function versionFindings(facts: {
  node: string
  leastNode: string
  server: string
  postgres: number
  applied: readonly string[]
  known: readonly string[]
}): Finding[] {
  const missing = facts.known.filter((name) => !facts.applied.includes(name))
  const foreign = facts.applied.filter((name) => !facts.known.includes(name))
  return [
    isOlder(facts.node, facts.leastNode)
      ? problem('versions', `Node ${facts.node} is too old. Install ${facts.leastNode} or newer.`)
      : ok('versions', `Tutorlog ${facts.server}, Node ${facts.node}`),
    facts.postgres < 150_000
      ? problem(
          'versions',
          `PostgreSQL ${Math.floor(facts.postgres / 10_000)} is too old. Install 15 or newer.`,
        )
      : ok('versions', `PostgreSQL ${Math.floor(facts.postgres / 10_000)}`),
    foreign.length > 0
      ? problem('versions', `The database belongs to another version (${foreign.at(-1)}). Start that one.`)
      : missing.length > 0
        ? problem(
            'versions',
            `The tables lack ${missing.length} steps (${missing[0]}). Restart the server to upgrade them.`,
          )
        : ok('versions', 'The tables are those of this version.'),
  ]
}

interface RoleFacts {
  /** Roles that requests are served with, and have more rights than they should. */
  mighty: readonly string[]
  /** Tables whose row-level security is off or not forced. */
  open: readonly string[]
  /** Tables that don't belong to the role that should own them. */
  stray: readonly string[]
  /** Whether everyone may connect to the database. */
  isOpen: boolean
}

export function roleFindings({ mighty, open, stray, isOpen }: RoleFacts): Finding[] {
  const found: Finding[] = []
  const again = 'Restart the server, which sets it right, and find out who changed it.'
  if (mighty.length > 0)
    found.push(
      problem(
        'roles',
        `${mighty.join(', ')} may see everybody’s rows: alter role … nosuperuser nobypassrls.`,
      ),
    )
  if (open.length > 0)
    found.push(problem('roles', `Row-level security is off on ${open.join(', ')}. ${again}`))
  if (stray.length > 0) found.push(problem('roles', `${stray.join(', ')} belong to another role. ${again}`))
  if (isOpen) found.push(warning('roles', `Anyone who can sign in to the cluster may connect. ${again}`))
  return found.length > 0 ? found : [ok('roles', 'as they should be, with row-level security on every table')]
}

/** @param aheadMs how far the database's clock is ahead of ours */
export function clockFinding(aheadMs: number): Finding {
  const off = Math.abs(aheadMs)
  const text = `The database’s clock is ${(off / 1000).toFixed(1)} s ${aheadMs > 0 ? 'ahead of' : 'behind'} this one. Run a time service.`
  if (off > 60_000) return problem('clock', text)
  return off > 2000 ? warning('clock', text) : ok('clock', 'agrees with the database’s')
}

interface BackupFact {
  name: string
  /** When it was made, if its label is ours. */
  createdAt: string | undefined
  /** Whether it has the bytes that it was written with. */
  isWhole: boolean
}

export function backupFindings(backups: readonly BackupFact[], now: Date): Finding[] {
  const found = backups.flatMap(({ name, createdAt, isWhole }) => {
    if (createdAt === undefined)
      return [warning('backups', `${name} isn’t one that this server made. Move it elsewhere if it’s yours.`)]
    return isWhole ? [] : [problem('backups', `${name} was changed or damaged after it was made. Delete it.`)]
  })
  const newest = backups
    .flatMap(({ createdAt, isWhole }) => (createdAt && isWhole ? [createdAt] : []))
    .sort()
    .at(-1)
  if (newest === undefined)
    return [...found, warning('backups', 'There’s none yet. The server makes one every night at 02:50 UTC.')]
  const hours = Math.round((now.getTime() - Date.parse(newest)) / HOUR_MS)
  const age = `The newest is ${hours} hours old`
  if (hours > 50)
    found.push(
      problem('backups', `${age}. Look at failed jobs (npm run admin -- jobs), and at the room on the disk.`),
    )
  else if (hours > 26) found.push(warning('backups', `${age}. The last night has none.`))
  else found.push(ok('backups', `${age}, and ${backups.length} are kept. Copy them to another disk.`))
  return found
}

/** What asking the email server said: an error's first line, or nothing if it went well. */
export function mailFindings(
  asSet: string | undefined,
  overTls: string | undefined,
  isTlsRequired: boolean,
): Finding[] {
  if (asSet !== undefined)
    return [
      problem('mail', `The email server can’t be used: ${asSet}. Correct SMTP_URL. Emails wait meanwhile.`),
    ]
  if (isTlsRequired || overTls === undefined) return [ok('mail', 'The email server answers, over TLS.')]
  return [
    warning('mail', `The email server answers, but not over TLS: ${overTls}. Emails travel unencrypted.`),
  ]
}

export function historyFinding(entries: number, broken: number): Finding {
  return broken === 0
    ? ok('history', `intact, ${entries} entries`)
    : problem('history', `${broken} entries are broken. npm run admin -- verify-history names them.`)
}

/** @param failure the reason if a short sound couldn't be recognized */
export function speechFinding(engine: string, failure: string | undefined): Finding {
  if (engine === 'off')
    return ok('speech', 'Recording is off, or no engine is installed (npm run admin -- voice-model).')
  return failure === undefined
    ? ok('speech', `The ${engine} engine listens.`)
    : problem(
        'speech',
        `The ${engine} engine failed: ${failure}. npm run admin -- voice-model says what it needs.`,
      )
}

export function pushFinding(isKeyValid: boolean): Finding {
  return isKeyValid
    ? ok('push', 'The key for messages to devices is there.')
    : problem(
        'push',
        'The key for messages to devices is missing or damaged. Make a new one (docs/operations.md, Keys).',
      )
}

/** Viewers warn about seals whose certificate isn't valid, so the server makes none then. */
export function sealFinding(
  { validFrom, validTo }: Record<'validFrom' | 'validTo', Date>,
  now: Date,
): Finding {
  const day = (moment: Date) => moment.toISOString().slice(0, 10)
  const without = 'Closed months get no seal meanwhile. Set another one, and restart.'
  if (now < validFrom)
    return problem('seal', `The certificate isn’t valid before ${day(validFrom)}. ${without}`)
  if (now > validTo) return problem('seal', `The certificate expired on ${day(validTo)}. ${without}`)
  const text = `The certificate is valid until ${day(validTo)}.`
  return validTo.getTime() - now.getTime() < SEAL_NOTICE_MS
    ? warning('seal', `${text} Get the next one, set it, and restart.`)
    : ok('seal', text)
}

const LABELS: Record<Verdict, string> = { ok: 'OK      ', warning: 'WARNING ', problem: 'PROBLEM ' }

/** A line for each finding, and one that counts them. */
export function reportOf(findings: readonly Finding[]): { text: string; hasProblems: boolean } {
  const count = (verdict: Verdict) => findings.filter((finding) => finding.verdict === verdict).length
  const lines = findings.map(({ verdict, about, text }) => `${LABELS[verdict]} ${about.padEnd(9)} ${text}`)
  const [warnings, problems] = [count('warning'), count('problem')]
  return {
    text: [...lines, `${problems} problems, ${warnings} warnings.`].join('\n'),
    hasProblems: problems > 0,
  }
}

/** A check that couldn't be made at all. */
export function failed(about: string, error: unknown): Finding {
  const reason = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
  return problem(about, `It couldn’t be checked: ${reason}`)
}

function isOlder(version: string, least: string): boolean {
  const [a, b] = [version, least].map((text) => text.split('.').map(Number))
  const at = [0, 1, 2].find((n) => (a?.[n] ?? 0) !== (b?.[n] ?? 0))
  return at !== undefined && (a?.[at] ?? 0) < (b?.[at] ?? 0)
}

function sized(bytes: number): string {
  return bytes >= 1000 * MB ? `${(bytes / 1000 / MB).toFixed(1)} GB` : `${(bytes / MB).toFixed(1)} MB`
}
