// The reminders, as emails and as messages to devices: the question after a class, tomorrow's classes, and money that's due. They're
// composed when they are sent, so nobody is asked about a class that someone has answered for, or reminded of what was paid.
import type { CallerDb } from '#features/access/db.server.ts'
import { seesAmounts } from '#features/access/role.ts'
import type { NoticeName } from '#features/notices/notice.ts'
import { addressFor, insertUnsubscribe } from '#features/notices/queries.server.ts'
import { readLedgers } from '#features/payments/balance-queries.server.ts'
import { dueInDollars } from '#features/payments/owed.ts'
import type { PushKind } from '#features/push/commands.server.ts'
import { ASKED_DAYS, yourDay } from '#features/schedules/occurrence.ts'
import { paths } from '#features/site/paths.ts'
import { nameOfAccount } from '#features/workspaces/queries.server.ts'
import { addDays, type CalendarDay, formatDay } from '#kernel/calendar-day.ts'
import { firstName } from '#kernel/plain-name.ts'
import { newToken, tokenHash } from '#platform/http/token.server.ts'
import type { Mail } from '#platform/mail/mailer.server.ts'
import type { MailWriter } from '#platform/mail/send-mail.server.ts'
import { type MailContent, renderMail } from '#platform/mail/template.server.ts'
import { ANSWER_PATH } from './class-question.ts'
import { classLine, questionWords, tomorrowWords, whenIs } from './class-words.ts'
import { MONEY_DUE, type DueTo, moneyLine } from './money-words.ts'
import { atGoodTime, type NewsAlong, pushAtGoodTime, readClasses, sorted } from './commands.server.ts'
import {
  asksOf,
  insertClassLink,
  noteAnswered,
  type Reader,
  readersOf,
  type TimedClass,
  userOf,
} from './queries.server.ts'

type Tx = Parameters<MailWriter>[0]
type Row = Record<string, unknown>

interface Sources {
  db: CallerDb
  now: () => Date
  newsAlong: NewsAlong
}
interface Places extends Sources {
  baseUrl: string
}

type PushWriter = Parameters<typeof pushAtGoodTime>[0]

/** How many lines a message to a device has. */
const MOST_LINES = 4

/** The functions that write these emails, by kind. */
export function reminderWriters(places: Places): Record<string, MailWriter> {
  return {
    class_questions: atGoodTime(questionsMail(places), places.now),
    classes_tomorrow: atGoodTime(tomorrowMail(places), places.now),
    money_due: atGoodTime(moneyMail(places), places.now),
  }
}

/** The same as messages to devices. */
export function reminderPushes(places: Sources): Record<string, PushKind> {
  return {
    class_questions: pushAtGoodTime(questionsPush(places), places.now),
    classes_tomorrow: pushAtGoodTime(tomorrowPush(places), places.now),
    money_due: pushAtGoodTime(moneyPush(places), places.now),
  }
}

/** The classes that a reminder asks about and nobody has answered for, and how many the account is asked about in all. */
async function askedBy(tx: Tx, { db, now }: Sources, id: string, userId: string) {
  const { open, answered } = await sorted(db, await asksOf(tx, userId), now())
  await noteAnswered(tx, answered, now())
  return { asked: open.filter((ask) => ask.mail_id === id), waiting: open.length }
}

/** A new link that answers a reminder's questions. */
async function newClassLink(tx: Tx, accountId: string, mailId: string, now: Date): Promise<string> {
  const token = newToken()
  await insertClassLink(tx, tokenHash(token), { accountId, mailId, now })
  return token
}

function questionsMail(places: Places): MailWriter {
  return async (tx, { id, userId }) => {
    if (!userId) return undefined
    const { asked } = await askedBy(tx, places, id, userId)
    if (asked.length === 0 || !(await addressFor(tx, userId, 'class_questions'))) return undefined
    const token = await newClassLink(tx, userId, id, places.now())
    const { subject, text, label } = questionWords(asked.length)
    const news = await places.newsAlong(tx, userId, places.now(), false)
    return writeTo(tx, userId, 'class_questions', places.baseUrl, {
      subject,
      paragraphs: [text, asked.map(({ planned, reader }) => classLine(planned, readAs(reader))).join('\n')],
      button: { label, url: `${places.baseUrl}${paths.classQuestions}#${token}` },
      after: [
        `Opening the page records nothing until you answer. This link is just for you and works for ${ASKED_DAYS} days.`,
        ...(news.length > 0 ? ['Also new:', ...news] : []),
      ],
      footer:
        'You get this after a class, as long as nobody has answered. After three without an answer, once a week.',
    })
  }
}

function questionsPush(places: Sources): PushWriter {
  return async (tx, { id, userId }, showsNames) => {
    const { asked, waiting } = await askedBy(tx, places, id, userId)
    const [first, ...more] = asked
    if (!first || !(await addressFor(tx, userId, 'class_questions'))) return undefined
    const token = await newClassLink(tx, userId, id, places.now())
    const news = await places.newsAlong(tx, userId, places.now(), true)
    const yes = {
      title: 'Yes',
      path: ANSWER_PATH,
      input: { token, schedule_id: first.schedule_id, date: first.day, outcome: null },
    } as const
    return {
      title: questionWords(asked.length).subject,
      body: [
        listInShort(
          asked.map(({ planned, reader }) => ({ ...planned, reader })),
          showsNames,
        ),
        ...(news.length > 0 ? ['There’s also news in the app.'] : []),
      ].join('\n'),
      path: `${paths.classQuestions}#${token}`,
      waiting,
      ...(more.length === 0 && {
        answers: [yes, { title: 'No' }],
      }),
    }
  }
}

/** The classes of a day that an account still has ahead, in all its workspaces. */
async function classesOn(tx: Tx, { db, now }: Sources, userId: string, day: CalendarDay) {
  const found: (TimedClass & { reader: Reader })[] = []
  for (const reader of await readersOf(tx, userId))
    for (const one of await readClasses(db, reader, now()))
      if (yourDay(one) === day && one.status === 'planned' && one.endsAt > now())
        found.push({ ...one, reader })
  return found
}

function tomorrowMail(places: Places): Parameters<typeof atGoodTime>[0] {
  return async (tx, { userId, data }, clock) => {
    if (!userId || !clock) return undefined
    const day = String(data.day) as CalendarDay
    const classes = await classesOn(tx, places, userId, day)
    if (classes.length === 0) return undefined
    const date = formatDay(day, { weekday: 'long', month: 'long', day: 'numeric' })
    return writeTo(tx, userId, 'classes_tomorrow', places.baseUrl, {
      subject: tomorrowWords(classes.length, clock.local(places.now()).day === day),
      paragraphs: [`On ${date}:`, classes.map((one) => classLine(one, readAs(one.reader))).join('\n')],
      button: { label: 'See the schedule', url: `${places.baseUrl}${paths.schedules}` },
      footer: 'You get this on the evening before a day with classes.',
    })
  }
}

function tomorrowPush(places: Sources): PushWriter {
  return async (tx, { userId, data, clock }, showsNames) => {
    const day = String(data.day) as CalendarDay
    const classes = await classesOn(tx, places, userId, day)
    if (classes.length === 0 || !(await addressFor(tx, userId, 'classes_tomorrow'))) return undefined
    return {
      title: tomorrowWords(classes.length, clock.local(places.now()).day === day),
      body: listInShort(classes, showsNames),
      path: paths.schedules,
    }
  }
}

/**
 * What an account's families still owe of the money that a reminder is about, with all else that's due to the same tutors by
 * this day of theirs.
 */
async function owedNow(
  tx: Tx,
  { db }: Sources,
  { userId, data }: { userId: string; data: Row },
  today: CalendarDay,
) {
  const about = new Map((data.due as { id: string; days: string[] }[]).map(({ id, days }) => [id, days]))
  const found: DueTo[] = []
  for (const reader of await readersOf(tx, userId)) {
    const { kind, role } = reader.workspace
    const member = kind === 'family' && seesAmounts(role) ? await userOf(tx, reader) : undefined
    if (!member?.workspace?.allStudents) continue
    const ledgers = await db.readAsMember(reader, (own) =>
      // It may already be tomorrow for the tutor, who said that it was paid.
      readLedgers(own, reader.workspace.id, 'tutor', addDays(today, 1)),
    )
    for (const { connection_id: connectionId, name: tutor, currency, ...ledger } of ledgers) {
      const due = dueInDollars(ledger, today).filter(({ date }) => date <= today)
      const days = connectionId && about.get(connectionId)
      if (connectionId && days && due.some(({ date }) => days.includes(date)))
        found.push({ connectionId, tutor, currency, due })
    }
  }
  return found
}

/** Where what's due to these tutors is shown. */
function moneyPath([first, ...more]: readonly DueTo[]): `/${string}` {
  return first && more.length === 0
    ? `${paths.payments}?${new URLSearchParams({ with: first.connectionId }).toString()}`
    : paths.payments
}

function moneyMail(places: Places): Parameters<typeof atGoodTime>[0] {
  return async (tx, { userId, data }, clock) => {
    if (!userId || !clock) return undefined
    const today = clock.local(places.now()).day
    const owed = await owedNow(tx, places, { userId, data }, today)
    if (owed.length === 0) return undefined
    return writeTo(tx, userId, 'money_due', places.baseUrl, {
      subject: MONEY_DUE,
      paragraphs: [
        'By the terms that both sides agreed on, this is due:',
        owed.map((one) => moneyLine(one, today)).join('\n'),
      ],
      button: { label: 'See payments', url: `${places.baseUrl}${moneyPath(owed)}` },
      after: ['Already paid? Say so there, and this reminder ends.'],
      footer:
        'Tutorlog sends this by itself, on the day that money is due and after 7 and 14 days, until either side says it was paid.',
    })
  }
}

function moneyPush(places: Sources): PushWriter {
  return async (tx, { userId, data, clock }, showsNames) => {
    const today = clock.local(places.now()).day
    const owed = await owedNow(tx, places, { userId, data }, today)
    if (owed.length === 0 || !(await addressFor(tx, userId, 'money_due'))) return undefined
    const end = newToken()
    await insertUnsubscribe(tx, end, { userId, notice: 'money_due' })
    return {
      title: MONEY_DUE,
      body: firstLines(owed.map((one) => moneyLine(one, today, showsNames))),
      path: moneyPath(owed),
      answers: [{ title: 'Turn off', path: `/unsubscribe?token=${end}`, input: {} }],
    }
  }
}

/** The first few classes, for a device: it shows little, and on a lock screen names only to whoever allowed them. */
function listInShort(classes: readonly (TimedClass & { reader: Reader })[], showsNames: boolean): string {
  return firstLines(classes.map((one) => (showsNames ? classLine(one, readAs(one.reader)) : whenIs(one))))
}

function firstLines(lines: readonly string[]): string {
  const more = lines.length - MOST_LINES
  return [...lines.slice(0, MOST_LINES), ...(more > 0 ? [`and ${more} more`] : [])].join('\n')
}

const readAs = ({ workspace: { kind } }: Reader) => (kind === 'family' ? 'parent' : 'tutor')

/** Writes an email to an account, with a link that turns off its kind. Undefined if the account doesn't want it. */
async function writeTo(
  tx: Tx,
  userId: string,
  notice: NoticeName,
  baseUrl: string,
  content: Omit<MailContent, 'greets' | 'helpUrl' | 'unsubscribeUrl'>,
): Promise<Mail | undefined> {
  const address = await addressFor(tx, userId, notice)
  if (!address) return undefined
  const end = newToken()
  await insertUnsubscribe(tx, end, { userId, notice })
  return renderMail(address, {
    ...content,
    greets: firstName(await nameOfAccount(tx, userId)),
    helpUrl: `${baseUrl}${paths.help}#logging`,
    unsubscribeUrl: `${baseUrl}/unsubscribe?token=${end}`,
  })
}
