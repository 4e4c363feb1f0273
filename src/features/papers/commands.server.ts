// The commands for papers: preview one, issue it, void it.
import { createHash } from 'node:crypto'
import { type CalendarDay, dayIn, formatDay, monthOf } from '#kernel/calendar-day.ts'
import { hours } from '#kernel/duration.ts'
import { newId } from '#kernel/id.ts'
import { cents, dollars } from '#kernel/money.ts'
import { monthLabel } from '#kernel/month.ts'
import { done, type Outcome, refused } from '#kernel/outcome.ts'
import type { MemberCaller } from '#features/access/admission.server.ts'
import { listCharges } from '#features/charges/queries.server.ts'
import { newCode } from '#features/months/queries.server.ts'
import { shownCode } from '#features/months/sign-off.ts'
import { shownWay } from '#features/payments/payment-way.ts'
import { readWays } from '#features/payments/way-queries.server.ts'
import { listSessions } from '#features/sessions/queries.server.ts'
import { readStudent } from '#features/students/queries.server.ts'
import { readCurrency } from '#features/workspaces/queries.server.ts'
import { refusedBy } from '#platform/db/constraint.server.ts'
import { runHeavy } from '#platform/http/heavy.server.ts'
import { notFound, ProblemError } from '#platform/http/problem.server.ts'
import { currentRegion } from '#platform/reader.server.ts'
import { TaskProcess } from '#platform/task-process.server.ts'
import {
  contentOf,
  currenciesOf,
  type LeftOut,
  type PaperContent,
  type PaperInput,
  paperNumber,
  type PaperSources,
} from './content.ts'
import { OBSTACLES, type Obstacle, type ObstacleCode, type Paper, type PaperPreview } from './paper.ts'
import type { PaperTask } from './printer.server.ts'
import { type Missing, missingFor, type Program } from './program.ts'
import type { ProviderDetails } from './provider.ts'
import {
  insertPaper,
  type KeptPaper,
  readPapers,
  readPlaces,
  readProvider,
  readReopened,
  readSettlements,
  rememberPlaces,
  voidPaper,
} from './queries.server.ts'

const MOST_LINES = 500

/** A paper that could be issued: what it would say, and what keeps it from being issued. */
interface Draft {
  content: PaperContent
  leftOut: LeftOut[]
  obstacles: Obstacle[]
  missing: Missing[]
  seen: string
}

/** Who drafts a paper: a member, and the time zone that today is in. */
export interface Drafting {
  member: MemberCaller
  timeZone: string | null
}

/** Reads what a paper would say. Throws a 404 for a student of another practice (promise T1). */
export async function draftPaper(
  { member, timeZone }: Drafting,
  input: PaperInput,
  program: Program,
): Promise<Draft> {
  const sources = await readSources(member, input, dayIn(member.now, timeZone ?? 'UTC'))
  const { content, leftOut } = contentOf(input, sources)
  return {
    content,
    leftOut,
    obstacles: await obstaclesTo(member, sources, content),
    missing: missingFor(program, content),
    seen: seenOf(content),
  }
}

async function readSources(
  { tx, workspace }: MemberCaller,
  { student_id: studentId, from, to }: PaperInput,
  today: CalendarDay,
): Promise<PaperSources & { connectionOf: Map<string, string | null> }> {
  if (!(await readStudent(tx, workspace, studentId))) throw notFound()
  const { version: _, ...provider } = await readProvider(tx, workspace)
  const sessions = await listSessions(tx, workspace, { from, to, studentId }, MOST_LINES + 1)
  const { settlements, onlyTheirs, dueOn } = await readSettlements(tx, workspace, studentId, { to, today })
  const charges = (await listCharges(tx, workspace, from, to)).filter(
    (charge) =>
      charge.student_id === studentId ||
      (charge.student_id === null && charge.connection_id && onlyTheirs.has(charge.connection_id)),
  )
  const currency = await readCurrency(tx, workspace)
  const { ways } = await readWays(tx, workspace)
  return {
    today,
    region: currentRegion(),
    provider: provider satisfies ProviderDetails,
    currency,
    sessions,
    charges,
    settlements,
    dueOn,
    remembered: await readPlaces(
      tx,
      workspace,
      sessions.map(({ id }) => id),
    ),
    ways: ways.map((way) => {
      const { title, link, lines, text } = shownWay(way, { amount: cents(0), currency })
      const parts = [link?.href, ...lines.map(({ label, value }) => `${label}: ${value}`), text]
      return { title, text: parts.filter(Boolean).join('\n') }
    }),
    connectionOf: new Map([...sessions, ...charges].map(({ id, connection_id: own }) => [id, own])),
  }
}

async function obstaclesTo(
  { tx, workspace }: MemberCaller,
  sources: PaperSources & { connectionOf: Map<string, string | null> },
  content: PaperContent,
): Promise<Obstacle[]> {
  const { provider, lessons, charges, from, to } = content
  const lines = [...lessons, ...charges]
  const currencies = currenciesOf(sources)
  const reopened = (await readReopened(tx, workspace, from, to)).filter(({ connection_id: id, month }) =>
    lines.some((line) => monthOf(line.day) === month && sources.connectionOf.get(line.id) === id),
  )
  const months = [...new Set(reopened.map(({ month }) => monthLabel(month)))].join(', ')
  const obstacle = (code: ObstacleCode, message: string = OBSTACLES[code].title): Obstacle => ({
    code,
    message,
  })
  return [
    ...(provider.legal_name && provider.address ? [] : [obstacle('provider_missing')]),
    ...(lines.length === 0 ? [obstacle('nothing_on_it')] : []),
    ...(sources.sessions.length > MOST_LINES || lines.length > MOST_LINES ? [obstacle('too_long')] : []),
    ...(currencies.length > 1
      ? [
          obstacle(
            'mixed_currencies',
            `The lessons and charges on these days are in ${currencies.join(' and ')}. Choose days with one currency.`,
          ),
        ]
      : []),
    ...(months
      ? [obstacle('month_reopened', `${months} was reopened. Close it again with the family first.`)]
      : []),
  ]
}

/** Stands for a draft's lines and sums, so that nothing is issued that nobody saw. */
function seenOf({ currency, lessons, charges, payments, sums }: PaperContent): string {
  const lines = lessons.map((lesson) => ({ ...lesson, place: null }))
  return createHash('sha256')
    .update(JSON.stringify([currency, lines, charges, payments, sums]))
    .digest('hex')
    .slice(0, 32)
}

export function toPreview({ content, leftOut, obstacles, missing, seen }: Draft): PaperPreview {
  const { lessons, charges, payments, sums } = content
  return {
    currency: content.currency,
    lessons: lessons.map(({ day: date, minutes, amount_cents: amount, ...lesson }) => ({
      ...lesson,
      date,
      duration: hours(minutes),
      amount: amount === null ? null : dollars(amount),
    })),
    charges: charges.map(({ day: date, amount_cents: amount, ...charge }) => ({
      ...charge,
      date,
      amount: dollars(amount),
    })),
    payments: payments.map(({ day: date, amount_cents: amount, ...payment }) => ({
      ...payment,
      date,
      amount: dollars(amount),
    })),
    total: dollars(sums.total),
    paid: dollars(sums.paid),
    due: dollars(sums.due),
    due_on: content.due_on,
    left_out: leftOut.map(({ day: date, ...one }) => ({ ...one, date })),
    obstacles,
    missing,
    seen,
  }
}

/** Names the text that no font can print, if there is one. */
export function fontObstacle(unprintable: readonly string[]): Obstacle[] {
  const [text] = unprintable
  if (text === undefined) return []
  return [
    {
      code: 'no_font',
      message: `“${text.slice(0, 60)}” has letters that can’t be printed. Write it in other letters, as on a passport.`,
    },
  ]
}

interface Issuing {
  input: PaperInput
  program: Program
  seen: string
  knownMissing: readonly string[]
  replaces: { id: string; reason: string } | undefined
  /** Texts of the paper that no font can print. */
  unprintable: readonly string[]
}

type IssueRefusal = 'changed' | 'fields_missing' | 'on_another' | 'already_replaced'

/**
 * Issues a paper with the next number of the year. Refuses if something on it has changed since it was shown, if the
 * program wants a field that the user doesn't know is missing, and if a lesson is on another valid paper of this
 * kind. Throws a ProblemError that names the obstacle, if there is one.
 */
export async function issuePaper(
  drafting: Drafting,
  { input, program, seen, knownMissing, replaces, unprintable }: Issuing,
): Promise<Outcome<Paper, IssueRefusal>> {
  const { tx, workspace, now } = drafting.member
  const draft = await draftPaper(drafting, input, program)
  const [obstacle] = [...draft.obstacles, ...fontObstacle(unprintable)]
  if (obstacle) throw new ProblemError(OBSTACLES[obstacle.code].status, obstacle.code, obstacle.message)
  if (draft.seen !== seen) return refused('changed')
  if (draft.missing.some(({ field }) => !knownMissing.includes(field))) return refused('fields_missing')
  if (replaces && (await voidPaper(tx, workspace, replaces.id, replaces.reason, now)) === undefined)
    throw notFound()
  const id = newId()
  const paper = {
    id,
    kind: input.kind,
    studentId: input.student_id,
    code: newCode(),
    content: draft.content,
    replaces: replaces?.id ?? null,
    issuedAt: now,
  }
  const kept = await refusedBy('papers_replaced_once', 'already_replaced', () =>
    refusedBy('papers_twice', 'on_another', () => insertPaper(tx, workspace, paper)),
  )
  if (kept) return kept
  await rememberPlaces(tx, workspace, draft.content.lessons)
  return done(await shownPaper(drafting.member, id))
}

/** Declares a paper void. Refuses if it already is; throws a 404 if there's no such paper. */
export async function declareVoid(
  member: MemberCaller,
  id: string,
  reason: string,
): Promise<Outcome<Paper, 'already_void'>> {
  const isVoided = await voidPaper(member.tx, member.workspace, id, reason, member.now)
  if (isVoided === undefined) throw notFound()
  return isVoided ? done(await shownPaper(member, id)) : refused('already_void')
}

async function shownPaper({ tx, workspace }: MemberCaller, id: string): Promise<Paper> {
  const [paper] = await readPapers(tx, workspace, id)
  if (!paper) throw notFound()
  return toPaper(paper)
}

export function toPaper(kept: KeptPaper): Paper {
  const { content } = kept
  const days = [...content.lessons, ...content.charges].map(({ day }) => day).sort()
  return {
    id: kept.id,
    kind: kept.kind,
    number: paperNumber(kept),
    student_id: kept.student_id,
    child_name: content.child.name,
    program: content.program,
    issued_on: kept.issued_on,
    first_day: days[0] ?? content.from,
    last_day: days.at(-1) ?? content.to,
    total: dollars(content.sums.total),
    due: dollars(content.sums.due),
    currency: content.currency,
    code: shownCode(kept.code),
    voided_at: kept.voided_at?.toISOString() ?? null,
    void_reason: kept.void_reason,
    replaces: kept.replaces && paperNumber(kept.replaces),
    replaced_by: kept.replaced_by && paperNumber(kept.replaced_by),
    reopened_since: kept.reopened_since,
  }
}

/** A paper is one child's: drawing it takes a fraction of a second, and a year of lessons no more than two. */
const printer = new TaskProcess<PaperTask>(new URL('printer.server.ts', import.meta.url), {
  deadlineMs: 30_000,
  mostWaiting: 24,
  mostWaitingPerAccount: 4,
  isHeavy: true,
})

/** Draws a paper in the printer's process. For `limitKey` and the errors this throws, see `runHeavy`. */
export async function print(limitKey: string, task: PaperTask): Promise<Buffer> {
  const bytes = await runHeavy<PaperTask, Uint8Array>(printer, limitKey, task)
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
}

/** Which of these texts no font can print. Plain letters need no process. */
export async function unprintable(limitKey: string, texts: readonly string[]): Promise<string[]> {
  const others = [...new Set(texts)].filter((text) => !/^[\n\x20-\x7e]*$/.test(text))
  if (others.length === 0) return []
  return JSON.parse((await print(limitKey, { texts: others })).toString()) as string[]
}

/** The day a paper was voided, for its PDF and its page. */
export const voidedOn = (moment: Date, timeZone: string | null) =>
  formatDay(dayIn(moment, timeZone ?? 'UTC'), { month: 'short', day: 'numeric', year: 'numeric' })
