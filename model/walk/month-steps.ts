// The steps with closed months, and what both sides keep of them.
import assert from 'node:assert/strict'
import type { Answer as Reply } from '#main/testing.server.ts'
import { commands } from '../commands.ts'
import { accountWith, figuresOf, type Line, typeOf } from '../ledger.ts'
import { entriesIn, latest, openIn, stateOf } from '../months.ts'
import { answerOf, standingOf } from '../kinds.ts'
import {
  type Caller,
  type Closing,
  type Figures,
  isLink,
  isOpen,
  isSession,
  type Link,
  otherSide,
  type Outcome,
  type Side,
  SIDES,
  type Workspace,
} from '../terms.ts'
import { barred } from '../world.ts'
import { aSeat, speakerOf } from './callers.ts'
import { compareBoth, compareOutcome } from './compare.ts'
import { agreeTo, whoIs } from './entry-steps.ts'
import { day, forgetLimits, MONTHS, server, steps, world } from './here.ts'
import { openPage, send } from './operations.ts'

const { chance, pick, oneOf } = steps
type Seen = Record<string, unknown>
const ACTIONS = { close: 'CloseMonth', reopen: 'ReopenMonth', withdraw: 'WithdrawMonth' } as const

/** The page of a closed month that the sides have received. */
interface Kept {
  link: Link
  /** The connection's sides, as long as it was open. */
  sides: (Workspace | null)[]
  closing: Closing
  code: string
  body: object
  pdf: Buffer
}
const kept: Kept[] = []

const anOpenLink = () => pick(world.links.filter((link) => isOpen(link) && link.state === 'active'))
/** A connection and one of its months in this state, if there are any. */
function aMonth(state: Closing['state']): { link: Link | undefined; closing?: Closing } {
  const found = world.links.flatMap((link) =>
    link.closings.filter((one) => one.state === state).map((closing) => ({ link, closing })),
  )
  return (chance(0.85) ? pick(found) : undefined) ?? { link: chance(0.95) ? anOpenLink() : pick(world.links) }
}
/** Mostly somebody who speaks for a side of a connection, sometimes anybody. */
const aSpeaker = (link: Link, side: Side): Caller | undefined =>
  chance(0.05) ? aSeat() : speakerOf(link, side)

async function onMonth(
  action: keyof typeof ACTIONS,
  caller: Caller | undefined,
  link: Link | undefined,
  month: string,
): Promise<Reply | undefined> {
  if (!caller || !link) return undefined
  const reason = action === 'reopen' ? { reason: 'A lesson was missing' } : {}
  const outcome: Outcome =
    (isLink(caller) ? undefined : barred(caller, 'connections')) ??
    commands[action](world, caller, link, month)
  const body = { connection_id: link.id, month, ...reason }
  const reply = await send(caller, ACTIONS[action], { body })
  compareOutcome(outcome, reply, `${whoIs(caller)}: ${action} ${month}`)
  if (outcome.open) {
    const fields = new Set(reply.body.errors?.map(({ field }) => field))
    const expected = (['session', 'payment'] as const).filter((kind) => outcome.open?.[kind])
    assert.deepEqual(
      [...fields],
      expected.map((kind) => `${kind}s`),
    )
  }
  const closing = latest(link, month)
  if (closing?.state === 'closed' && !kept.some((one) => one.closing === closing))
    await keepPage(link, closing)
  await compareMonthOf(link, month)
  return reply
}
export async function close(): Promise<void> {
  const { link, closing } = aMonth('asked')
  const side = closing && chance(0.8) ? otherSide(closing.by) : oneOf(SIDES)
  if (link) await onMonth('close', aSpeaker(link, side), link, closing?.month ?? oneOf(MONTHS))
}
export async function reopen(): Promise<void> {
  const { link, closing } = aMonth('closed')
  if (link) await onMonth('reopen', aSpeaker(link, oneOf(SIDES)), link, closing?.month ?? oneOf(MONTHS))
}
export async function withdraw(): Promise<void> {
  const { link, closing } = aMonth('asked')
  if (link) await onMonth('withdraw', aSpeaker(link, oneOf(SIDES)), link, closing?.month ?? oneOf(MONTHS))
}
/** Both sides agree on everything in a month, and usually close it. */
export async function settle(): Promise<void> {
  const link = anOpenLink()
  const [family, practice] = link ? SIDES.map((side) => speakerOf(link, side)) : []
  if (!link || !family || !practice) return
  const month = oneOf(MONTHS)
  for (const entry of entriesIn(world, link, month)) {
    if (entry.facts.day > day(1)) continue
    if (entry.deletion) await agreeTo(isLink(family) ? practice : family, entry, 'Keep')
    for (const [side, caller] of [['family', family] as const, ['practice', practice] as const])
      if (answerOf(entry, side) !== 'confirmed') await agreeTo(caller, entry, 'Confirm')
  }
  await compareBoth(link)
  for (const caller of chance(0.5) ? [family, practice] : [practice, family])
    if (chance(0.85)) await onMonth('close', caller, link, month)
}

// What both sides see.

const dollars = (cents: number) => cents / 100
const figuresInDollars = (figures: Figures) => ({
  carried_over: dollars(figures.carriedOver),
  sessions_amount: dollars(figures.sessions),
  covered_amount: dollars(figures.covered),
  other_amount: dollars(figures.other),
  paid_amount: dollars(figures.paid),
  balance: dollars(figures.balance),
  hours_left: figures.left / 60,
})
const lineInDollars = ({ entry, charged, paid, covered, balance, left }: Line) => ({
  id: entry.id,
  kind: typeOf(entry),
  covered_hours: covered / 60,
  charged: dollars(charged),
  paid: dollars(paid),
  balance: dollars(balance),
  hours_left: left / 60,
  standing: standingOf(entry),
})
const chosen = (item: object, names: object) =>
  Object.fromEntries(Object.keys(names).map((name) => [name, (item as Seen)[name]]))

/** Compares a month's state and figures with what each side sees. */
async function compareMonthOf(link: Link, month: string): Promise<void> {
  if (link.state !== 'active') return
  const live = figuresOf(accountWith(world, link), month)
  const closing = latest(link, month)
  // A closed month keeps the figures on its page. Later changes to earlier months are shown separately.
  const figures = (closing?.state === 'closed' ? closing.page?.figures : undefined) ?? live
  const open = openIn(world, link, month)
  const entries = entriesIn(world, link, month)
  const sessions = entries.filter(isSession).length
  for (const side of SIDES) {
    const caller = speakerOf(link, side)
    if (!caller) continue
    const months = isLink(caller)
      ? ((await openPage(link))?.month ?? []).filter((one) => one.month === month)
      : ((await send(caller, 'ListMonths', { query: `?month=${month}` })).body.months as Seen[])
    const shown = months.find((one) => one.connection_id === link.id)
    const expected = {
      state: stateOf(link, month, side),
      sessions,
      payments: entries.length - sessions,
      open_sessions: open.session,
      open_payments: open.payment,
      sessions_amount: dollars(figures.sessions),
      paid_amount: dollars(figures.paid),
      carried_over: dollars(figures.carriedOver),
      balance: dollars(figures.balance),
      balance_now: live.balance === figures.balance ? null : dollars(live.balance),
    }
    // An emailed page lists only months with entries.
    if (shown || !isLink(caller)) assert.deepEqual(chosen(shown ?? {}, expected), expected, month)
  }
}
/** Compares an account's figures and lines with both sides' API responses. */
async function compareAccount(link: Link, month: string): Promise<void> {
  if (link.state !== 'active') return
  const lines = accountWith(world, link)
  const live = figuresOf(lines, month)
  const figures = { ...figuresInDollars(live), on_its_way_amount: dollars(live.onItsWay) }
  const within = lines.filter(({ entry }) => entry.facts.day.startsWith(month)).map(lineInDollars)
  for (const side of SIDES) {
    const caller = speakerOf(link, side)
    if (!caller || isLink(caller)) continue
    const { body } = await send(caller, 'ReadLedger', { query: `?month=${month}&with=${link.id}` })
    const shown = body as unknown as { balance: object; lines: object[] }
    assert.deepEqual(chosen(shown.balance, figures), figures, `what the ${side} reads of ${month}`)
    assert.deepEqual(
      shown.lines.map((line, at) => chosen(line, within[at] ?? {})),
      within,
      `the lines that the ${side} reads of ${month}`,
    )
  }
}

/** The owners of these workspaces whose account is open. */
const ownersOf = (sides: (Workspace | null)[]) =>
  world.members.filter(
    ({ role, workspace, account }) => role === 'owner' && sides.includes(workspace) && !account.isClosed,
  )
/**
 * Checks the page of a month that was just closed: its figures must match those at the time of closing, and both
 * sides must get the same bytes.
 */
async function keepPage(link: Link, closing: Closing): Promise<void> {
  const { page } = closing
  assert.ok(page)
  const query = `?connection_id=${link.id}&month=${closing.month}`
  const bodies: Seen[] = []
  const pdfs: Buffer[] = []
  await forgetLimits()
  const sides = [link.family, link.practice]
  for (const who of ownersOf(sides)) {
    bodies.push((await send(who, 'ReadPage', { query })).body)
    pdfs.push((await send(who, 'DownloadPage', { query })).bytes)
  }
  const [body, other = body] = bodies
  const [pdf = Buffer.of(), theirs = pdf] = pdfs
  if (!body) return
  assert.deepEqual(body, other)
  assert.ok(pdf.equals(theirs) && pdf.length > 1000, 'the same bytes')
  const figures = figuresInDollars(page.figures)
  assert.deepEqual(chosen(body, figures), figures, 'the figures of the page')
  const lines = [...(body.sessions as Seen[]), ...(body.payments as Seen[])].map(pageLine)
  assert.deepEqual(lines.sort(), [...page.lines].map(([id, line]) => `${id} ${line}`).sort())
  kept.push({ link, sides, closing, code: String(body.code), body: frozen(body), pdf })
}
function pageLine(row: Seen): string {
  const scaled = (value: unknown, by: number) => (value === null ? null : Math.round(Number(value) * by))
  const facts =
    'kind' in row
      ? [row.date, row.kind, scaled(row.amount, 100), scaled(row.hours, 60)]
      : [
          row.date,
          scaled(row.duration, 60),
          scaled(row.rate, 100),
          scaled(row.total_amount, 100),
          row.subject,
        ]
  return `${String(row.id)} ${facts.join()}`
}
const frozen = ({ state: _s, reopened_by: _b, reopened_at: _a, reason: _r, ...rest }: Seen) => rest
/**
 * Checks that an older page hasn't changed, and that looking up its code shows whether the month has changed
 * since.
 */
async function compareKept(): Promise<void> {
  const page = pick(kept)
  const who = page && pick(ownersOf(page.sides))
  if (!page || !who) return
  const { link, closing, code, body, pdf } = page
  const query = `?connection_id=${link.id}&month=${closing.month}&code=${code}`
  const read = (await send(who, 'ReadPage', { query })).body
  assert.deepEqual(frozen(read), body, 'a page never changes')
  assert.equal(read.state, closing.state)
  if (chance(0.5)) return
  await forgetLimits()
  assert.ok((await send(who, 'DownloadPage', { query })).bytes.equals(pdf), 'a PDF never changes')
  const { payload } = await server.app.inject({ method: 'GET', url: `/verify/${code}` })
  assert.match(payload, closing.state === 'closed' ? /statement is genuine/ : /has changed since/)
}

/** Cycles through comparing the screens of a month, of an account, and of a closed month's page. */
export async function compareScreens(step: number): Promise<void> {
  for (const page of kept) if (isOpen(page.link)) page.sides = [page.link.family, page.link.practice]
  const link = anOpenLink()
  const month = oneOf(MONTHS)
  if (link && step % 3 === 0) await compareMonthOf(link, month)
  if (link && step % 3 === 1) await compareAccount(link, month)
  if (step % 6 === 2) await compareKept()
}
