// Emails from one side of a connection to the other. They cover the request (with a link that lets a tutor or
// a family answer without an account), its outcome, what's waiting for an answer, and how a month is going.
// Tokens are created, and addresses looked up, only when an email is written. The text is in separate files,
// one per kind.
import { type ConnectionNews, TOKEN_DAYS } from '#features/connections/connection.ts'
import { familyOf, namesInWords, tutorOf } from '#features/workspaces/sides.ts'
import {
  connectionForMail,
  type EmailedSide,
  insertLinkToken,
  partiesForMail,
} from '#features/connections/emailed-queries.server.ts'
import type { Side } from '#features/access/role.ts'
import type { NoticeName } from '#features/notices/notice.ts'
import { atGoodTime, type NewsAlong, notAtNight } from '#features/reminders/commands.server.ts'
import { addressFor, insertUnsubscribe, isOptedOut } from '#features/notices/queries.server.ts'
import { nameOfAccount, readTimeZone } from '#features/workspaces/queries.server.ts'
import { addDays, dayIn, daysOfMonth } from '#kernel/calendar-day.ts'
import { monthLabel } from '#kernel/month.ts'
import { firstName } from '#kernel/plain-name.ts'
import { EMAIL_ZONE } from '#kernel/time-zone.ts'
import { newToken, tokenHash } from '#platform/http/token.server.ts'
import type { Mail } from '#platform/mail/mailer.server.ts'
import type { MailWriter } from '#platform/mail/send-mail.server.ts'
import { type MailContent, renderMail } from '#platform/mail/template.server.ts'
import { ADDING, ASKING, calledByAsker, NEWS, whoAsks, wordsOfWays } from './connection-words.ts'
import { CLOSING, wordsOfMonth, wordsOfMonthNews } from './month-words.ts'
import { type PaperNews, wordsOfPaper } from './paper-words.ts'
import { askingPayments, kindsOf, nounOf } from './payment-lines.ts'
import {
  askedMonths,
  canceledByMail,
  closedSince,
  monthNews,
  monthOver,
  ownSides,
  payerOf,
  paymentsByMail,
  classesByMail,
  termsByMail,
  proposalsByMail,
  sessionsByMail,
  waitingFor,
  waysChangedAt,
  wordsWaiting,
} from './queries.server.ts'
import { connectionsToClose, noteNewsTold, ridesWithQuestions, toldAt } from './recipient-queries.server.ts'
import { listOf, type MailedSession, wordsOfSessions, writtenOf } from './session-lines.ts'
import {
  type Everything,
  type MailedProposal,
  ifNothing,
  isOnlyCanceled,
  NOTHING_YET,
  nothingYet,
  asReminder,
  newsOfDay,
  type Waiting,
  waitingSince,
  wordsOfDay,
} from './waiting-words.ts'

type Tx = Parameters<MailWriter>[0]

interface Places {
  baseUrl: string
  now: () => Date
}

/** Who an email goes to. */
type Whom =
  | { account: string; notice: NoticeName }
  /** An account that pays for this connection. Its email can't be turned off. */
  | { account: string; paysFor: string }
  /** The side of this connection that has an address but no account. */
  | { connection: string }

interface Words extends Omit<MailContent, 'greets' | 'button' | 'helpUrl' | 'unsubscribeUrl'> {
  /** The page is where the button leads an account. For everyone else, it's the emailed page. */
  button: { label: string; page: string }
  /** The section of the help page to link to. */
  topic?: string
}

interface Recipient {
  address: string
  greets: string
  /** The side that has no account; undefined for an account. */
  side?: EmailedSide
  /** What the unsubscribe link turns off; undefined if that isn't possible. */
  ends?: { userId: string; notice: NoticeName } | { address: string }
}

/** Decides whether and where to email somebody. Undefined if they have no address or don't want this email. */
async function recipientOf(tx: Tx, whom: Whom): Promise<Recipient | undefined> {
  if ('connection' in whom) {
    const side = await connectionForMail(tx, whom.connection)
    if (!side?.email || (await isOptedOut(tx, side.email))) return undefined
    return { address: side.email, greets: calledByAsker(side), side, ends: { address: side.email } }
  }
  const userId = whom.account
  const notice = 'notice' in whom ? whom.notice : undefined
  const address =
    'notice' in whom ? await addressFor(tx, userId, whom.notice) : await payerOf(tx, userId, whom.paysFor)
  if (!address) return undefined
  const greets = firstName(await nameOfAccount(tx, userId))
  return { address, greets, ...(notice && { ends: { userId, notice } }) }
}

/** Writes an email to somebody, with links that are theirs alone. */
async function writeTo(
  tx: Tx,
  { address, greets, side, ends }: Recipient,
  { baseUrl, now }: Places,
  { button: { label, page }, topic, ...words }: Words,
): Promise<Mail> {
  const [link, end] = [newToken(), newToken()]
  if (side) await insertLinkToken(tx, side.id, tokenHash(link), now())
  if (ends) await insertUnsubscribe(tx, end, ends)
  return renderMail(address, {
    ...words,
    greets,
    // The part of a URL after # never reaches a server or its log (promise W5).
    button: { label, url: `${baseUrl}/${side ? `confirm#${link}` : page}` },
    ...(ends && {
      helpUrl: `${baseUrl}/help${topic ? `#${topic}` : ''}`,
      unsubscribeUrl: `${baseUrl}/unsubscribe?token=${end}`,
    }),
  })
}

/** The functions that write these emails, by kind. */
export function emailWriters(places: Places): Record<string, MailWriter> {
  return {
    ask_tutor: askingMail(places),
    link_address: addressMail(places),
    connection_changed: newsMail(places),
    waiting_sessions: atGoodTime(waitingMail(places), places.now),
    month_over: atGoodTime(monthMail(places), places.now),
    month_news: notAtNight(monthNewsMail(places), places.now),
    ways_changed: waysMail(places),
    paper_news: notAtNight(paperMail(places), places.now),
  }
}

/**
 * The request email to a tutor or a family. Names the sender and the sessions to share, with a link to
 * answer.
 */
function askingMail(places: Places): MailWriter {
  return async (tx, row) => {
    const id = String(row.data.link_id)
    const recipient = await recipientOf(tx, { connection: id })
    const asked = recipient?.side
    if (!recipient || asked?.state !== 'asked') return undefined
    const other = whoAsks(asked)
    const { lines, label } = listOf(await sessionsByMail(tx, id, { to: upTo(places.now()) }))
    return writeTo(tx, recipient, places, {
      subject: ASKING[asked.side].subject(other, namesInWords(asked.first_names)),
      paragraphs: [ASKING[asked.side].text(other, namesInWords(asked.first_names))],
      lines,
      button: { label, page: '' },
      after: [
        NOTHING_YET,
        `This link is just for you and works for ${TOKEN_DAYS} days. If you don't know who this is, ignore this email or let us know on that page.`,
      ],
      footer: ASKING[asked.side].footer,
      topic: 'connecting',
    })
  }
}

/** Asks whoever has an address whether the side that was handed a link may have it. */
function addressMail({ baseUrl, now }: Places): MailWriter {
  return async (tx, row) => {
    const side = await connectionForMail(tx, String(row.data.link_id))
    // If it got another address in the meantime, this one isn't needed.
    if (!side || side.email !== null) return undefined
    const [token, end] = [newToken(), newToken()]
    await insertLinkToken(tx, side.id, tokenHash(token), now(), row.recipient)
    await insertUnsubscribe(tx, end, { address: row.recipient })
    const other = whoAsks(side)
    return renderMail(row.recipient, {
      ...ADDING(other),
      greets: calledByAsker(side),
      button: { label: 'Use this address', url: `${baseUrl}/confirm#${token}` },
      unsubscribeUrl: `${baseUrl}/unsubscribe?token=${end}`,
    })
  }
}

/** Notifies the owner of one side that the other side accepted, declined or ended the connection. */
function newsMail(places: Places): MailWriter {
  return async (tx, row) => {
    const news = row.data.news as ConnectionNews
    const parties = await partiesForMail(tx, String(row.data.link_id))
    const recipient =
      row.userId && (await recipientOf(tx, { account: row.userId, notice: 'connection_changes' }))
    // If a connection was accepted but has since ended, we only report that it ended.
    if (!recipient || !parties || (parties.state === 'active') !== (news === 'accepted')) return undefined
    const isFamily = row.userId === parties.family_owner_id
    return writeTo(tx, recipient, places, {
      ...NEWS[news](nameOfOther(parties, isFamily ? 'family' : 'practice')),
      button: isFamily
        ? { label: 'See your tutors', page: 'tutors' }
        : { label: 'See your families', page: 'to-confirm' },
      footer: 'You can choose which emails you get in your account settings.',
      topic: 'connecting',
    })
  }
}

/**
 * For an account: everything waiting for an answer. For an address without an account: the same, or just
 * what's waiting for one month.
 */
function waitingMail(places: Places): MailWriter {
  return async (tx, row) => {
    if (typeof row.data.link_id === 'string') return emailedMail(places)(tx, row)
    const recipient = row.userId && (await recipientOf(tx, { account: row.userId, notice: 'daily_digest' }))
    if (!recipient || !row.userId) return undefined
    const all = await everythingFor(tx, row.userId, toldOf(row.data), places.now())
    const { nameOf, only } = await namesOf(tx, row.userId, connectionsOf(all))
    const news = wordsOfDay(all, only, nameOf)
    if (!news) return undefined
    const words = row.data.is_reminder === true ? asReminder(news) : news
    const written = await wordsWaiting(tx, row.userId, upTo(places.now()))
    return writeTo(tx, recipient, places, {
      ...words,
      paragraphs: [
        ...words.paragraphs,
        ...askingPayments(all.payments, only),
        ...(row.data.is_reminder === true ? waitingSince(all, only, await zoneOf(tx, row.userId)) : []),
        ...written.map(writtenOf),
      ],
      button: buttonOfDay(all),
      after: [ifNothing(all)].filter((text) => text !== undefined),
      footer: ONE_A_DAY,
      topic: 'confirming',
    })
  }
}

/** What an account was told last, and until when it's told now. */
interface Told {
  after: Date | null
  /** Undefined in what an earlier server's jobs queued: that tells nothing that holds already. */
  until: Date | undefined
}

/** As the job that queued the email saw it. */
function toldOf({ after, until }: Record<string, unknown>): Told {
  return {
    after: typeof after === 'string' ? new Date(after) : null,
    until: typeof until === 'string' ? new Date(until) : undefined,
  }
}

async function everythingFor(
  tx: Tx,
  account: string,
  { after, until }: Told,
  now: Date,
): Promise<Everything> {
  const whose = { account }
  return {
    waiting: await waitingFor(tx, account, upTo(now)),
    proposals: await proposalsByMail(tx, whose),
    payments: await paymentsByMail(tx, whose),
    terms: await termsByMail(tx, whose),
    classes: await classesByMail(tx, account, now),
    months: await askedMonths(tx, whose),
    canceled: until ? await canceledByMail(tx, account, { after, until, now }) : [],
    closed: until ? await closedSince(tx, account, after, until) : [],
  }
}

/**
 * What comes along with a question after a class: an account's news as paragraphs, which then count as told. On a device, they're
 * only counted, and count as told if nothing needs a decision.
 */
export function newsAlong({ baseUrl }: { baseUrl: string }): NewsAlong {
  return async (tx, account, now, isOnDevice) => {
    if (!(await addressFor(tx, account, 'daily_digest'))) return []
    const all = await everythingFor(tx, account, { after: await toldAt(tx, account), until: now }, now)
    const { nameOf, only } = await namesOf(tx, account, connectionsOf(all))
    const news = [...newsOfDay(all, only, nameOf), ...askingPayments(all.payments, only)]
    if (news.length === 0 || (isOnDevice && !isPlain(all))) return []
    await noteNewsTold(tx, account, now)
    return isOnDevice ? news : [...news, `See what’s new:\n${baseUrl}/dashboard`]
  }
}

/** Whether there's nothing that needs a decision, and nothing that an account has to read. */
function isPlain({ waiting, proposals, payments, terms, classes, canceled }: Everything): boolean {
  return (
    proposals.length + terms.length + classes.length + canceled.length === 0 &&
    waiting.every((one) => one.deletions + one.sent_back === 0) &&
    payments.every((one) => !one.is_leaving && !one.is_sent_back)
  )
}

/** The connections with waiting items, without duplicates. */
function connectionsOf({
  waiting,
  payments,
  terms,
  classes,
  months,
  canceled,
  closed,
}: Everything): string[] {
  return [
    ...new Set([
      ...waiting.flatMap(({ connections }) => connections),
      ...payments.map((one) => one.connection_id),
      ...terms.map((one) => one.connection_id),
      ...classes.map((one) => one.connection_id),
      ...months.map((one) => one.connection_id),
      ...canceled.map((one) => one.connection_id),
      ...closed.map((one) => one.connection_id),
    ]),
  ]
}

/**
 * The names an account uses for the other sides of its connections. If there's only one other side, `only` is
 * its name.
 */
async function namesOf(
  tx: Tx,
  accountId: string,
  connections: readonly string[],
): Promise<{ nameOf: (connection: string) => string; only: string | undefined }> {
  const sides = new Map((await ownSides(tx, accountId, connections)).map(({ id, side }) => [id, side]))
  const names = new Map<string, string>()
  for (const id of connections) {
    const parties = await partiesForMail(tx, id)
    if (parties) names.set(id, nameOfOther(parties, sides.get(id) ?? 'family'))
  }
  const [first, ...more] = connections
  return {
    nameOf: (id) => names.get(id) ?? (sides.get(id) === 'practice' ? 'The family' : 'The tutor'),
    only: first && more.length === 0 ? names.get(first) : undefined,
  }
}

type Parties = NonNullable<Awaited<ReturnType<typeof partiesForMail>>>

/** The name that one side uses for the other. */
function nameOfOther(parties: Parties, side: Side): string {
  return side === 'family'
    ? tutorOf(parties.tutor_name, parties.first_names)
    : familyOf(parties.family_name, parties.first_names)
}

/** For a tutor who has nothing to correct, the button leads to a page with only the waiting items. */
function buttonOfDay(all: Everything): Words['button'] {
  const { waiting, payments, terms, classes, months } = all
  const [month] = months
  if (isOnlyCanceled(all)) return { label: 'See the schedule', page: 'schedules?view=month' }
  const others = waiting.length + payments.length + months.length
  if (classes.length > 0)
    return { label: others + terms.length === 0 ? 'See the change' : 'See what’s waiting', page: 'dashboard' }
  if (terms.length > 0)
    return { label: others === 0 ? 'See the terms' : 'See what’s waiting', page: 'to-confirm' }
  if (month && waiting.length + payments.length === 0)
    return { label: `See ${monthLabel(month.month)}`, page: pageOfMonth(month.month) }
  const isToAnswer =
    waiting.every(({ kind, sent_back: sentBack }) => kind === 'practice' && sentBack === 0) &&
    payments.every(({ side, is_sent_back: isSentBack }) => side === 'practice' && !isSentBack)
  const label =
    payments.length + months.length === 0
      ? 'See the sessions'
      : waiting.length + months.length === 0
        ? labelOfPayments(payments)
        : 'See what’s waiting'
  return { label, page: isToAnswer ? 'to-confirm' : 'dashboard' }
}

const labelOfPayments = (payments: Everything['payments']) => `See the ${nounOf(kindsOf(payments))}`

/** Emails an address without an account about what's waiting for it, with a new link. */
function emailedMail(places: Places): MailWriter {
  return async (tx, row) => {
    const id = String(row.data.link_id)
    const month = typeof row.data.month === 'string' ? row.data.month : undefined
    // If an account has taken over that side, the account gets emails instead.
    const recipient = await recipientOf(tx, { connection: id })
    const asks = recipient?.side
    if (!asks) return undefined
    const listed = await sessionsByMail(tx, id, month ? daysOfMonth(month) : { to: upTo(places.now()) })
    const sessions = listed.filter((one) => !one.is_leaving)
    // The email about a month is only for confirming; everything else is in the daily email.
    const leaving = month ? [] : listed.filter((one) => one.is_leaving)
    const proposals = month ? [] : await proposalsByMail(tx, { connection: id })
    const all: Everything = {
      waiting: waitingIn(asks, sessions, leaving, proposals),
      proposals,
      payments: month ? [] : await paymentsByMail(tx, { connection: id }),
      terms: month ? [] : await termsByMail(tx, { connection: id }),
      // Only two sides with accounts share a schedule.
      classes: [],
      canceled: [],
      closed: [],
      months: month ? [] : await askedMonths(tx, { connection: id }),
    }
    const other = whoAsks(asks)
    const news = wordsOfDay(all, other, () => other)
    if (!news) return undefined
    const words = row.data.is_reminder === true ? asReminder(news) : news
    const { lines, label } = listOf(sessions, labelWithoutSessions(all))
    return writeTo(tx, recipient, places, {
      ...words,
      ...(month && { subject: `${monthLabel(month)} is ready to confirm` }),
      paragraphs: [
        ...(month ? [`${monthLabel(month)} is over.`] : []),
        ...words.paragraphs,
        ...askingPayments(all.payments, other),
        ...(row.data.is_reminder === true ? waitingSince(all, other, EMAIL_ZONE) : []),
      ],
      lines,
      button: { label, page: '' },
      // Goes after the button, so that the list and its button stay together.
      after: [nothingYet(all), ...(month ? [CLOSING] : []), ...wordsOfSessions(sessions).map(writtenOf)],
      footer: ONE_A_DAY,
      topic: 'confirming',
    })
  }
}

/** The number of items waiting for an address, by kind. */
function waitingIn(
  asks: EmailedSide,
  sessions: readonly MailedSession[],
  leaving: readonly MailedSession[],
  proposals: readonly MailedProposal[],
): Waiting[] {
  if (sessions.length + leaving.length + proposals.length === 0) return []
  const moments = [...sessions, ...leaving, ...proposals].map((one) => one.asked_at.getTime())
  return [
    {
      kind: asks.side,
      sessions: sessions.length,
      minutes: sessions.reduce((sum, one) => sum + one.minutes, 0),
      deletions: leaving.length,
      sent_back: proposals.length,
      since: new Date(Math.min(...moments)),
      connections: [asks.id],
      // Empty, because the email lists the sessions one by one further down, with their total.
      amounts: [],
    },
  ]
}

function labelWithoutSessions({ waiting, payments, months }: Everything): string {
  const [month] = months
  if (waiting.length > 0) return 'See the page'
  if (payments.length > 0) return labelOfPayments(payments)
  return month ? `See ${monthLabel(month.month)}` : 'See the page'
}

/** Notifies an account that a month is over. The email has the button to close it. */
function monthMail(places: Places): MailWriter {
  return async (tx, row) => {
    const month = String(row.data.month)
    const recipient = row.userId && (await recipientOf(tx, { account: row.userId, notice: 'month_ready' }))
    const isReminder = row.data.is_reminder === true
    const found = recipient && row.userId ? await monthOver(tx, row.userId, month) : []
    const toClose = isReminder && row.userId ? await connectionsToClose(tx, row.userId, month) : []
    const over = found.filter((one) => !isReminder || toClose.includes(one.connection_id))
    if (!recipient || !row.userId || over.length === 0) return undefined
    const { nameOf } = await namesOf(
      tx,
      row.userId,
      over.map((one) => one.connection_id),
    )
    const { label, lines, ...said } = wordsOfMonth(month, over, nameOf)
    return writeTo(tx, recipient, places, {
      ...(isReminder ? asReminder(said) : said),
      lines,
      button: { label, page: pageOfMonth(month) },
      after: [CLOSING],
      footer:
        'You get this email after each month with shared sessions, and up to two reminders while there’s something to do for it.',
      topic: 'months',
    })
  }
}

/**
 * Notifies the other side when somebody asks to close a month, closes it or reopens it. Goes to an account,
 * or to the address of a side without one.
 */
function monthNewsMail(places: Places): MailWriter {
  return async (tx, row) => {
    const [id, month, news] = [String(row.data.link_id), String(row.data.month), String(row.data.news)]
    const parties = await partiesForMail(tx, id)
    const change = await monthNews(tx, id, month)
    // Skipped if the month has since been closed or reopened, or the request withdrawn. Either the other side
    // gets a separate email about that, or it doesn't need one.
    if (!parties || change?.state !== news) return undefined
    // Whoever is asked about classes learns that along with a question. A reopened month may need an answer.
    if (row.userId && news !== 'reopened' && (await ridesWithQuestions(tx, row.userId, places.now())))
      return undefined
    const by =
      news === 'reopened' ? change.reopened_by : news === 'asked' ? change.asked_by : other(change.asked_by)
    const name = nameOfOther(parties, other(by ?? 'family'))
    const recipient = await recipientOf(
      tx,
      row.userId ? { account: row.userId, notice: 'month_ready' } : { connection: id },
    )
    if (!recipient) return undefined
    const footer = 'You get this email when someone closes, reopens or asks to close a month you share.'
    return writeTo(tx, recipient, places, {
      ...wordsOfMonthNews(news, name, monthLabel(month), change.reason),
      button: {
        label: `${news === 'asked' ? 'Close' : 'See'} ${monthLabel(month)}`,
        page: pageOfMonth(month),
      },
      footer: recipient.side ? `${footer} You don't need an account.` : footer,
    })
  }
}

/**
 * Notifies each family that pays this tutor of changed payment options. The email has no account numbers or
 * payment links, and it can't be turned off, because payment options are the first thing someone who takes
 * over a tutor's account would change (docs/decisions/0018-ways-to-pay.md).
 */
function waysMail(places: Places): MailWriter {
  return async (tx, row) => {
    const id = String(row.data.link_id)
    const parties = await partiesForMail(tx, id)
    const changedAt = await waysChangedAt(tx, id)
    if (!parties || !changedAt) return undefined
    const recipient = await recipientOf(
      tx,
      row.userId ? { account: row.userId, paysFor: id } : { connection: id },
    )
    if (!recipient || recipient.side?.side === 'practice') return undefined
    const tutor = tutorOf(parties.tutor_name, parties.first_names)
    return writeTo(tx, recipient, places, {
      ...wordsOfWays(tutor, dayIn(changedAt, await zoneOf(tx, row.userId))),
      button: { label: 'See how to pay', page: `payments?with=${id}` },
    })
  }
}

/** Tells one side of a receipt in the tutor's name that the other side issued or voided. */
function paperMail(places: Places): MailWriter {
  return async (tx, row) => {
    const news = row.data as unknown as PaperNews
    const parties = await partiesForMail(tx, news.link_id)
    if (!parties) return undefined
    const recipient = await recipientOf(
      tx,
      row.userId ? { account: row.userId, notice: 'daily_digest' } : { connection: news.link_id },
    )
    if (!recipient) return undefined
    return writeTo(tx, recipient, places, {
      ...wordsOfPaper(news, nameOfOther(parties, news.side)),
      button: { label: 'See receipts', page: 'papers' },
      topic: 'papers',
      footer:
        'You get this email when a family makes a receipt in a tutor’s name, or when one is declared void.',
    })
  }
}

/** The time zone for the dates in an email to an account, or to someone without one. */
async function zoneOf(tx: Tx, userId: string | null): Promise<string> {
  return (userId && (await readTimeZone(tx, userId))) ?? EMAIL_ZONE
}

const other = (side: Side) => (side === 'family' ? 'practice' : 'family')

const ONE_A_DAY =
  'You get this email at most once a day: when there’s something new, plus up to two reminders if you don’t answer. ' +
  'If a class is canceled on its day, you’re told at once.'

/** A lesson that's tomorrow in UTC may be today in the recipient's time zone. */
const upTo = (now: Date) => addDays(dayIn(now, 'UTC'), 1)
/** The page where you can close a month. */
const pageOfMonth = (month: string) => `summary?month=${month}#closing`
