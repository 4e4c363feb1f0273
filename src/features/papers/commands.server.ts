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
import { readTutor } from '#features/tutors/queries.server.ts'
import { readCurrency } from '#features/workspaces/queries.server.ts'
import { refusedBy } from '#platform/db/constraint.server.ts'
import { runHeavy } from '#platform/http/heavy.server.ts'
import { notFound, ProblemError } from '#platform/http/problem.server.ts'
import { currentRegion } from '#platform/reader.server.ts'
import { TaskProcess } from '#platform/task-process.server.ts'
import {
  contentOf,
  currenciesOf,
  type FormKind,
  type LeftOut,
  PAPER_KINDS,
  type PaperContent,
  type PaperInput,
  paperNumber,
  type PaperSources,
} from './content.ts'
import { OBSTACLES, type Obstacle, type ObstacleCode, type Paper, type PaperPreview } from './paper.ts'
import type { PaperTask } from './printer.server.ts'
import { type Missing, missingFor, type Program } from './program.ts'
import { NO_PROVIDER, type ProviderDetails } from './provider.ts'
import { issueInName, readAllowance } from './permission-queries.server.ts'
import {
  insertPaper,
  type KeptPaper,
  readPapers,
  readPlaces,
  readProvider,
  readReopened,
  readSettlements,
  readSettlementsWith,
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

/** Why a caller can't make this kind of paper. */
export function wrongIn({ side }: MemberCaller, input: PaperInput): 'wrong_kind' | 'no_tutor' | undefined {
  const kinds: readonly FormKind[] = side === 'family' ? ['receipt', 'record'] : PAPER_KINDS
  if (!kinds.includes(input.kind)) return 'wrong_kind'
  return side === 'family' && !input.tutor_id ? 'no_tutor' : undefined
}

/** Reads what a paper would say. Throws a 404 for a student or tutor of another workspace (promise T1). */
export async function draftPaper(
  { member, timeZone }: Drafting,
  input: PaperInput,
  program: Program,
): Promise<Draft> {
  const today = dayIn(member.now, timeZone ?? 'UTC')
  const { sources, ...read } =
    member.side === 'family'
      ? await readOfFamily(member, input, today)
      : await readOfPractice(member, input, today)
  const { content, leftOut } = contentOf(input, sources)
  return {
    content,
    leftOut,
    obstacles: [...read.obstacles, ...(await obstaclesTo(member, sources, content))],
    // No program takes a family's own record, so there's nothing to check. Without permission, what the tutor typed
    // isn't known.
    missing:
      content.kind === 'record'
        ? []
        : missingFor(program, content).filter(
            ({ at }) => at !== 'provider' || !read.obstacles.some(({ code }) => code === 'not_allowed'),
          ),
    seen: seenOf(content),
  }
}

interface Read {
  sources: PaperSources
  obstacles: Obstacle[]
}

async function readOfPractice(
  { tx, workspace }: MemberCaller,
  { student_id: studentId, from, to }: PaperInput,
  today: CalendarDay,
): Promise<Read> {
  if (!(await readStudent(tx, workspace, studentId))) throw notFound()
  const { version: _, ...provider } = await readProvider(tx, workspace)
  const sessions = await listSessions(tx, workspace, { from, to, studentId }, MOST_LINES + 1)
  const { settlements, isTheirs, dueOn } = await readSettlements(tx, workspace, studentId, { to, today })
  const charges = (await listCharges(tx, workspace, from, to)).filter(
    (charge) => charge.student_id === studentId || (charge.student_id === null && isTheirs(charge)),
  )
  const currency = await readCurrency(tx, workspace)
  const { ways } = await readWays(tx, workspace)
  const remembered = await readPlaces(
    tx,
    workspace,
    sessions.map(({ id }) => id),
  )
  const sources: PaperSources = {
    today,
    region: currentRegion(),
    provider: provider satisfies ProviderDetails,
    currency,
    sessions,
    charges,
    settlements,
    dueOn,
    remembered,
    ways: ways.map((way) => {
      const { title, link, lines, text } = shownWay(way, { amount: cents(0), currency })
      const parts = [link?.href, ...lines.map(({ label, value }) => `${label}: ${value}`), text]
      return { title, text: parts.filter(Boolean).join('\n') }
    }),
    side: 'practice',
  }
  const isComplete = provider.legal_name && provider.address
  return { sources, obstacles: isComplete ? [] : [obstacle('provider_missing')] }
}

/** A receipt in a tutor's name has what their connection shares; a record has all that the family logged. */
async function readOfFamily(
  member: MemberCaller,
  { student_id: studentId, tutor_id, kind, from, to }: PaperInput,
  today: CalendarDay,
): Promise<Read> {
  const { tx, workspace } = member
  const tutorId = tutor_id ?? ''
  const tutor = await readTutor(tx, workspace, tutorId)
  if (!tutor || !(await readStudent(tx, workspace, studentId))) throw notFound()
  const isRecord = kind === 'record'
  const { connection, provider } = await readAllowance(member, tutorId)
  const sessions = await listSessions(tx, workspace, { from, to, studentId, tutorId }, MOST_LINES + 1)
  const { settlements, isTheirs } = await readSettlementsWith(tx, workspace, tutorId, today)
  const charges = (await listCharges(tx, workspace, from, to)).filter(
    (charge) =>
      charge.tutor_id === tutorId &&
      (charge.student_id === studentId || (charge.student_id === null && isTheirs(charge))),
  )
  const sources: PaperSources = {
    today,
    region: currentRegion(),
    provider: isRecord ? { ...NO_PROVIDER, legal_name: tutor.name } : (provider ?? NO_PROVIDER),
    currency: await readCurrency(tx, workspace),
    sessions,
    charges,
    settlements,
    dueOn: null,
    remembered: new Map(),
    ways: [],
    side: 'family',
    ...(!isRecord && { connection: connection ?? '' }),
  }
  if (isRecord) return { sources, obstacles: [] }
  if (!provider) return { sources, obstacles: [obstacle('not_allowed')] }
  if (provider.legal_name && provider.address) return { sources, obstacles: [] }
  const words = `${tutor.name} hasn’t typed a legal name and address yet. Ask them to.`
  return { sources, obstacles: [obstacle('provider_missing', words)] }
}

const obstacle = (code: ObstacleCode, message: string = OBSTACLES[code].title): Obstacle => ({
  code,
  message,
})

async function obstaclesTo(
  member: MemberCaller,
  sources: PaperSources,
  content: PaperContent,
): Promise<Obstacle[]> {
  const { kind, lessons, charges, from, to } = content
  const lines = [...lessons, ...charges]
  const connectionOf = new Map(
    [...sources.sessions, ...sources.charges].map(({ id, connection_id: own }) => [id, own]),
  )
  const currencies = currenciesOf(sources)
  const reopened = (await readReopened(member, from, to)).filter(({ connection_id: id, month }) =>
    lines.some((line) => monthOf(line.day) === month && connectionOf.get(line.id) === id),
  )
  const months = [...new Set(reopened.map(({ month }) => monthLabel(month)))].join(', ')
  const other = member.side === 'family' ? 'tutor' : 'family'
  return [
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
    ...(months && kind !== 'record'
      ? [obstacle('month_reopened', `${months} was reopened. Close it again with the ${other} first.`)]
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

type IssueRefusal =
  'changed' | 'fields_missing' | 'on_another' | 'already_replaced' | 'not_allowed' | 'wrong_kind' | 'no_tutor'

/**
 * Issues a paper with the next number of the year. Refuses if something on it has changed since it was shown, if the
 * program wants a field that the user doesn't know is missing, and if a lesson is on another valid paper of this
 * kind. Throws a ProblemError that names the obstacle, if there is one.
 */
export async function issuePaper(
  drafting: Drafting,
  { input, program, seen, knownMissing, replaces, unprintable }: Issuing,
): Promise<Outcome<Paper, IssueRefusal>> {
  const { member } = drafting
  const wrong = input.kind === 'record' ? 'wrong_kind' : wrongIn(member, input)
  if (wrong) return refused(wrong)
  const draft = await draftPaper(drafting, input, program)
  refuseObstacle([...draft.obstacles, ...fontObstacle(unprintable)])
  if (draft.seen !== seen) return refused('changed')
  if (draft.missing.some(({ field }) => !knownMissing.includes(field))) return refused('fields_missing')
  if (replaces && (await voidPaper(member, replaces.id, replaces.reason)) === undefined) throw notFound()
  const id = newId()
  const paper = { id, studentId: input.student_id, code: newCode(), content: draft.content }
  const kept = await refusedIssue(() =>
    keepPaper(drafting, input, { ...paper, replaces: replaces?.id ?? null }),
  )
  return kept ?? done(await shownPaper(member, id))
}

/** Throws a ProblemError that names what keeps a paper from being made, if anything does. */
export function refuseObstacle([first]: readonly Obstacle[]): void {
  if (first) throw new ProblemError(OBSTACLES[first.code].status, first.code, first.message)
}

/** What the database refuses, because someone else was faster. */
async function refusedIssue(issue: () => Promise<void>) {
  return refusedBy('papers_not_allowed', 'not_allowed', () =>
    refusedBy('papers_changed', 'changed', () =>
      refusedBy('papers_of_family_replaced_once', 'already_replaced', () =>
        refusedBy('papers_replaced_once', 'already_replaced', () =>
          refusedBy('papers_twice', 'on_another', issue),
        ),
      ),
    ),
  )
}

/** Stores a paper: a practice its own, a family one in its tutor's name. */
async function keepPaper(
  { member }: Drafting,
  input: PaperInput,
  paper: { id: string; studentId: string; code: string; content: PaperContent; replaces: string | null },
): Promise<void> {
  const { tx, workspace, now, side } = member
  if (side === 'family') {
    const { connection } = await readAllowance(member, input.tutor_id ?? '')
    if (!connection) throw notFound()
    await issueInName(member, { ...paper, connection })
    return
  }
  await insertPaper(tx, workspace, { ...paper, issuedAt: now })
  await rememberPlaces(tx, workspace, paper.content.lessons)
}

/** Declares a paper void. Refuses if it already is; throws a 404 if there's no such paper. */
export async function declareVoid(
  member: MemberCaller,
  id: string,
  reason: string,
): Promise<Outcome<Paper, 'already_void'>> {
  const isVoided = await voidPaper(member, id, reason)
  if (isVoided === undefined) throw notFound()
  return isVoided ? done(await shownPaper(member, id)) : refused('already_void')
}

async function shownPaper({ tx, workspace, side }: MemberCaller, id: string): Promise<Paper> {
  const [paper] = await readPapers(tx, workspace, side, id)
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
    is_by_family: kept.is_by_family,
    tutor_id: kept.tutor_id,
    provider: content.provider.legal_name,
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
