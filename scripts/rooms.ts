// The room rules in ARCHITECTURE.md: which folder may import which, how to name files, and where SQL is
// allowed.

export interface SourceFile {
  /** Relative to the project root, for example src/features/sessions/session.ts. */
  path: string
  text: string
}

const LAYERS = ['kernel', 'platform', 'features', 'main']
/**
 * These features combine several nouns, so they may also contain rows, lists, dialogs, forms, cards or
 * sections for other nouns (docs/decisions/0003-composing-features.md).
 */
const COMPOSING = new Set(['connections', 'person', 'dashboard', 'summary', 'settings'])
/** Students and tutors are the two kinds of people on lists, so they may import any file of people/. */
const PEOPLE = new Set(['students', 'tutors'])
/** What shows things that two sides agree on uses the components of agreements/. */
const AGREED = new Set(['sessions', 'payments', 'charges', 'connections', 'terms', 'schedules'])
const VOCABULARY =
  /^(routes\.server|([a-z]+-)?(commands|queries)\.server|jobs\.server|mail\.server|client\.web|[a-z][a-z-]*|[A-Z][A-Za-z]*)(\.test)?\.tsx?$/
/**
 * Sign-in needs extra files: server files for secrets and cookies, and a browser file for the inactivity
 * timer.
 */
const SIGN_IN_ONLY =
  /^(google|guess|login|oidc|password|second-step|sign-up)\.server(\.test)?\.ts$|^inactivity\.web\.ts$/
/** Access also has files that admit callers, parse their input and run their operations. */
const ACCESS_ONLY = /^(admission|db|declaration|device|input|openapi|operation)\.server(\.test)?\.ts$/
/**
 * Files with special jobs: talking to the payment provider, writing the export's ZIP, the six task processes
 * (two printers, packer, planner, reader and driller), the reader's weights, and what needs the arithmetic of time zones.
 */
const SPECIAL = new Set([
  'billing/stripe.server.ts',
  'drills/driller.server.ts',
  'imports/planner.server.ts',
  'months/printer.server.ts',
  'papers/printer.server.ts',
  'privacy/export.server.ts',
  'privacy/packer.server.ts',
  'schedules/calendar.server.ts',
  'schedules/calendar.server.test.ts',
  'schedules/missed.server.ts',
  'schedules/zones.server.ts',
  'voice/reader.server.ts',
  'voice/weights.server.ts',
])
/** Statements and papers also have a file for their PDF layout, which is neither a rule nor a route. */
const PAPER_ONLY = /^pdf\.server(\.test)?\.ts$/
/**
 * Sessions have more browser files: for those waiting to be sent, kept in the browser's database; for taking them
 * back; and for logging usual ones with one tap. They load later than client.web.ts.
 */
const LOGGING_ONLY = /^(waiting|undo|usual)\.web\.ts$/
/** Passkeys also have what browsers do with them, which the sign-in pages load without the hooks of client.web.ts. */
const PASSKEYS_ONLY = /^ceremony\.web\.ts$/
/**
 * A feature may import only features that come earlier in this list, so there are no cycles. ARCHITECTURE.md
 * has the same list.
 */
export const FEATURE_ORDER = (
  'access site notices security workspaces passkeys accounts push admin referrals billing privacy people prices students tutors ' +
  'agreements terms sessions payments charges schedules imports voice summary months papers connections reminders emails person dashboard settings drills'
).split(' ')
const FORBIDDEN_NAMES = /^(utils?|helpers?|common|misc|types|index)\b/
const IMPORT = /(?:from|import)\s*\(?\s*'((?:#|\.|node:)[^']+)'/g
/** Files of any feature that other features may import. */
const PUBLIC = /^(([a-z]+-)?(commands|queries)\.server|client\.web)\.ts$/
/**
 * Further files that other features may import, by feature. What isn't listed may change without anyone else
 * noticing. Access admits callers and runs their operations; with login.server.ts and password.server.ts of
 * accounts, others end a login or ask for the password again.
 */
export const PUBLIC_FILES: Record<string, string> = {
  access:
    'admission.server closed-month db.server declaration.server device.server endpoint link-refusals operation.server proof role',
  accounts: 'account login.server password password.server profile trial',
  agreements: 'answer history jobs.server',
  charges: 'charge charge-form',
  connections: 'connection emailed',
  months: 'closing closing-text month-page sign-off',
  notices: 'notice',
  papers: 'content',
  people: 'person',
  prices: 'price price-words',
  passkeys: 'ceremony.web passkey',
  payments: 'balance balance-text confirmation due owed payment payment-form payment-way payment-words',
  security: 'event',
  schedules: 'occurrence outcome OutcomeChoices.tsx proposal-text recurrence schedule zones.server',
  reminders: 'reminder',
  sessions:
    'confirmation family-choice lesson-words not-right session session-form session-price session-search standing-text undo.web ' +
    'waiting waiting.web',
  site: 'address paths promise',
  students: 'student',
  summary: 'summary',
  terms: 'due-day fees make-up-text make-ups missed outcome rules sentences term terms',
  tutors: 'tutor',
  workspaces: 'naming sides workspace',
}
const QUERY_IMPORT = /import \{([^}]*)\} from '#features\/([a-z]+)\/(?:[a-z]+-)?queries\.server\.ts'/g
/** The only file that formats money. All others pass it an amount and a currency. */
const MONEY = 'src/kernel/money.ts'
/** Files that may create a WorkspaceId or ConnectionId: the one that admits callers, and one for tests. */
const ADMITS = new Set(['src/features/access/admission.server.ts', 'src/main/testing.server.ts'])
/** The random walk that compares the server with the model. It's a test in several files. */
const WALK = 'model/walk/'
/** The demo in the browser, which has no server, follows the model. */
const PLAYS_MODEL = /^src\/main\/browser-demo\//
/** A file with more lines than this has more than one thing to say. SQL isn't checked. */
const MOST_LINES = 600
/** Files that nobody reads from top to bottom: the list of all tables and columns, and a program made of several files. */
const DATA = new Set(['src/features/privacy/catalogue.ts', 'src/features/privacy/verify.mjs'])
const TEMPLATE = /`(?:\\.|\$\{(?:[^{}`]|`[^`]*`|\{[^{}]*\})*\}|[^`\\])*`/gs
const SQL = /\bsql`|\.(selectFrom|insertInto|updateTable|deleteFrom)\(/

/** Returns every violation of the rules, one per line, with the file, the problem, and where the code belongs. */
export function violations(files: SourceFile[]): string[] {
  const commanded = new Set(
    files.flatMap(({ path }) => /^src\/features\/([^/]+)\/commands\.server\.ts$/.exec(path)?.[1] ?? []),
  )
  return files
    .filter(({ path }) => path.startsWith('src/') || path.startsWith('model/'))
    .flatMap((file) =>
      [
        ...nameProblems(file),
        ...textProblems(file),
        ...importProblems(file),
        ...writeProblems(file, commanded),
      ].map((problem) => `${file.path}: ${problem}`),
    )
}

/** Returns every program, test and style sheet that's too long to read, one per line. */
export function longFiles(files: SourceFile[]): string[] {
  return files
    .filter(({ path }) => /\.(tsx?|mjs|css)$/.test(path) && !DATA.has(path))
    .map(({ path, text }) => ({ path, lines: text.split('\n').length - 1 }))
    .filter(({ lines }) => lines > MOST_LINES)
    .map(
      ({ path, lines }) =>
        `${path}: has ${lines} lines, ${lines - MOST_LINES} too many. Delete what's written twice, or move what ` +
        'a reader would look for under another noun into a file of that name, such as <noun>-queries.server.ts.',
    )
}

function nameProblems({ path }: SourceFile): string[] {
  const name = path.split('/').at(-1) ?? ''
  if (FORBIDDEN_NAMES.test(name))
    return [`the name ${name} says nothing. Name the file after the noun it's about.`]
  const [, , feature] = path.split('/')
  if (!path.startsWith('src/features/')) return []
  const isOwn =
    (feature === 'access' && ACCESS_ONLY.test(name)) ||
    (feature === 'accounts' && SIGN_IN_ONLY.test(name)) ||
    (feature === 'passkeys' && PASSKEYS_ONLY.test(name)) ||
    ((feature === 'months' || feature === 'papers') && PAPER_ONLY.test(name)) ||
    (feature === 'sessions' && LOGGING_ONLY.test(name)) ||
    SPECIAL.has(`${feature}/${name}`)
  if (VOCABULARY.test(name) || isOwn) return []
  return [
    'this name is not in the vocabulary of a feature. Use <noun>.ts, routes.server.ts, ' +
      'commands.server.ts, queries.server.ts, jobs.server.ts, mail.server.ts, client.web.ts or ' +
      'Component.tsx.',
  ]
}

function textProblems({ path, text }: SourceFile): string[] {
  const isTest = /\.test\.tsx?$/.test(path) || path.startsWith(WALK)
  const problems: string[] = []
  const mayHoldSql =
    path.endsWith('queries.server.ts') || /^src\/platform\/(db|http|mail|jobs)\//.test(path) || isTest
  if (SQL.test(text) && !mayHoldSql)
    problems.push('contains SQL. SQL belongs in queries.server.ts of its feature.')
  if (/\bas any\b|@ts-ignore|@ts-nocheck/.test(text))
    problems.push('turns the type check off. Give the value its type.')
  const [, made] = /\bas ((?:Workspace|Connection)Id)\b/.exec(text) ?? []
  if (!isTest && made && !ADMITS.has(path))
    problems.push(
      `makes a ${made}. It comes from the database, or with the caller that access/admission.server.ts admitted.`,
    )
  if (isTest && /\b(test|it|describe)\.(skip|only|todo)\b/.test(text))
    problems.push('has a skipped test. Fix it or delete it.')
  if (!isTest && path !== MONEY && showsBareMoney(path, text))
    problems.push(
      'shows money without its currency. Use formatMoney or formatAmount for amounts and inCurrency for labels (kernel/money.ts).',
    )
  return problems
}

/** True if a file puts a dollar sign before an amount or in a label, or formats a currency itself. */
function showsBareMoney(path: string, text: string): boolean {
  if (/style: 'currency'/.test(text) || /\$\$\{/.test(text)) return true
  if (/(['"])\$\1\s*(\+|\})/.test(text)) return true
  if (!path.endsWith('.tsx')) return false
  const markup = text.replaceAll(TEMPLATE, '')
  return (
    /\$\{/.test(markup) || (path.startsWith('src/features/') && /\s[a-z]\w*="[^"]*\$[^"]*"/i.test(markup))
  )
}

/** If a feature has commands, other features must use them to write, so that its rules always apply. */
function writeProblems({ path, text }: SourceFile, commanded: Set<string>): string[] {
  const own = /^src\/features\/([^/]+)\//.exec(path)?.[1]
  if (!own || /\.test\.tsx?$/.test(path)) return []
  return [...text.matchAll(QUERY_IMPORT)].flatMap(([, names = '', other = '']) => {
    const writes = names.match(/\b(insert|update|delete)[A-Z]\w*/g)
    return other !== own && commanded.has(other) && writes
      ? [`imports ${writes.join(', ')} of ${other}. Call what does it in ${other}/commands.server.ts.`]
      : []
  })
}

function importProblems({ path, text }: SourceFile): string[] {
  if (/\.test\.tsx?$/.test(path) || path.startsWith(WALK)) return []
  return [...text.matchAll(IMPORT)].flatMap(
    ([, target = '']) =>
      importProblem(path, target.startsWith('.') ? resolve(path, target) : target.replace(/^#/, 'src/')) ??
      [],
  )
}

function importProblem(path: string, target: string): string | undefined {
  if (path.startsWith('model/'))
    return target.startsWith('model/')
      ? undefined
      : `imports ${target}. The model stands for itself, so that comparing the server with it proves something.`
  if (target.startsWith('src/model/'))
    return PLAYS_MODEL.test(path)
      ? undefined
      : `imports ${target}. The model is for tests and for the demo in the browser; the rules belong in their feature.`
  const runs = runsWhere(path)
  if (target.startsWith('node:')) {
    return runs === 'server' || path.startsWith('src/main/')
      ? undefined
      : `imports ${target}. A file that may run in the browser has no Node; move the code to a .server.ts file.`
  }
  const [from, to] = [layerOf(path), layerOf(target)]
  if (to > from)
    return `imports ${target}, which lies above it. Imports go main -> features -> platform -> kernel; move the shared part down.`
  const where = runsWhere(target)
  if (from < 3 && runs === 'anywhere' && where !== 'anywhere')
    return `imports ${target}, which runs ${where === 'server' ? 'on the server' : 'in the browser'} only. Plain files run anywhere.`
  if (from < 3 && runs !== where && where !== 'anywhere')
    return `imports ${target}, which runs on the other side. Share it through a plain file.`
  if (
    target.startsWith('src/platform/db/') &&
    !/^src\/(platform|main)\//.test(path) &&
    !/(routes|commands|queries|jobs|packer)\.server\.ts$/.test(path) &&
    !/^src\/features\/(access|accounts)\/.*\.server\.ts$/.test(path)
  ) {
    return `imports ${target}. The database is reached from queries, commands, routes and jobs only.`
  }
  return neighbourProblem(path, target)
}

function neighbourProblem(path: string, target: string): string | undefined {
  const [own, other] = [path, target].map((place) => /^src\/features\/([^/]+)\//.exec(place)?.[1])
  if (!own || !other || own === other) return undefined
  const [ownPlace, otherPlace] = [FEATURE_ORDER.indexOf(own), FEATURE_ORDER.indexOf(other)]
  if (ownPlace < 0)
    return `belongs to the feature ${own}, which has no place in the order of features. Add it to FEATURE_ORDER and ARCHITECTURE.md.`
  if (otherPlace > ownPlace)
    return `imports ${target}, but ${other} builds on ${own} and not the other way. Move the shared part down, or pass it in from main/.`
  const name = target.split('/').at(-1) ?? ''
  const open = (PUBLIC_FILES[other] ?? '').split(' ')
  if (PUBLIC.test(name) || open.includes(name.replace(/\.ts$/, ''))) return undefined
  if (other === 'people' && PEOPLE.has(own)) return undefined
  if (other === 'agreements' && AGREED.has(own) && name.endsWith('.tsx')) return undefined
  if (COMPOSING.has(own) && /(Row|List|Dialog|Form|Card|Section)\.tsx$/.test(name)) return undefined
  const files = open.filter(Boolean).map((file) => `, ${file}.ts`)
  return (
    `imports ${target}, which belongs to ${other} alone. Move what others need into its public files ` +
    `(commands.server.ts, queries.server.ts, client.web.ts${files.join('')}), or add the file to PUBLIC_FILES.`
  )
}

function layerOf(path: string): number {
  return LAYERS.indexOf(path.split('/')[1] ?? '')
}

function runsWhere(path: string): 'server' | 'browser' | 'anywhere' {
  if (path.includes('.server.')) return 'server'
  return path.endsWith('.tsx') || path.includes('.web.') ? 'browser' : 'anywhere'
}

function resolve(from: string, relative: string): string {
  const parts = from.split('/').slice(0, -1)
  for (const part of relative.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '.') parts.push(part)
  }
  return parts.join('/')
}
