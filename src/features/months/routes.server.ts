// Routes for months: sign-offs, the public page for checking a code, and statements as files.
import type { FastifyInstance, FastifyReply } from 'fastify'
import { type CalendarDay, dayIn, daysOfMonth, monthOf } from '#kernel/calendar-day.ts'
import type { WorkspaceId } from '#kernel/id.ts'
import type { Currency } from '#kernel/money.ts'
import { done, type Outcome, refused } from '#kernel/outcome.ts'
import { displayName } from '#features/accounts/account.ts'
import { readMe } from '#features/accounts/queries.server.ts'
import { readCurrency } from '#features/workspaces/queries.server.ts'
import { type AccountName, type Figures, toBalance, totalOf } from '#features/payments/balance.ts'
import { leftOutOfTotal } from '#features/payments/balance-text.ts'
import { byCurrency, type OwedOnPaper, owedOnPaper } from '#features/payments/owed.ts'
import { keptWithOf, type Payment } from '#features/payments/payment.ts'
import type { Charge } from '#features/charges/charge.ts'
import { listCharges } from '#features/charges/queries.server.ts'
import { listPayments, listShared as listSharedPayments } from '#features/payments/queries.server.ts'
import { accountsWorthALine, readLedgers } from '#features/payments/balance-queries.server.ts'
import { listSessions } from '#features/sessions/queries.server.ts'
import { searchSessions } from '#features/sessions/search-queries.server.ts'
import { foundOf } from '#features/sessions/session-search.ts'
import { PAGE_CHECKER, paths } from '#features/site/paths.ts'
import { readStudent } from '#features/students/queries.server.ts'
import { readTutor } from '#features/tutors/queries.server.ts'
import type { Tx } from '#platform/db/db.server.ts'
import { currentRegion } from '#platform/reader.server.ts'
import { asFile } from '#platform/http/files.server.ts'
import { escapeHtml } from '#platform/mail/template.server.ts'
import { notFound } from '#platform/http/problem.server.ts'
import { hitLimit, networkOf } from '#platform/http/rate-limit.server.ts'
import type { Seal } from '#platform/pdf/seal.server.ts'
import { type Caller, type CurrentUser, type Services, tooMany } from '#features/access/admission.server.ts'
import { OUTSIDE, type OutsideCall, serve, WITHIN } from '#features/access/operation.server.ts'
import {
  type ClosedMonth,
  CloseMonth,
  ListClosedMonths,
  ListMonths,
  ReopenMonth,
  standingOfMonth,
  StartMonthSignature,
  WithdrawMonth,
} from './closing.ts'
import { DownloadMonthPage, ReadMonthPage, toPage } from './month-page.ts'
import {
  closedMonthFile,
  closeMonth,
  type NamedFile,
  print,
  emailedStatement,
  refusedToClose,
  reopenMonth,
  signedStatement,
  textToSign,
  verificationOf,
  withdrawMonth,
  withShownCodes,
} from './commands.server.ts'
import { listClosings, readClosing, type SignedClosing } from './closing-queries.server.ts'
import {
  checkCode,
  codeWithTutor,
  connectedSides,
  documentTimeZone,
  isOwnConnection,
  otherNameOf,
  partiesOf,
  readMonth,
  signOff,
} from './queries.server.ts'
import { publicKeys } from './key-commands.server.ts'
import { codeIn, shownCode, SignOffMonth } from './sign-off.ts'
import { monthSignature, startMonthSignature } from './signature-commands.server.ts'
import { KEYS_PATH } from './signed-page.ts'
import { verifyWords } from './verify-page.ts'
import {
  csvOf,
  DownloadCsv,
  DownloadPdf,
  DownloadSigned,
  DownloadSignedAsTutor,
  fileNameOf,
  MAX_ROWS,
  type Statement,
  type Sum,
  totalsOfSessions,
} from './statement.ts'
import { DownloadPayments, paymentsCsv, ReadTaxPeriod, taxPeriodOf } from './tax-period.ts'

/** How many codes can be looked up per network address. At this rate, nobody can guess ten characters. */
const TRIES = { hits: 60, seconds: 60 }

interface Wanted {
  from: CalendarDay
  to: CalendarDay
  tutor_id?: string
  student_id?: string
}

/** What /verify shows for a code that isn't a month's. */
interface OtherPaper {
  title: string
  subtitle: string
  text: string
  figures: [label: string, figure: string][]
}
/** Looks up codes that aren't months'. The papers feature builds on this one, so its lookup is passed in. */
type CheckOther = (tx: Tx, code: string) => Promise<OtherPaper | undefined>

/** With a seal for closed months' PDFs, if the operator provides one. */
type Sealing = Services & { seal?: Seal }

/** Adds /verify/CODE, the public keys that pages are checked with, and the routes under /api/v1/months, /api/v1/sign-offs and /api/v1/statements. */
export function addMonthRoutes(app: FastifyInstance, services: Sealing, checkOther: CheckOther): void {
  addSignOffRoutes(app, services, checkOther)
  app.get(KEYS_PATH, async (_request, reply) =>
    reply.header('cache-control', 'public, max-age=3600').send(await publicKeys(services)),
  )
  addClosingRoutes(app, services)
  addStatementRoutes(app, services)
  addTaxRoutes(app, services)
}

function addSignOffRoutes(app: FastifyInstance, services: Services, checkOther: CheckOther): void {
  serve(app, services, SignOffMonth, async ({ workspace, input }) => {
    const parties = { familyId: workspace, tutorId: input.tutor_id }
    const made = await services.db.asSystem((tx) => signOff(tx, parties, input.month, services.now()))
    if (!made) return refused('not_confirmed')
    return done({
      month: input.month,
      tutor_id: input.tutor_id,
      code: shownCode(made.code),
      url: `${services.baseUrl}/verify/${shownCode(made.code)}`,
      signed_at: made.signedAt.toISOString(),
    })
  })

  // The form on /verify sends what was typed here. A code's own address can be kept and passed on.
  app.get<{ Querystring: { code?: unknown } }>('/verify/code', async ({ query }, reply) => {
    const typed = typeof query.code === 'string' ? query.code.trim().slice(0, MAX_TYPED) : ''
    const code = codeIn(typed)
    if (typed === '') return reply.redirect(paths.verify, 303)
    return reply.redirect(`${paths.verify}/${encodeURIComponent(code ? shownCode(code) : typed)}`, 303)
  })

  app.get<{ Params: { code: string } }>('/verify/:code', async (request, reply) => {
    const code = codeIn(request.params.code)
    const found = await services.db.asSystem(async (tx) => {
      const wait = await hitLimit(tx, `verify:${networkOf(request.ip)}`, TRIES)
      if (wait !== undefined || !code) return wait
      const month = await checkCode(tx, code)
      return month ? verifyWords(month) : otherWords(await checkOther(tx, code))
    })
    if (typeof found === 'number') throw tooMany(found)
    if (!code || !found) reply.status(404)
    return services.sendPage(reply, ...(code && found ? knownCode(code, found) : UNKNOWN_CODE))
  })
}

/** More than anyone types for ten letters with spaces and dashes. */
const MAX_TYPED = 60

/** A page of text, and its title. */
type Shown = [title: string, html: string]

const ANOTHER = `<p class="mt-6"><a class="link inline-flex min-h-11 items-center" href="${paths.verify}">Check another code</a></p>`
const ITSELF = `<p class="mt-5"><a class="link inline-flex min-h-11 items-center" href="${PAGE_CHECKER}">Check the PDF itself, even offline</a></p>`
const UNKNOWN_CODE: Shown = [
  'Unknown code',
  `<h1 class="mt-8">No statement has this code</h1><p class="mt-2 text-ink-2">Compare it with the bottom of the statement, letter by letter.</p>${ANOTHER}`,
]

/** A paper in the words of a month's page. */
function otherWords(paper: OtherPaper | undefined): ReturnType<typeof verifyWords> | undefined {
  return (
    paper && {
      ...paper,
      month: paper.subtitle,
      compare: 'If your paper shows other figures, somebody altered it.',
      isSigned: false,
    }
  )
}

function knownCode(code: string, found: ReturnType<typeof verifyWords>): Shown {
  const { title, month, text, figures, compare } = found
  const rows = figures?.map(
    ([label, figure]) =>
      `<div class="flex justify-between gap-4 border-b border-line py-2"><dt class="text-ink-2">${label}</dt><dd class="num font-semibold">${escapeHtml(figure)}</dd></div>`,
  )
  return [
    title,
    `<h1 class="mt-8">${title}</h1><p class="mt-3 text-lead">${month}</p><p class="mt-2 text-ink-2">${text}</p>` +
      (rows ? `<dl class="mt-5">${rows.join('')}</dl><p class="mt-3 text-ink-2">${compare}</p>` : '') +
      `<p class="num mt-5 text-small text-ink-3">Code ${shownCode(code)}</p>${found.isSigned ? ITSELF : ''}${ANOTHER}`,
  ]
}

function addClosingRoutes(app: FastifyInstance, services: Sealing): void {
  serve(app, services, ListMonths, async ({ tx, caller, input }) => {
    const months: ClosedMonth[] = []
    for (const { id, other_name: name } of await connectedSides(tx, caller.side)) {
      const rows = await readMonth(tx, id, input.month)
      if (rows) months.push(withShownCodes(standingOfMonth(id, name, rows, input.month, caller.now)))
    }
    return done({ months })
  })

  serve(app, services, ListClosedMonths, async ({ tx, caller }) => {
    const names = new Map<string, string | null>()
    const kept = await listClosings(tx)
    for (const id of new Set(kept.map((row) => row.connection_id)))
      names.set(id, await otherNameOf(caller, id))
    const theirs = caller.side === 'family' ? 'tutor' : 'family'
    return done({
      months: kept.map((row) => ({
        connection_id: row.connection_id,
        // An erased account no longer has a name, so use the one on the page.
        other_name: names.get(row.connection_id) ?? row.content[theirs],
        month: row.month,
        state: row.state === 'closed' ? 'closed' : 'reopened',
        code: shownCode(row.code),
        closed_at: row.answered_at,
        reopened_by: row.reopened_by && (row.reopened_by === caller.side ? 'you' : 'other'),
        reason: row.reason,
      })),
    })
  })

  const signedAnswer = async ({ user, link, input }: OutsideCall<typeof CloseMonth>) =>
    input.passkey && !link ? monthSignature(services, user.id, input, input.passkey) : undefined
  serve(app, services, CloseMonth, { prepare: signedAnswer }, async ({ caller, input }, proof) => {
    if (input.passkey && !proof) return refused('passkey_refused')
    const month = await askedMonth(caller, input)
    const answer = { seen: input.version, proof }
    const outcome = await closeMonth(caller, month, services, answer)
    return outcome && !outcome.ok ? refusedToClose(outcome, month, caller.side) : shown(outcome)
  })

  serve(app, services, StartMonthSignature, OUTSIDE, async ({ user, input, readAsCaller }) => {
    const { month, side, text } = await readAsCaller(async (caller) => {
      const asked = await askedMonth(caller, input)
      return { month: asked, side: caller.side, text: await textToSign(caller, asked) }
    })
    if (!text) throw notFound()
    if (!text.ok) return refusedToClose(text, month, side)
    const started = await startMonthSignature(services, user.id, input, text.value)
    return started ? done(started) : refused('no_passkey')
  })

  serve(app, services, WithdrawMonth, async ({ caller, input }) =>
    shown(await withdrawMonth(caller, await askedMonth(caller, input))),
  )

  serve(app, services, ReopenMonth, async ({ caller, input }) =>
    shown(await reopenMonth(caller, await askedMonth(caller, input), input.reason)),
  )

  serve(app, services, ReadMonthPage, async ({ tx, caller, input }) => {
    const closing = await closingOf(tx, input)
    const page = toPage(input.connection_id, closing.content, closing, caller.side)
    return done({ ...page, code: shownCode(page.code) })
  })

  serve(app, services, DownloadMonthPage, OUTSIDE, async ({ limitKey, input, reply, readAsCaller }) => {
    const closing = await readAsCaller(({ tx }) => closingOf(tx, input))
    const { name, bytes } = await closedMonthFile(limitKey, services, closing)
    asFile(reply, name, 'application/pdf')
    return done(bytes)
  })
}

async function askedMonth(
  caller: Caller,
  { connection_id: id, month }: { connection_id: string; month: string },
) {
  return { connectionId: id, month, otherName: await otherNameOf(caller, id) }
}

function shown<Code extends string>(outcome: Outcome<ClosedMonth, Code> | undefined) {
  if (!outcome) throw notFound()
  return outcome.ok ? done(withShownCodes(outcome.value)) : outcome
}

/**
 * The requested closing of a month: the latest or, given a code, the one with that code. Throws a 404 if
 * there isn't one.
 */
async function closingOf(
  tx: Tx,
  wanted: { connection_id: string; month: string; code?: string },
): Promise<SignedClosing> {
  const code = wanted.code === undefined ? undefined : (codeIn(wanted.code) ?? '')
  const closing = await readClosing(tx, wanted.connection_id, wanted.month, code)
  if (!closing) throw notFound()
  return closing
}

function addStatementRoutes(app: FastifyInstance, services: Services): void {
  serve(
    app,
    services,
    DownloadCsv,
    OUTSIDE,
    async ({ user, workspace, limitKey, input, reply, readAsCaller }) => {
      if (input.to < input.from) return refused('backwards')
      const read = await readAsCaller(async ({ tx }) => ({
        about: await aboutOf(tx, user, workspace, input),
        sessions: await sessionsOf(tx, workspace, input, MAX_ROWS.csv),
        currency: await readCurrency(tx, workspace),
        owed: await owedInCsv(services, tx, { user, workspace }, input),
      }))
      if (!read.sessions) return refused('too_long')
      asFile(reply, fileNameOf(input.from, input.to, read.about?.name, 'csv'), 'text/csv; charset=utf-8')
      // What is owed belongs under a whole statement, not under some of its sessions.
      const chosen = input.sessions?.split(',')
      const listed = chosen ? read.sessions.filter(({ id }) => chosen.includes(id)) : read.sessions
      const csv = csvOf(listed, read.currency, chosen ? undefined : read.owed)
      return done((await print(limitKey, csv)).toString())
    },
  )

  serve(
    app,
    services,
    DownloadPdf,
    OUTSIDE,
    async ({ user, workspace, limitKey, input, reply, readAsCaller }) => {
      if (input.to < input.from) return refused('backwards')
      const statement = await readAsCaller(({ tx }) => statementOf(services, tx, { user, workspace }, input))
      if (!statement) return refused('too_long')
      asFile(reply, fileNameOf(input.from, input.to, statement.about?.name, 'pdf'), 'application/pdf')
      return done(
        await print(limitKey, {
          statement,
          paper: input.paper,
          now: services.now(),
          region: currentRegion(),
        }),
      )
    },
  )

  serve(
    app,
    services,
    DownloadSigned,
    OUTSIDE,
    async ({ limitKey, input, reply, workspace, readAsCaller }) => {
      const tutor = await readAsCaller(({ tx }) => readTutor(tx, workspace, input.tutor_id))
      if (!tutor) throw notFound()
      const parties = { familyId: workspace, tutorId: input.tutor_id }
      const file = await signedStatement(limitKey, services, parties, input.month)
      return file ? done(asSigned(reply, file)) : refused('not_confirmed')
    },
  )

  serve(
    app,
    services,
    DownloadSignedAsTutor,
    OUTSIDE,
    async ({ link, limitKey, params, input, reply, readAsCaller }) => {
      if (!(await readAsCaller((caller) => isOwnConnection(caller, params.id)))) throw notFound()
      const parties = await services.db.readAsSystem((system) => partiesOf(system, params.id))
      const file = parties
        ? await signedStatement(limitKey, services, parties, input.month)
        : link && (await emailedStatement(limitKey, services, link, input.month))
      return file ? done(asSigned(reply, file)) : refused('not_confirmed')
    },
  )

  /** Sets the response's file name and returns the bytes. */
  function asSigned(reply: FastifyReply, { name, bytes }: NamedFile): Buffer {
    asFile(reply, name, 'application/pdf')
    return bytes
  }
}

function addTaxRoutes(app: FastifyInstance, services: Services): void {
  serve(app, services, ReadTaxPeriod, WITHIN, async ({ tx, workspace, input: { from, to } }) => {
    if (to < from) return refused('backwards')
    const [payments, charges, { found }] = await Promise.all([
      listPayments(tx, workspace, from, to),
      listCharges(tx, workspace, from, to),
      searchSessions(tx, workspace, { words: [], from, to }, { limit: 1 }),
    ])
    return done(taxPeriodOf({ payments, charges, taught: found ?? foundOf([]) }))
  })

  serve(
    app,
    services,
    DownloadPayments,
    OUTSIDE,
    async ({ workspace, limitKey, input, reply, readAsCaller }) => {
      if (input.to < input.from) return refused('backwards')
      const { payments, charges, shared } = await readAsCaller(async ({ tx }) => ({
        payments: await listPayments(tx, workspace, input.from, input.to),
        charges: await listCharges(tx, workspace, input.from, input.to),
        shared: await listSharedPayments(tx, workspace),
      }))
      const families = new Map(shared.map(({ connection_id: id, other_name: name }) => [id, name]))
      const csv = paymentsCsv(payments, charges, (id) => (id === null ? null : (families.get(id) ?? null)))
      asFile(reply, fileNameOf(input.from, input.to, 'payments', 'csv'), 'text/csv; charset=utf-8')
      return done((await print(limitKey, csv)).toString())
    },
  )
}

/** A statement's content; undefined if it has too many sessions to print. */
async function statementOf(
  services: Services,
  tx: Tx,
  { user, workspace }: { user: CurrentUser; workspace: WorkspaceId },
  input: Wanted,
): Promise<Statement | undefined> {
  const about = await aboutOf(tx, user, workspace, input)
  const sessions = await sessionsOf(tx, workspace, input, MAX_ROWS.pdf)
  if (!sessions) return undefined
  const me = await readMe(tx, user.id, { trialDays: 0 }, workspace)
  if (!me) throw notFound()
  const madeOn = await dayOfFile(services, workspace)
  // If both sides confirmed a whole month with one tutor, its statement gets a code.
  const month = monthOf(input.from)
  const isMonth =
    daysOfMonth(month).from === input.from &&
    daysOfMonth(month).to === input.to &&
    !input.student_id &&
    user.role === 'parent'
  // A closed month already has a code. A month that's only confirmed gets one now.
  const code =
    isMonth && input.tutor_id
      ? ((await codeWithTutor(tx, workspace, input.tutor_id, month)) ??
        (
          await services.db.asSystem((system) =>
            signOff(system, { familyId: workspace, tutorId: input.tutor_id ?? '' }, month, services.now()),
          )
        )?.code)
      : undefined
  return {
    holder: displayName(me),
    currency: me.currency,
    role: user.role,
    about,
    from: input.from,
    to: input.to,
    madeOn,
    sessions,
    totals: totalsOfSessions(sessions, me.currency),
    ...(await moneyOf(tx, user, workspace, input, { madeOn, holder: displayName(me) })),
    verification: code === undefined ? undefined : verificationOf(services.baseUrl, code),
  }
}

/** The person a statement is about. Throws a 404 for another workspace's tutor or student (promise T1). */
async function aboutOf(
  tx: Tx,
  user: CurrentUser,
  workspace: WorkspaceId,
  wanted: Wanted,
): Promise<Statement['about']> {
  const tutor = wanted.tutor_id ? await readTutor(tx, workspace, wanted.tutor_id) : undefined
  const student = wanted.student_id ? await readStudent(tx, workspace, wanted.student_id) : undefined
  if ((wanted.tutor_id && !tutor) || (wanted.student_id && !student)) throw notFound()
  if (student)
    return {
      kind: user.role === 'parent' ? 'Child' : 'Student',
      name: tutor ? `${student.name} with ${tutor.name}` : student.name,
    }
  return tutor && { kind: 'Tutor', name: tutor.name }
}

/** The sessions, oldest first; undefined if there are more than `most`. */
async function sessionsOf(tx: Tx, workspaceId: WorkspaceId, wanted: Wanted, most: number) {
  const sessions = await listSessions(
    tx,
    workspaceId,
    { from: wanted.from, to: wanted.to, tutorId: wanted.tutor_id, studentId: wanted.student_id },
    most + 1,
  )
  return sessions.length > most ? undefined : sessions.reverse()
}

/**
 * Payments and balances, if the statement covers complete balances: either everyone's or the full balance
 * with one person.
 */
async function moneyOf(
  tx: Tx,
  user: CurrentUser,
  workspace: WorkspaceId,
  wanted: Wanted,
  { madeOn, holder }: { madeOn: CalendarDay; holder: string },
): Promise<Pick<Statement, 'balances' | 'sums' | 'owed' | 'leftOut' | 'payments' | 'charges'>> {
  const currency = await readCurrency(tx, workspace)
  const until = madeOn > wanted.to ? madeOn : wanted.to
  const ledgers = await wholeLedgers(tx, user, workspace, wanted, until)
  if (!ledgers) return {}
  const keptWith = keptWithOf(user.role)
  const party = wanted[`${keptWith}_id`]
  const accounts = accountsWorthALine(ledgers, wanted.from, wanted.to)
  const connections = new Set(accounts.map((account) => account.connection_id))
  const isAbout = (payment: Pick<Payment, 'tutor_id' | 'student_id' | 'connection_id'>) =>
    !party ||
    (keptWith === 'tutor' ? payment.tutor_id : payment.student_id) === party ||
    (payment.connection_id !== null && connections.has(payment.connection_id))
  // What the two sides don't agree on isn't part of the balance, so leave it off its statement.
  const listed = <Row extends Payment | Charge>(rows: Row[]) =>
    rows.reverse().filter((row) => row.counts && isAbout(row))
  return {
    balances: accounts.map((account) => toBalance(account, account.figures)),
    sums: sumsOf(accounts, currency),
    owed: owedOnPaper(ledgers, { side: sideOf(user), name: holder }, madeOn, currency),
    leftOut: leftOutOfTotal(accounts, currency),
    payments: listed(await listPayments(tx, workspace, wanted.from, wanted.to)),
    charges: listed(await listCharges(tx, workspace, wanted.from, wanted.to)),
  }
}

/**
 * The ledgers that a file is about: everyone's or one person's. Undefined if it's about less than a whole
 * balance, such as one of several siblings.
 */
async function wholeLedgers(
  tx: Tx,
  user: CurrentUser,
  workspace: WorkspaceId,
  wanted: Wanted,
  until: CalendarDay,
) {
  const keptWith = keptWithOf(user.role)
  if (keptWith === 'tutor' && wanted.student_id) return undefined
  const party = wanted[`${keptWith}_id`]
  const all = await readLedgers(tx, workspace, keptWith, until)
  const ledgers = all.filter(({ partyIds }) => !party || partyIds.includes(party))
  return ledgers.some(({ partyIds }) => party && partyIds.length > 1) ? undefined : ledgers
}

/** What is owed, for a spreadsheet. Members who see only some students get no balances. */
async function owedInCsv(
  services: Services,
  tx: Tx,
  { user, workspace }: { user: CurrentUser; workspace: WorkspaceId },
  wanted: Wanted,
): Promise<OwedOnPaper[]> {
  if (user.workspace?.allStudents === false) return []
  const madeOn = await dayOfFile(services, workspace)
  const ledgers = await wholeLedgers(tx, user, workspace, wanted, madeOn)
  const me = ledgers && (await readMe(tx, user.id, { trialDays: 0 }, workspace))
  if (!me) return []
  return owedOnPaper(ledgers, { side: sideOf(user), name: displayName(me) }, madeOn, me.currency)
}

const sideOf = ({ role }: CurrentUser) => (role === 'parent' ? 'parent' : 'tutor')

/** The day on which a file is made. */
async function dayOfFile(services: Services, workspace: WorkspaceId): Promise<CalendarDay> {
  const timeZone = await services.db.readAsSystem((system) => documentTimeZone(system, workspace))
  return dayIn(services.now(), timeZone)
}

/** How accounts add up in each currency, the workspace's first. Without any accounts, its amounts are zero. */
function sumsOf(accounts: readonly (AccountName & { figures: Figures })[], own: Currency): Sum[] {
  const sums = byCurrency(accounts, own).map(({ currency, total }) => ({ currency, ...total }))
  return sums.length > 0 ? sums : [{ currency: own, ...totalOf([]) }]
}
