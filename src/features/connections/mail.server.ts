// The emails about connections and the sessions that they share: the one that asks a tutor or a family, whose link answers without an
// account, what became of it, and what waits for whom. Tokens are made and addresses read when an email is written.
import { addressFor, insertUnsubscribe, isOptedOut } from '#features/notices/queries.server.ts'
import { ANSWER_DAYS } from '#features/sessions/confirmation.ts'
import { addDays, dayIn, daysOfMonth, formatDay } from '#kernel/calendar-day.ts'
import { formatHours, type Minutes } from '#kernel/duration.ts'
import { cents, formatMoney } from '#kernel/money.ts'
import { monthLabel } from '#kernel/month.ts'
import { plainName, plainText } from '#kernel/plain-name.ts'
import { newToken, tokenHash } from '#platform/http/token.server.ts'
import type { MailWriter } from '#platform/mail/send-mail.server.ts'
import { type MailContent, renderMail } from '#platform/mail/template.server.ts'
import { TOKEN_DAYS } from './connection.ts'
import { confirmLabel } from './emailed.ts'
import { familyOf, namesInWords, tutorOf } from '#features/workspaces/sides.ts'
import { askingPayments, type MailedPayment, withPayments } from './payment-lines.ts'
import {
  connectionForMail,
  type ConnectionNews,
  type EmailedSide,
  insertLinkToken,
  MOST_TOLD,
  type MailedSession,
  monthNews,
  monthOver,
  type MonthOver,
  partiesForMail,
  paymentsByMail,
  sessionsByMail,
  type Waiting,
  waitingFor,
  type WaitingWords,
  wordsWaiting,
} from './queries.server.ts'

interface Places {
  baseUrl: string
  now: () => Date
}

/** The writers of these emails, by kind. */
export function connectionMails(places: Places): Record<string, MailWriter> {
  const waiting = waitingMail(places)
  return {
    ask_tutor: askingMail(places),
    connection_changed: newsMail(places),
    waiting_sessions: waiting,
    month_over: monthMail(places),
    month_news: monthNewsMail(places),
    // Asked for by versions that wrote to families and tutors by rules of their own.
    family_waiting: waiting,
    sent_back: waiting,
  }
}

/** To the address that was asked, a tutor's or a family's: who asks, for which sessions, and the link that answers. */
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
      paragraphs: [greeting(asked), ASKING[asked.side].text(other, namesInWords(asked.first_names))],
      ...list,
      // What stands behind # never reaches a server or its log (promise W5).
      button: { label: list.label, url: `${baseUrl}/confirm#${token}` },
      after: [
        nothingYet(1, 0),
        `The link is yours alone and works for ${TOKEN_DAYS} days. If you do not know ${other}, ignore this email or say so on the page.`,
      ],
      footer: ASKING[asked.side].footer,
      unsubscribeUrl: unsubscribeUrl(baseUrl, end),
    })
  }
}

/** What the email says that asks a tutor, and a family. */
const ASKING = {
  practice: {
    subject: (family: string) => `${family} asks you to confirm tutoring sessions`,
    text: (family: string) =>
      `${family} keeps a record of the lessons with you in Tutorlog and asks you to confirm them. You need no account.`,
    footer:
      'You get this email because a family entered your address as their tutor. With a tutor account of this address you can answer in the app.',
  },
  family: {
    subject: (tutor: string, children: string) =>
      `${tutor} asks you to confirm ${children ? `${children}'s sessions` : 'tutoring sessions'}`,
    text: (tutor: string, children: string) =>
      `${tutor} keeps a record of ${children ? `${children}'s lessons` : 'the lessons'} in Tutorlog and asks you to confirm them. You need no account.`,
    footer:
      'You get this email because a tutor entered your address as the family of a student. With a parent account of this address you can answer in the app.',
  },
} as const

/** Who asks an address, by name where they gave one. */
function whoAsks({ side, other_name: name, first_names: firstNames }: EmailedSide): string {
  return side === 'practice' ? familyOf(name, firstNames) : tutorOf(name, firstNames)
}

/** A tutor is greeted as the family calls them; of a family the tutor knows the children. */
function greeting({ side, tutor_name: tutor, first_names: firstNames }: EmailedSide): string {
  const name =
    side === 'practice' ? plainName(tutor, '') : firstNames.length > 0 && familyOf(null, firstNames)
  return name ? `Hello ${name},` : 'Hello,'
}

/** Sessions that an email lists at most. */
const LISTED = 20

/** What was written of the sessions in an email, the newest first. */
function wordsOfSessions(sessions: readonly MailedSession[]): MailedSession[] {
  return sessions
    .filter(({ summary, homework }) => summary !== null || homework !== null)
    .reverse()
    .slice(0, MOST_TOLD)
}

/** The sessions of an email with their total, and what its one button says: the same as the one on the page. */
function listOf(sessions: readonly MailedSession[]): Pick<MailContent, 'lines'> & { label: string } {
  const [first] = sessions
  if (!first) return { label: 'See the page' }
  const amountOf = ({ total_cents: total, currency }: MailedSession) =>
    total === null ? '' : formatMoney(total, currency)
  const total = formatMoney(
    cents(sessions.reduce((sum, one) => sum + (one.total_cents ?? 0), 0)),
    first.currency,
  )
  const shown = sessions.slice(0, LISTED).map((session) => ({
    text: [
      formatDay(session.day, { weekday: 'short', month: 'short', day: 'numeric' }),
      plainName(session.first_name, ''),
      `${formatHours(session.minutes)} h`,
    ]
      .filter(Boolean)
      .join(', '),
    amount: amountOf(session),
  }))
  const more = sessions.length - shown.length
  return {
    lines: [
      ...shown,
      ...(more > 0 ? [{ text: `and ${more} more`, amount: '' }] : []),
      { text: `Total, ${count(sessions.length)}`, amount: total },
    ],
    label: confirmLabel(sessions.length, total),
  }
}

/** To the owner of one side: what the other side did to the connection. */
function newsMail({ baseUrl }: Places): MailWriter {
  return async (tx, row) => {
    const news = row.data.news as ConnectionNews
    const parties = await partiesForMail(tx, String(row.data.link_id))
    const recipient = row.userId && (await addressFor(tx, row.userId, 'connection_changes'))
    // Of a connection that was accepted and ended since, only the end is news.
    if (!recipient || !row.userId || !parties || (parties.state === 'active') !== (news === 'accepted'))
      return undefined
    const end = newToken()
    await insertUnsubscribe(tx, end, { userId: row.userId, notice: 'connection_changes' })
    const isFamily = row.userId === parties.family_owner_id
    const other = isFamily
      ? tutorOf(parties.tutor_name, parties.first_names)
      : familyOf(parties.family_name, parties.first_names)
    return renderMail(recipient, {
      ...NEWS[news](other),
      button: isFamily
        ? { label: 'See your tutors', url: `${baseUrl}/tutors` }
        : { label: 'See your families', url: `${baseUrl}/to-confirm` },
      footer: 'You can choose which emails you get in your account settings.',
      unsubscribeUrl: unsubscribeUrl(baseUrl, end),
    })
  }
}

/** To an account: what waits for it. To an address without one, what waits there, in all or of a month. */
function waitingMail(places: Places): MailWriter {
  const ofMonth = monthMail(places)
  return async (tx, row) => {
    if (typeof row.data.link_id === 'string') return emailedMail(places)(tx, row)
    // Asked for by a version that wrote to tutors about a month like this.
    if (row.data.month !== undefined) return ofMonth(tx, row)
    const recipient = row.userId && (await addressFor(tx, row.userId, 'daily_digest'))
    if (!recipient || !row.userId) return undefined
    const waiting = await waitingFor(tx, row.userId, upTo(places.now()))
    const payments = await paymentsByMail(tx, { account: row.userId })
    const news = wordsOfDay(waiting, payments)
    if (!news) return undefined
    const words = row.data.is_reminder === true ? reminding(news, waiting) : news
    const written = await wordsWaiting(tx, row.userId, upTo(places.now()))
    const end = newToken()
    await insertUnsubscribe(tx, end, { userId: row.userId, notice: 'daily_digest' })
    return renderMail(recipient, {
      ...words,
      paragraphs: [...words.paragraphs, ...askingPayments(payments), ...written.map(writtenOf)],
      button: buttonOfDay(waiting, payments, places.baseUrl),
      footer: ONE_A_DAY,
      unsubscribeUrl: unsubscribeUrl(places.baseUrl, end),
    })
  }
}

/** A tutor answers on a page that has nothing else, as long as nothing is to be corrected. */
function buttonOfDay(waiting: Waiting[], payments: readonly MailedPayment[], baseUrl: string) {
  const isToAnswer =
    waiting.every(({ kind, sent_back: sentBack }) => kind === 'practice' && sentBack === 0) &&
    payments.every(({ side }) => side === 'practice')
  return {
    label: isToAnswer && payments.length === 0 ? 'See the sessions' : 'See what waits for you',
    url: `${baseUrl}/${isToAnswer ? 'to-confirm' : 'dashboard'}`,
  }
}

/** To an address without an account: what waits there, with a fresh link. */
function emailedMail({ baseUrl, now }: Places): MailWriter {
  return async (tx, row) => {
    const id = String(row.data.link_id)
    const month = typeof row.data.month === 'string' ? row.data.month : undefined
    // An account that took that side over is written to as an account.
    const asks = await connectionForMail(tx, id)
    if (!asks?.email || (await isOptedOut(tx, asks.email))) return undefined
    const all = await sessionsByMail(tx, id, month ? daysOfMonth(month) : { to: upTo(now()) })
    const sessions = all.filter((one) => !one.is_leaving)
    // The email about a month is about confirming it; deletions and payments are asked about day by day.
    const leaving = month ? [] : all.filter((one) => one.is_leaving)
    const payments = month ? [] : await paymentsByMail(tx, { connection: id })
    if (sessions.length + leaving.length + payments.length === 0) return undefined
    const [token, end] = [newToken(), newToken()]
    await insertUnsubscribe(tx, end, { address: asks.email })
    await insertLinkToken(tx, id, tokenHash(token), now())
    const list = listOf(sessions)
    const waiting = {
      sessions: sessions.length,
      minutes: sessions.reduce((sum, one) => sum + one.minutes, 0),
      deletions: leaving.length,
      since: earliest([...sessions, ...leaving].map((one) => one.asked_at)),
    }
    const news = month
      ? {
          subject: `${monthLabel(month)} is ready to confirm`,
          paragraphs: [toConfirm(asks, waiting)],
        }
      : wordsByMail(asks, waiting, payments)
    const words = row.data.is_reminder === true ? reminding(news, [waiting]) : news
    return renderMail(asks.email, {
      ...words,
      paragraphs: [
        greeting(asks),
        ...words.paragraphs,
        ...askingPayments(payments),
        ...wordsOfSessions(sessions).map(writtenOf),
      ],
      lines: list.lines,
      button: { label: list.label, url: `${baseUrl}/confirm#${token}` },
      after: [
        nothingYet(sessions.length + leaving.length, payments.length),
        ...(month ? [STATEMENT] : sessions.length > 0 ? [WHAT_TO_DO] : []),
      ],
      footer: ONE_A_DAY,
      unsubscribeUrl: unsubscribeUrl(baseUrl, end),
    })
  }
}

/** To an account: a month that is over. */
function monthMail({ baseUrl }: Places): MailWriter {
  return async (tx, row) => {
    const month = String(row.data.month)
    const recipient = row.userId && (await addressFor(tx, row.userId, 'month_ready'))
    const over = recipient && row.userId ? await monthOver(tx, row.userId, month) : []
    if (!recipient || !row.userId || over.length === 0) return undefined
    const end = newToken()
    await insertUnsubscribe(tx, end, { userId: row.userId, notice: 'month_ready' })
    return renderMail(recipient, {
      ...wordsOfMonth(month, over),
      button: { label: 'See the month', url: `${baseUrl}/summary?month=${month}` },
      footer: 'You get this email once a month, after a month with sessions that you share.',
      unsubscribeUrl: unsubscribeUrl(baseUrl, end),
    })
  }
}

/** To the other side of a month that somebody asks to close, closed or reopened: an account, or the address of a side without one. */
function monthNewsMail({ baseUrl, now }: Places): MailWriter {
  return async (tx, row) => {
    const [id, month, news] = [String(row.data.link_id), String(row.data.month), String(row.data.news)]
    const parties = await partiesForMail(tx, id)
    const change = await monthNews(tx, id, month)
    // What was closed or reopened since is told by its own email.
    if (!parties || change?.state !== news) return undefined
    const by =
      news === 'reopened' ? change.reopened_by : news === 'asked' ? change.asked_by : other(change.asked_by)
    const name =
      by === 'family'
        ? familyOf(parties.family_name, parties.first_names)
        : tutorOf(parties.tutor_name, parties.first_names)
    const words = wordsOfMonthNews(news, name, monthLabel(month), change.reason)
    const end = newToken()
    if (row.userId) {
      const recipient = await addressFor(tx, row.userId, 'month_ready')
      if (!recipient) return undefined
      await insertUnsubscribe(tx, end, { userId: row.userId, notice: 'month_ready' })
      return renderMail(recipient, {
        ...words,
        button: { label: 'See the month', url: `${baseUrl}/summary?month=${month}` },
        footer: 'You get this email when a month that you share is to be closed, or changes.',
        unsubscribeUrl: unsubscribeUrl(baseUrl, end),
      })
    }
    const asks = await connectionForMail(tx, id)
    if (!asks?.email || (await isOptedOut(tx, asks.email))) return undefined
    const token = newToken()
    await insertUnsubscribe(tx, end, { address: asks.email })
    await insertLinkToken(tx, id, tokenHash(token), now())
    return renderMail(asks.email, {
      ...words,
      button: { label: 'See the month', url: `${baseUrl}/confirm#${token}` },
      footer:
        'You get this email when a month that you share is to be closed, or changes. You need no account.',
      unsubscribeUrl: unsubscribeUrl(baseUrl, end),
    })
  }
}

const other = (side: 'family' | 'practice') => (side === 'family' ? 'practice' : 'family')

function wordsOfMonthNews(news: string, name: string, month: string, reason: string | null): Words {
  if (news === 'asked')
    return {
      subject: `${name} asks to close ${month}`,
      paragraphs: [
        `You both confirmed everything in ${month}. ${name} asks you to close the month. Then both of you have the same page, with a code that anyone can check.`,
      ],
    }
  if (news === 'closed')
    return {
      subject: `${month} is closed`,
      paragraphs: [
        `${name} confirmed ${month}, so the month is closed. Both of you have the same page. Keep a copy of it.`,
      ],
    }
  return {
    subject: `${name} reopened ${month}`,
    paragraphs: [
      `${name} reopened ${month}, which both of you had closed, and gives this reason: “${reason ?? ''}”`,
      'The code on the page now says that the month changed since. Once both of you agree again, the month can be closed again.',
    ],
  }
}

function nothingYet(sessions: number, payments: number): string {
  const what = [sessions > 0 && 'sessions', payments > 0 && 'payments'].filter((part) => part !== false)
  return `The button opens a page with these ${what.join(' and ')}. Nothing is confirmed until you say so there.`
}
const ONE_A_DAY =
  'You get at most one such email a day: when there is something new, and two reminders of what stays unanswered.'
const WHAT_TO_DO = 'Confirm what took place, and send back what is not right.'
const STATEMENT = 'Once everything is confirmed, both of you can get the signed-off statement of the month.'

/** A lesson of tomorrow may be today's where the recipient is. */
const upTo = (now: Date) => addDays(dayIn(now, 'UTC'), 1)
const unsubscribeUrl = (baseUrl: string, end: string) => `${baseUrl}/unsubscribe?token=${end}`
const count = (sessions: number) => (sessions === 1 ? '1 session' : `${sessions} sessions`)
const together = ({ sessions, minutes }: { sessions: number; minutes: number }) =>
  `${count(sessions)}, ${formatHours(minutes as Minutes)} hours together`

/** What was written of a lesson, as a paragraph in which nothing becomes a link. */
function writtenOf({ first_name: name, day, summary, homework }: WaitingWords): string {
  const date = formatDay(day, { month: 'short', day: 'numeric' })
  return [
    [plainName(name, ''), date].filter(Boolean).join(', '),
    ...(summary ? [`Summary: ${plainText(summary)}`] : []),
    ...(homework ? [`Homework: ${plainText(homework)}`] : []),
  ].join('\n')
}

type Words = Pick<MailContent, 'subject' | 'paragraphs'>

const toConfirm = (asks: EmailedSide, waiting: Pick<Waiting, 'sessions' | 'minutes'>) =>
  `${whoAsks(asks)} logged lessons ${asks.side === 'practice' ? 'with you ' : ''}that wait for your confirmation: ${together(waiting)}.`

/** What waits for an address without an account. */
function wordsByMail(
  asks: EmailedSide,
  waiting: Pick<Waiting, 'sessions' | 'minutes' | 'deletions'>,
  payments: readonly MailedPayment[],
): Words {
  const { sessions, deletions } = waiting
  const subject =
    deletions === 0
      ? `${count(sessions)} to confirm`
      : sessions === 0
        ? `${whoAsks(asks)} asks to delete ${count(deletions)}`
        : `${count(sessions + deletions)} waiting for you`
  const all = sessions + deletions
  return {
    subject: withPayments(all > 0 ? { subject, count: count(all) } : null, payments, whoAsks(asks)),
    paragraphs: [
      ...(sessions > 0 ? [toConfirm(asks, waiting)] : []),
      ...(deletions > 0 ? [deletionWords(deletions)] : []),
    ],
  }
}

function deletionWords(deletions: number): string {
  const isOne = deletions === 1
  return `${isOne ? 'One session is' : `${deletions} sessions are`} to be deleted, if you agree. Without your answer ${isOne ? 'it counts' : 'they count'} in no total.`
}

/** The same as a reminder: since when the oldest of it waits, and what comes of not answering. */
function reminding({ subject, paragraphs }: Words, waiting: Pick<Waiting, 'since' | 'deletions'>[]): Words {
  const oldest = earliest(waiting.flatMap(({ since }) => since ?? []))
  const isLeaving = waiting.some(({ deletions }) => deletions > 0)
  return {
    subject: `Reminder: ${subject}`,
    paragraphs: [
      ...paragraphs,
      ...(oldest
        ? [
            `The oldest has been waiting since ${formatDay(dayIn(oldest, 'UTC'), { month: 'long', day: 'numeric' })}. Silence never counts as a yes: after ${ANSWER_DAYS} days the other side reads “No answer”${isLeaving ? ', and may take what it asked to delete out of its own log' : ''}.`,
          ]
        : []),
    ],
  }
}

function earliest(moments: readonly Date[]): Date | null {
  return moments.reduce<Date | null>((first, one) => (first && first <= one ? first : one), null)
}

const NEWS: Record<ConnectionNews, (other: string) => Words> = {
  accepted: (other) => ({
    subject: `${other} is now connected with you`,
    paragraphs: [
      `${other} accepted your request. You both see and confirm the sessions that you share, and the same history of each.`,
    ],
  }),
  declined: (other) => ({
    subject: `${other} declined to connect`,
    paragraphs: [
      `${other} will not confirm sessions in Tutorlog. Your own log stays as it is, and no more emails go to ${other}.`,
    ],
  }),
  ended,
}

function ended(other: string): Words {
  return {
    subject: `${other} ended the connection with you`,
    paragraphs: [
      `Every session that you shared stays in your log, with what both of you confirmed. From now on what either of you logs or changes is no longer shared.`,
    ],
  }
}

/** What the other side is called where several may be meant, and where one is. */
const OTHER = {
  family: { some: 'Tutors', one: 'A tutor', yours: 'your tutor' },
  practice: { some: 'Families', one: 'A family', yours: 'the family' },
} as const

/** What waits for an account, in its families and its practices; undefined when nothing does. */
function wordsOfDay(waiting: Waiting[], payments: readonly MailedPayment[]): Words | undefined {
  const sum = (field: 'sessions' | 'deletions' | 'sent_back') =>
    waiting.reduce((total, one) => total + one[field], 0)
  const [toConfirm, deletions, sentBack] = [sum('sessions'), sum('deletions'), sum('sent_back')]
  const [only, ...more] = new Set([...waiting.map(({ kind }) => kind), ...payments.map(({ side }) => side)])
  if (!only) return undefined
  const other = more.length === 0 ? OTHER[only].one : 'Someone'
  const subject =
    sentBack + deletions === 0
      ? `${count(toConfirm)} to confirm`
      : toConfirm + deletions === 0
        ? `${other} sent ${count(sentBack)} back`
        : toConfirm + sentBack === 0
          ? `${other} asks to delete ${count(deletions)}`
          : `${count(toConfirm + deletions + sentBack)} waiting for you`
  const all = toConfirm + deletions + sentBack
  return {
    subject: withPayments(all > 0 ? { subject, count: count(all) } : null, payments, other),
    paragraphs: waiting.flatMap(paragraphsOfDay),
  }
}

function paragraphsOfDay(one: Waiting): string[] {
  const { some, yours } = OTHER[one.kind]
  return [
    ...(one.sessions > 0
      ? [
          `${some} logged or changed lessons with you that wait for your confirmation: ${together(one)}. ${WHAT_TO_DO}`,
        ]
      : []),
    ...(one.sent_back > 0
      ? [
          `${one.sent_back === 1 ? 'One session does' : `${one.sent_back} sessions do`} not look right to ${yours}. The note says why. Correct it, or answer.`,
        ]
      : []),
    ...(one.deletions > 0 ? [deletionWords(one.deletions)] : []),
  ]
}

/** A month that is over: confirmed as a whole, or what is left to do, by whom. */
function wordsOfMonth(month: string, over: MonthOver[]): Words {
  const isConfirmed = over.every(({ sessions, confirmed }) => sessions === confirmed)
  if (isConfirmed)
    return {
      subject: `${monthLabel(month)} is confirmed`,
      paragraphs: over.map(
        (one) =>
          `You and ${OTHER[one.kind].yours} confirmed every session of the month: ${together(one)}. The signed-off statement is ready.`,
      ),
    }
  return {
    subject: `${monthLabel(month)} is ready to confirm`,
    paragraphs: [
      ...over.map((one) => {
        const { some, yours } = OTHER[one.kind]
        const open = [
          one.sent_back > 0 && `${one.sent_back} sent back to you`,
          one.for_you > 0 && `${one.for_you} waiting for you`,
          one.for_them > 0 && `${one.for_them} waiting for ${yours}`,
        ].filter((part) => part !== false)
        return `With connected ${some.toLowerCase()} you share ${together(one)}. ${open.length > 0 ? `Still open: ${open.join(', ')}.` : 'All of them are confirmed.'}`
      }),
      STATEMENT,
    ],
  }
}
