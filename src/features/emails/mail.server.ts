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
} from '#features/connections/queries.server.ts'
import { addressFor, insertUnsubscribe, isOptedOut } from '#features/notices/queries.server.ts'
import { nameOfAccount, readTimeZone } from '#features/workspaces/queries.server.ts'
import { addDays, dayIn, daysOfMonth } from '#kernel/calendar-day.ts'
import { monthLabel } from '#kernel/month.ts'
import { firstName } from '#kernel/plain-name.ts'
import { newToken, tokenHash } from '#platform/http/token.server.ts'
import type { MailWriter } from '#platform/mail/send-mail.server.ts'
import { renderMail } from '#platform/mail/template.server.ts'
import { ASKING, calledByAsker, NEWS, whoAsks, wordsOfWays } from './connection-words.ts'
import { CLOSING, wordsOfMonth, wordsOfMonthNews } from './month-words.ts'
import { askingPayments } from './payment-lines.ts'
import {
  askedMonths,
  monthNews,
  monthOver,
  ownSides,
  payerOf,
  paymentsByMail,
  sessionsByMail,
  waitingFor,
  waysChangedAt,
  wordsWaiting,
} from './queries.server.ts'
import { listOf, type MailedSession, wordsOfSessions, writtenOf } from './session-lines.ts'
import {
  type Everything,
  EMAIL_ZONE,
  ifNothing,
  NOTHING_YET,
  nothingYet,
  asReminder,
  type Side,
  type Waiting,
  waitingSince,
  wordsOfDay,
} from './waiting-words.ts'

type Tx = Parameters<MailWriter>[0]

interface Places {
  baseUrl: string
  now: () => Date
}

/** The functions that write these emails, by kind. */
export function emailWriters(places: Places): Record<string, MailWriter> {
  const waiting = waitingMail(places)
  return {
    ask_tutor: askingMail(places),
    connection_changed: newsMail(places),
    waiting_sessions: waiting,
    month_over: monthMail(places),
    month_news: monthNewsMail(places),
    ways_changed: waysMail(places),
    // Kinds that older versions queued, when there were separate rules for families and tutors.
    family_waiting: waiting,
    sent_back: waiting,
  }
}

/**
 * The request email to a tutor or a family. Names the sender and the sessions to share, with a link to
 * answer.
 */
function askingMail({ baseUrl, now }: Places): MailWriter {
  return async (tx, row) => {
    const id = String(row.data.link_id)
    const asked = await connectionForMail(tx, id)
    if (!asked?.email || asked.state !== 'asked' || (await isOptedOut(tx, asked.email))) return undefined
    const [token, end] = [newToken(), newToken()]
    await insertLinkToken(tx, id, tokenHash(token), now())
    await insertUnsubscribe(tx, end, { address: asked.email })
    const other = whoAsks(asked)
    const list = listOf(await sessionsByMail(tx, id, { to: upTo(now()) }))
    return renderMail(asked.email, {
      subject: ASKING[asked.side].subject(other, namesInWords(asked.first_names)),
      greets: calledByAsker(asked),
      paragraphs: [ASKING[asked.side].text(other, namesInWords(asked.first_names))],
      ...list,
      // The part of a URL after # never reaches a server or its log (promise W5).
      button: { label: list.label, url: `${baseUrl}/confirm#${token}` },
      after: [
        NOTHING_YET,
        `This link is just for you and works for ${TOKEN_DAYS} days. If you don't know who this is, ignore this email or let us know on that page.`,
      ],
      footer: ASKING[asked.side].footer,
      ...smallPrint(baseUrl, end, 'connecting'),
    })
  }
}

/** Notifies the owner of one side that the other side accepted, declined or ended the connection. */
function newsMail({ baseUrl }: Places): MailWriter {
  return async (tx, row) => {
    const news = row.data.news as ConnectionNews
    const parties = await partiesForMail(tx, String(row.data.link_id))
    const recipient = row.userId && (await addressFor(tx, row.userId, 'connection_changes'))
    // If a connection was accepted but has since ended, we only report that it ended.
    if (!recipient || !row.userId || !parties || (parties.state === 'active') !== (news === 'accepted'))
      return undefined
    const end = newToken()
    await insertUnsubscribe(tx, end, { userId: row.userId, notice: 'connection_changes' })
    const isFamily = row.userId === parties.family_owner_id
    return renderMail(recipient, {
      ...NEWS[news](nameOfOther(parties, isFamily ? 'family' : 'practice')),
      greets: firstName(await nameOfAccount(tx, row.userId)),
      button: isFamily
        ? { label: 'See your tutors', url: `${baseUrl}/tutors` }
        : { label: 'See your families', url: `${baseUrl}/to-confirm` },
      footer: 'You can choose which emails you get in your account settings.',
      ...smallPrint(baseUrl, end, 'connecting'),
    })
  }
}

/**
 * For an account: everything waiting for an answer. For an address without an account: the same, or just
 * what's waiting for one month.
 */
function waitingMail(places: Places): MailWriter {
  const ofMonth = monthMail(places)
  return async (tx, row) => {
    if (typeof row.data.link_id === 'string') return emailedMail(places)(tx, row)
    // Queued by an older version, which emailed tutors about a month this way.
    if (row.data.month !== undefined) return ofMonth(tx, row)
    const recipient = row.userId && (await addressFor(tx, row.userId, 'daily_digest'))
    if (!recipient || !row.userId) return undefined
    const whose = { account: row.userId }
    const all = {
      waiting: await waitingFor(tx, row.userId, upTo(places.now())),
      payments: await paymentsByMail(tx, whose),
      months: await askedMonths(tx, whose),
    }
    const { nameOf, only } = await namesOf(tx, row.userId, connectionsOf(all))
    const news = wordsOfDay(all, only, nameOf)
    if (!news) return undefined
    const words = row.data.is_reminder === true ? asReminder(news) : news
    const written = await wordsWaiting(tx, row.userId, upTo(places.now()))
    const end = newToken()
    await insertUnsubscribe(tx, end, { userId: row.userId, notice: 'daily_digest' })
    return renderMail(recipient, {
      ...words,
      greets: firstName(await nameOfAccount(tx, row.userId)),
      paragraphs: [
        ...words.paragraphs,
        ...askingPayments(all.payments, only),
        ...(row.data.is_reminder === true ? waitingSince(all, only, await zoneOf(tx, row.userId)) : []),
        ...written.map(writtenOf),
      ],
      button: buttonOfDay(all, places.baseUrl),
      after: [ifNothing(all)].filter((text) => text !== undefined),
      footer: ONE_A_DAY,
      ...smallPrint(places.baseUrl, end, 'confirming'),
    })
  }
}

/** The connections with waiting items, without duplicates. */
function connectionsOf({ waiting, payments, months }: Everything): string[] {
  return [
    ...new Set([
      ...waiting.flatMap(({ connections }) => connections),
      ...payments.map((one) => one.connection_id),
      ...months.map((one) => one.connection_id),
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
function buttonOfDay({ waiting, payments, months }: Everything, baseUrl: string) {
  const [month] = months
  if (month && waiting.length + payments.length === 0)
    return { label: `See ${monthLabel(month.month)}`, url: monthUrl(baseUrl, month.month) }
  const isToAnswer =
    waiting.every(({ kind, sent_back: sentBack }) => kind === 'practice' && sentBack === 0) &&
    payments.every(({ side, is_sent_back: isSentBack }) => side === 'practice' && !isSentBack)
  const label =
    payments.length + months.length === 0
      ? 'See the sessions'
      : waiting.length + months.length === 0
        ? payments.length === 1
          ? 'See the payment'
          : 'See the payments'
        : 'See what’s waiting'
  return { label, url: `${baseUrl}/${isToAnswer ? 'to-confirm' : 'dashboard'}` }
}

/** Emails an address without an account about what's waiting for it, with a new link. */
function emailedMail({ baseUrl, now }: Places): MailWriter {
  return async (tx, row) => {
    const id = String(row.data.link_id)
    const month = typeof row.data.month === 'string' ? row.data.month : undefined
    // If an account has taken over that side, the account gets emails instead.
    const asks = await connectionForMail(tx, id)
    if (!asks?.email || (await isOptedOut(tx, asks.email))) return undefined
    const listed = await sessionsByMail(tx, id, month ? daysOfMonth(month) : { to: upTo(now()) })
    const sessions = listed.filter((one) => !one.is_leaving)
    // The email about a month is only for confirming; everything else is in the daily email.
    const leaving = month ? [] : listed.filter((one) => one.is_leaving)
    const all: Everything = {
      waiting: waitingIn(asks, sessions, leaving),
      payments: month ? [] : await paymentsByMail(tx, { connection: id }),
      months: month ? [] : await askedMonths(tx, { connection: id }),
    }
    const other = whoAsks(asks)
    const news = wordsOfDay(all, other, () => other)
    if (!news) return undefined
    const [token, end] = [newToken(), newToken()]
    await insertUnsubscribe(tx, end, { address: asks.email })
    await insertLinkToken(tx, id, tokenHash(token), now())
    const words = row.data.is_reminder === true ? asReminder(news) : news
    const list = listOf(sessions, labelWithoutSessions(all))
    return renderMail(asks.email, {
      ...words,
      ...(month && { subject: `${monthLabel(month)} is ready to confirm` }),
      greets: calledByAsker(asks),
      paragraphs: [
        ...(month ? [`${monthLabel(month)} is over.`] : []),
        ...words.paragraphs,
        ...askingPayments(all.payments, other),
        ...(row.data.is_reminder === true ? waitingSince(all, other, EMAIL_ZONE) : []),
      ],
      lines: list.lines,
      button: { label: list.label, url: `${baseUrl}/confirm#${token}` },
      // Goes after the button, so that the list and its button stay together.
      after: [nothingYet(all), ...(month ? [CLOSING] : []), ...wordsOfSessions(sessions).map(writtenOf)],
      footer: ONE_A_DAY,
      ...smallPrint(baseUrl, end, 'confirming'),
    })
  }
}

/** The number of items waiting for an address, by kind. */
function waitingIn(
  asks: EmailedSide,
  sessions: readonly MailedSession[],
  leaving: readonly MailedSession[],
): Waiting[] {
  if (sessions.length + leaving.length === 0) return []
  const moments = [...sessions, ...leaving].map((one) => one.asked_at.getTime())
  return [
    {
      kind: asks.side,
      sessions: sessions.length,
      minutes: sessions.reduce((sum, one) => sum + one.minutes, 0),
      deletions: leaving.length,
      sent_back: 0,
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
  if (payments.length > 0) return payments.length === 1 ? 'See the payment' : 'See the payments'
  return month ? `See ${monthLabel(month.month)}` : 'See the page'
}

/** Notifies an account that a month is over. The email has the button to close it. */
function monthMail({ baseUrl }: Places): MailWriter {
  return async (tx, row) => {
    const month = String(row.data.month)
    const recipient = row.userId && (await addressFor(tx, row.userId, 'month_ready'))
    const over = recipient && row.userId ? await monthOver(tx, row.userId, month) : []
    if (!recipient || !row.userId || over.length === 0) return undefined
    const { nameOf } = await namesOf(
      tx,
      row.userId,
      over.map((one) => one.connection_id),
    )
    const end = newToken()
    await insertUnsubscribe(tx, end, { userId: row.userId, notice: 'month_ready' })
    const { label, ...words } = wordsOfMonth(month, over, nameOf)
    return renderMail(recipient, {
      ...words,
      greets: firstName(await nameOfAccount(tx, row.userId)),
      button: { label, url: monthUrl(baseUrl, month) },
      after: [CLOSING],
      footer: 'You get this email after each month with shared sessions.',
      ...smallPrint(baseUrl, end, 'months'),
    })
  }
}

/**
 * Notifies the other side when somebody asks to close a month, closes it or reopens it. Goes to an account,
 * or to the address of a side without one.
 */
function monthNewsMail({ baseUrl, now }: Places): MailWriter {
  return async (tx, row) => {
    const [id, month, news] = [String(row.data.link_id), String(row.data.month), String(row.data.news)]
    const parties = await partiesForMail(tx, id)
    const change = await monthNews(tx, id, month)
    // Skipped if the month has since been closed or reopened, or the request withdrawn. Either the other side
    // gets a separate email about that, or it doesn't need one.
    if (!parties || change?.state !== news) return undefined
    const by =
      news === 'reopened' ? change.reopened_by : news === 'asked' ? change.asked_by : other(change.asked_by)
    const name = nameOfOther(parties, other(by ?? 'family'))
    const words = wordsOfMonthNews(news, name, monthLabel(month), change.reason)
    const label = `${news === 'asked' ? 'Close' : 'See'} ${monthLabel(month)}`
    const footer = 'You get this email when someone closes, reopens or asks to close a month you share.'
    const end = newToken()
    if (row.userId) {
      const recipient = await addressFor(tx, row.userId, 'month_ready')
      if (!recipient) return undefined
      await insertUnsubscribe(tx, end, { userId: row.userId, notice: 'month_ready' })
      return renderMail(recipient, {
        ...words,
        greets: firstName(await nameOfAccount(tx, row.userId)),
        button: { label, url: monthUrl(baseUrl, month) },
        footer,
        ...smallPrint(baseUrl, end),
      })
    }
    const asks = await connectionForMail(tx, id)
    if (!asks?.email || (await isOptedOut(tx, asks.email))) return undefined
    const token = newToken()
    await insertUnsubscribe(tx, end, { address: asks.email })
    await insertLinkToken(tx, id, tokenHash(token), now())
    return renderMail(asks.email, {
      ...words,
      greets: calledByAsker(asks),
      button: { label, url: `${baseUrl}/confirm#${token}` },
      footer: `${footer} You don't need an account.`,
      ...smallPrint(baseUrl, end),
    })
  }
}

/**
 * Notifies each family that pays this tutor of changed payment options. The email has no account numbers or
 * payment links, and it can't be turned off, because payment options are the first thing someone who takes
 * over a tutor's account would change (docs/decisions/0018-ways-to-pay.md).
 */
function waysMail({ baseUrl, now }: Places): MailWriter {
  return async (tx, row) => {
    const id = String(row.data.link_id)
    const parties = await partiesForMail(tx, id)
    const changedAt = await waysChangedAt(tx, id)
    if (!parties || !changedAt) return undefined
    const tutor = tutorOf(parties.tutor_name, parties.first_names)
    const words = wordsOfWays(tutor, dayIn(changedAt, await zoneOf(tx, row.userId)))
    if (row.userId) {
      const recipient = await payerOf(tx, row.userId, id)
      if (!recipient) return undefined
      return renderMail(recipient, {
        ...words,
        greets: firstName(await nameOfAccount(tx, row.userId)),
        button: { label: 'See how to pay', url: `${baseUrl}/payments?with=${id}` },
      })
    }
    const asks = await connectionForMail(tx, id)
    if (!asks?.email || asks.side !== 'family' || (await isOptedOut(tx, asks.email))) return undefined
    const [token, end] = [newToken(), newToken()]
    await insertUnsubscribe(tx, end, { address: asks.email })
    await insertLinkToken(tx, id, tokenHash(token), now())
    return renderMail(asks.email, {
      ...words,
      greets: calledByAsker(asks),
      button: { label: 'See how to pay', url: `${baseUrl}/confirm#${token}` },
      ...smallPrint(baseUrl, end),
    })
  }
}

/** The time zone for the dates in an email to an account, or to someone without one. */
async function zoneOf(tx: Tx, userId: string | null): Promise<string> {
  return (userId && (await readTimeZone(tx, userId))) ?? EMAIL_ZONE
}

const other = (side: Side) => (side === 'family' ? 'practice' : 'family')

const ONE_A_DAY =
  'You get this email at most once a day: when there’s something new, plus up to two reminders if you don’t answer.'

/** A lesson that's tomorrow in UTC may be today in the recipient's time zone. */
const upTo = (now: Date) => addDays(dayIn(now, 'UTC'), 1)
/** The links below the footer: the relevant section of the help page, and the unsubscribe link. */
const smallPrint = (baseUrl: string, end: string, topic?: string) => ({
  helpUrl: `${baseUrl}/help${topic ? `#${topic}` : ''}`,
  unsubscribeUrl: `${baseUrl}/unsubscribe?token=${end}`,
})
/** The page where you can close a month. */
const monthUrl = (baseUrl: string, month: string) => `${baseUrl}/summary?month=${month}#closing`
