// The commands for a whole month: ask to close it, confirm the request, reopen it, and get its statement once
// both sides have confirmed everything. Accounts on both sides and the emailed page use these commands; the
// `Caller` argument identifies who is calling.
import { type CalendarDay, dayIn, daysOfMonth } from '#kernel/calendar-day.ts'
import { hours, type Minutes } from '#kernel/duration.ts'
import { cents, type Currency, dollars } from '#kernel/money.ts'
import { done, type Outcome, refused } from '#kernel/outcome.ts'
import { plainName } from '#kernel/plain-name.ts'
import type { CallerDb, EmailedLink } from '#features/access/db.server.ts'
import type { Side } from '#features/access/role.ts'
import { familyOf } from '#features/workspaces/sides.ts'
import type { Db } from '#platform/db/db.server.ts'
import { runHeavy } from '#platform/http/heavy.server.ts'
import { ProblemError } from '#platform/http/problem.server.ts'
import type { Caller } from '#features/access/admission.server.ts'
import { isValidAt, type Seal, sealPlan } from '#platform/pdf/seal.server.ts'
import { TaskProcess } from '#platform/task-process.server.ts'
import {
  type ClosedMonth,
  CloseMonth,
  inTheWay,
  isOver,
  latest,
  type MonthRows,
  notOverInWords,
  type Obstacle,
  obstacleInWords,
  standingOfMonth,
} from './closing.ts'
import { agreedText, type PasskeyProof } from './agreed.ts'
import { contentOf, factsOf, type MonthContent, monthFileName } from './month-page.ts'
import { keyInUse, signFile, signPage } from './key-commands.server.ts'
import type { PrintTask } from './printer.server.ts'
import { type SignedClosing } from './closing-queries.server.ts'
import {
  askOrClose,
  confirmedOfLink,
  newCode,
  type Parties,
  queueMonthNews,
  readMonth,
  reopen,
  senderOfLink,
  placeOfBoth,
  signedNames,
  signedSessions,
  signOff,
  withdraw,
} from './queries.server.ts'
import { shownCode } from './sign-off.ts'
import { isSignatureOf } from './signature-commands.server.ts'
import { pageText } from './signed-page.ts'
import { fileNameOf, type Statement, type StatementSession, totalsOfSessions } from './statement.ts'

/** One month of a connection, as one side sees it. */
interface MonthOf {
  connectionId: string
  month: string
  /** What this side calls the other side. */
  otherName: string | null
}

/** Why a month can't be closed, along with the specific items blocking it, if any. */
type CloseRefusal =
  | { ok: false; reason: 'nothing_to_close' | 'not_over' | 'changed' | 'other_closed' }
  | { ok: false; reason: 'still_open'; obstacles: Obstacle[] }

/**
 * Asks the other side to close a month, or closes it if the other side already asked. Returns undefined if
 * the caller isn't one of its two sides. Nothing changes if this side already asked or the month is closed.
 * Refuses if the month isn't over, has nothing in it, or still has something the sides don't agree
 * on.
 * @param proof this side's signature of its answer, if it signs. It's refused as `changed` if it isn't of what the page
 * says now
 * @param seen the version that the caller saw, so that a late tap can't close a month that has since been
 * reopened or whose request has been withdrawn
 */
export async function closeMonth(
  { tx, now }: Caller,
  { connectionId, month, otherName }: MonthOf,
  { db, baseUrl }: { db: Db; baseUrl: string },
  { seen, proof }: { seen?: number | undefined; proof?: PasskeyProof | undefined } = {},
): Promise<{ ok: true; value: ClosedMonth } | CloseRefusal | undefined> {
  const rows = await readMonth(tx, connectionId, month, true)
  if (!rows) return undefined
  const closing = latest(rows.closings)
  if (hasAnswered(rows))
    return proof ? refused('changed') : done(standingOfMonth(connectionId, otherName, rows, month, now))
  const refusal = refusalOf(rows, month, now)
  if (refusal) return refusal
  if (seen !== undefined && closing?.state !== 'asked' && seen !== (closing?.version ?? 0))
    return refused('changed')
  const content = contentNow(rows, month, { baseUrl, now, proof })
  if (proof && content.proofs?.[rows.side] !== proof) return refused('changed')
  const signed = closing?.state === 'asked' ? signPage(await keyInUse(db, now), pageText(content)) : undefined
  const state = await askOrClose(tx, connectionId, month, content, signed)
  await queueMonthNews(tx, connectionId, month, state)
  return done(await newStanding({ tx, now }, { connectionId, month, otherName }))
}

/** The month's page if this side's answer, now, closes the month. Signatures of anything else aren't for this page. */
function contentNow(
  rows: MonthRows,
  month: string,
  { baseUrl, now, proof }: { baseUrl: string; now: Date; proof: PasskeyProof | undefined },
): MonthContent {
  const closing = latest(rows.closings)
  const asked = closing?.state === 'asked' ? closing : undefined
  const text = agreedText(factsOf(rows, month))
  const own = (one: PasskeyProof | null | undefined, side: Side) =>
    one && isSignatureOf(one, text) && { [side]: one }
  const code = newCode()
  return contentOf(rows, month, {
    askedBy: asked?.asked_by ?? rows.side,
    askedAt: asked?.asked_at ?? now.toISOString(),
    closedAt: now.toISOString(),
    code,
    url: `${baseUrl}/verify/${shownCode(code)}`,
    proofs: { ...(asked && own(asked.asked_proof, asked.asked_by)), ...own(proof, rows.side) },
  })
}

/**
 * What this side would agree to by asking to close a month, or by confirming that. Refuses if it can't be closed now.
 * Returns undefined if the caller isn't one of its two sides.
 */
export async function textToSign(
  { tx, now }: Caller,
  { connectionId, month }: MonthOf,
): Promise<{ ok: true; value: string } | CloseRefusal | undefined> {
  const rows = await readMonth(tx, connectionId, month)
  if (!rows) return undefined
  if (hasAnswered(rows)) return refused('changed')
  return refusalOf(rows, month, now) ?? done(agreedText(factsOf(rows, month)))
}

/** Whether this side has nothing left to say: it asked, or the month is closed. */
function hasAnswered({ side, closings }: MonthRows): boolean {
  const closing = latest(closings)
  return closing?.state === 'closed' || (closing?.state === 'asked' && closing.asked_by === side)
}

function refusalOf(rows: MonthRows, month: string, now: Date): CloseRefusal | undefined {
  if (rows.is_other_closed) return refused('other_closed')
  if (!isOver(month, now)) return refused('not_over')
  const obstacles = inTheWay(rows, month)
  if (obstacles.length > 0) return { ...refused('still_open'), obstacles }
  const isIn = ({ day }: { day: string }) => day.startsWith(month)
  return [...rows.sessions, ...rows.payments, ...rows.charges].some(isIn)
    ? undefined
    : refused('nothing_to_close')
}

/**
 * Withdraws this side's request to close a month. Returns undefined if the caller isn't one of its two sides.
 * Refuses if the other side already confirmed or this side didn't ask. If the email about the request hasn't
 * been sent yet, cancels it.
 */
export async function withdrawMonth(
  { tx, now }: Caller,
  { connectionId, month, otherName }: MonthOf,
): Promise<Outcome<ClosedMonth, 'already_closed' | 'not_asked' | 'other_closed'> | undefined> {
  const rows = await readMonth(tx, connectionId, month, true)
  if (!rows) return undefined
  if (rows.is_other_closed) return refused('other_closed')
  const was = await withdraw(tx, connectionId, month)
  if (was !== 'asked') return refused(was === 'closed' ? 'already_closed' : 'not_asked')
  return done(await newStanding({ tx, now }, { connectionId, month, otherName }))
}

/**
 * Reopens a closed month for both sides and notifies the other side. Returns undefined if the caller isn't
 * one of its two sides. Refuses if the month isn't closed.
 */
export async function reopenMonth(
  { tx, now }: Caller,
  { connectionId, month, otherName }: MonthOf,
  reason: string,
): Promise<Outcome<ClosedMonth, 'not_closed' | 'other_closed'> | undefined> {
  const rows = await readMonth(tx, connectionId, month, true)
  if (!rows) return undefined
  if (rows.is_other_closed) return refused('other_closed')
  if (!(await reopen(tx, connectionId, month, reason, now))) return refused('not_closed')
  await queueMonthNews(tx, connectionId, month, 'reopened')
  return done(await newStanding({ tx, now }, { connectionId, month, otherName }))
}

async function newStanding(
  { tx, now }: Pick<Caller, 'tx' | 'now'>,
  { connectionId, month, otherName }: MonthOf,
): Promise<ClosedMonth> {
  const rows = await readMonth(tx, connectionId, month)
  if (!rows) throw new Error('a month that was just written is not there')
  return standingOfMonth(connectionId, otherName, rows, month, now)
}

/** Returns why the month can't be closed, or throws if the message has to name the month or the obstacles. */
export function refusedToClose(
  refusal: CloseRefusal,
  { month, otherName }: MonthOf,
  side: Side,
): Exclude<CloseRefusal, { reason: 'still_open' }> {
  if (refusal.reason === 'not_over') throw new ProblemError(409, 'not_over', notOverInWords(month))
  if (refusal.reason !== 'still_open') return refusal
  const other = otherName ?? (side === 'family' ? 'the tutor' : 'the family')
  throw new ProblemError(409, 'still_open', CloseMonth.refusals.still_open?.title ?? '', {
    errors: refusal.obstacles.map((one) => ({
      field: `${one.what}s`,
      message: obstacleInWords(one, other),
    })),
  })
}

/** A month with its codes formatted so that they're easy to read aloud. */
export function withShownCodes(month: ClosedMonth): ClosedMonth {
  return {
    ...month,
    code: month.code && shownCode(month.code),
    earlier: month.earlier.map((one) => ({ ...one, code: shownCode(one.code) })),
  }
}

/**
 * A statement with a year of sessions takes 0.9 s of CPU time on a shared core, and the longest possible
 * statement takes several times that.
 */
const PRINTER_LIMITS = { deadlineMs: 30_000, mostWaiting: 24, mostWaitingPerAccount: 4, isHeavy: true }
const printer = new TaskProcess<PrintTask>(new URL('printer.server.ts', import.meta.url), PRINTER_LIMITS)

/** Creates a file in the printer's process. For `limitKey` and the errors this throws, see `runHeavy`. */
export async function print(limitKey: string, task: PrintTask): Promise<Buffer> {
  const bytes = await runHeavy<PrintTask, Uint8Array>(printer, limitKey, task)
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
}

/**
 * A closed month's page as a file, which is the same for both sides, byte for byte, as long as the server signs
 * with the same key and certificate. For `limitKey`, see `print`.
 */
export async function closedMonthFile(
  limitKey: string,
  { db, now, seal: given }: { db: Db; now: () => Date; seal?: Seal },
  { month, content, time_zone: timeZone, signed }: SignedClosing,
): Promise<NamedFile> {
  const page = { ...content, time_zone: timeZone ?? 'UTC' }
  const key = await keyInUse(db, now())
  // Viewers call a seal by an expired certificate a problem, but a file without one is as good as ever.
  const seal = given && isValidAt(given, now()) ? given : undefined
  const plan = seal && sealPlan(seal, new Date(content.closed_at))
  const pdf = await print(limitKey, { month: page, signed, seal: plan })
  return { name: monthFileName(month), bytes: signFile(key, pdf, seal) }
}

export interface NamedFile {
  name: string
  bytes: Buffer
}

/** What's in a confirmed month's statement: its sessions, without anything private. */
interface ConfirmedMonth {
  month: string
  /** The names of the records' owner and the tutor. */
  holder: string
  tutor: string
  currency: Currency
  sessions: StatementSession[]
  /** The time when the second side finished confirming everything. */
  moment: Date
  /** What the moment's date is written in. */
  timeZone: string
  /** How dates and amounts are written (ISO 3166); null if unknown. */
  region: string | null
  verification?: Statement['verification']
}

/** A signed-off month's code, and the URL where it can be checked. */
export function verificationOf(baseUrl: string, code: string): Statement['verification'] {
  return { code: shownCode(code), url: `${baseUrl}/verify/${shownCode(code)}` }
}

/** The statement for a month that both sides confirmed. For `limitKey`, see `print`. */
async function confirmedMonthFile(limitKey: string, content: ConfirmedMonth): Promise<NamedFile> {
  const { month, holder, tutor, currency, sessions, moment, timeZone, region, verification } = content
  const days = daysOfMonth(month)
  const statement: Statement = {
    holder,
    role: 'parent',
    about: { kind: 'Tutor', name: tutor },
    ...days,
    madeOn: dayIn(moment, timeZone),
    currency,
    sessions,
    totals: totalsOfSessions(sessions, currency),
    verification,
  }
  const bytes = await print(limitKey, { statement, paper: 'letter', now: moment, region })
  return { name: fileNameOf(days.from, days.to, `${tutor} signed`, 'pdf'), bytes }
}

/** A session in a confirmed month, with the fields that its statement needs. */
interface ConfirmedSession {
  id: string
  child_id: string | null
  first_name: string | null
  day: string
  minutes: number
  rate_override_cents: number | null
  tutor_rate_cents: number | null
  lesson_price_cents: number | null
  lesson_price_minutes: number | null
  total_cents: number | null
  subject: string | null
  makes_up: string | null
}

/**
 * The signed-off statement, which is the same for both sides, byte for byte; undefined until everything is
 * confirmed. For `limitKey`, see `print`.
 */
export async function signedStatement(
  limitKey: string,
  { db, baseUrl, now }: { db: Db; baseUrl: string; now: () => Date },
  parties: Parties,
  month: string,
): Promise<NamedFile | undefined> {
  const content = await db.asSystem(async (system) => {
    const signed = await signOff(system, parties, month, now())
    const names = await signedNames(system, parties)
    if (!signed || !names) return undefined
    const place = await placeOfBoth(system, parties)
    return { signed, names, place, rows: await signedSessions(system, parties, month) }
  })
  if (!content) return undefined
  const { signed, names, place, rows } = content
  return confirmedMonthFile(limitKey, {
    month,
    ...names,
    sessions: rows.map((row) => confirmedSession(row, names)),
    moment: signed.signedAt,
    ...place,
    verification: verificationOf(baseUrl, signed.code),
  })
}

/**
 * The statement of a month for an emailed link, if only the tutor has an account; undefined until everything
 * is confirmed. It's the same as with an account, except that it has no code. For `limitKey`, see `print`.
 */
export async function emailedStatement(
  limitKey: string,
  { db }: { db: CallerDb },
  link: EmailedLink,
  month: string,
): Promise<NamedFile | undefined> {
  const place = await db.readAsSystem((system) => placeOfBoth(system, link))
  const { sender, sessions } = await db.readAsLink(link, async (tx) => ({
    sender: await senderOfLink(tx),
    sessions: await confirmedOfLink(tx, month),
  }))
  const [first] = sessions ?? []
  if (!first || !sessions) return undefined
  const names = { tutor: sender.name ?? 'Tutor', currency: first.currency }
  return confirmedMonthFile(limitKey, {
    month,
    holder: familyOf(null, sender.firstNames),
    ...names,
    sessions: sessions.map((row) => confirmedSession(row, names)),
    moment: new Date(Math.max(...sessions.map((row) => row.updated_at.getTime()))),
    ...place,
  })
}

/** Converts a confirmed session to the form that statements use. */
function confirmedSession(
  row: ConfirmedSession,
  names: { tutor: string; currency: Currency },
): StatementSession {
  const inDollars = (amount: number | null) => (amount === null ? null : dollars(cents(amount)))
  return {
    student_id: row.child_id,
    student_name: plainName(row.first_name, '') || null,
    tutor_id: null,
    tutor_name: names.tutor,
    date: row.day as CalendarDay,
    duration: hours(row.minutes as Minutes),
    effective_rate: inDollars(row.rate_override_cents ?? row.tutor_rate_cents),
    lesson_price: inDollars(row.lesson_price_cents),
    lesson_minutes: row.lesson_price_minutes,
    total_amount: inDollars(row.total_cents),
    currency: names.currency,
    subject: row.subject,
    makes_up: row.makes_up,
    own_confirmation: 'confirmed',
    other_confirmation: 'confirmed',
    is_shared: true,
    deletion_asked_by: null,
  }
}
