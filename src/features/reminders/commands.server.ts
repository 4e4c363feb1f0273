// What jobs do to remind people. What is to be sent is written in the same transaction as its cause, so that a restart between two
// steps loses nothing and repeats nothing. Whether something may be sent now is decided again when it's sent.
import { randomUUID } from 'node:crypto'
import { addDays, monthOf } from '#kernel/calendar-day.ts'
import type { CallerDb } from '#features/access/db.server.ts'
import { dueDaysRemindedOn } from '#features/payments/due.ts'
import { type PushKind, pushTo, type QueuedPush } from '#features/push/commands.server.ts'
import { ASKED_DAYS } from '#features/schedules/occurrence.ts'
import type { Db, Tx } from '#platform/db/db.server.ts'
import type { SendMail } from '#platform/mail/mailer.server.ts'
import { type OutboxRow, queueMail } from '#platform/mail/outbox.server.ts'
import type { MailWriter } from '#platform/mail/send-mail.server.ts'
import type { PushText } from '#platform/push/push-message.ts'
import { clockOf, type ZoneClock } from '#platform/zoned-time.server.ts'
import {
  type Ask,
  asksOf,
  classesAround,
  dueAccounts,
  dueLooks,
  type DueLook,
  forgetAsks,
  latestAsked,
  lockReminders,
  noteAnswered,
  noteAsked,
  noteDelivered,
  noteLooked,
  noteTold,
  owingAccounts,
  type Reader,
  saveLook,
  takeHour,
  type TimedClass,
  untoldAccounts,
  waitUntil,
} from './queries.server.ts'
import {
  ASKED_IN_VAIN,
  daysToLookAt,
  dayToTell,
  endedIn,
  mayRepeat,
  nextQuestion,
  nextReminder,
  secondsUntilQuiet,
} from './reminder.ts'

/** How many workspaces or accounts a job reads at a time. */
const BATCH = 100
/** How many days ahead a look finds the next class. A workspace without one is looked at again then. */
const AHEAD_DAYS = 16
const DAY_MS = 86_400_000

/** Asks about the classes that ended since the last look. Looks only at workspaces in which one did, or a schedule changed. */
export async function lookAtClasses(db: CallerDb, now: Date): Promise<void> {
  await inTurn(
    () => db.readAsSystem((tx) => dueLooks(tx, now, BATCH)),
    ({ reader }) => reader.workspace.id,
    (look) => lookAt(db, look, now),
  )
}

async function lookAt(db: CallerDb, look: DueLook, now: Date): Promise<void> {
  const { reader, startedAt } = look
  const from = new Date(Math.max(startedAt.getTime(), now.getTime() - ASKED_DAYS * DAY_MS))
  const horizon = new Date(now.getTime() + (AHEAD_DAYS - 2) * DAY_MS)
  const planned = await readPlanned(db, reader, now, AHEAD_DAYS)
  const { ended, nextLook } = endedIn(planned, { from, now, horizon })
  await db.asSystem((tx) => saveLook(tx, look, ended, { now, nextLook }))
}

async function readPlanned(db: CallerDb, reader: Reader, now: Date, ahead: number): Promise<TimedClass[]> {
  return (await readClasses(db, reader, now, ahead)).filter(({ status }) => status === 'planned')
}

/** The classes that a member sees around today. */
export async function readClasses(
  db: CallerDb,
  reader: Reader,
  now: Date,
  ahead?: number,
): Promise<TimedClass[]> {
  return db.readAsMember(reader, (tx) => classesNow(tx, reader, now, ahead))
}

/** In a member's transaction: the classes that the member sees around today. */
export async function classesNow(tx: Tx, reader: Reader, now: Date, ahead = 2): Promise<TimedClass[]> {
  const today = clockOf(reader.zone).local(now).day
  return classesAround(tx, reader, addDays(today, -ASKED_DAYS - 2), addDays(today, ahead))
}

/** Asks each account that may be asked now about all the classes it's to be asked about, in one reminder. */
export async function askAfterClasses(db: CallerDb, now: Date): Promise<void> {
  await inTurn(
    () => db.readAsSystem((tx) => dueAccounts(tx, now, BATCH)),
    (accountId) => accountId,
    (accountId) => askAccount(db, accountId, now),
  )
}

async function askAccount(db: CallerDb, accountId: string, now: Date): Promise<void> {
  const asks = await db.readAsSystem((tx) => asksOf(tx, accountId))
  const { open, answered, gone } = await sorted(db, asks, now)
  const waiting = open.filter((ask) => ask.mail_id === null)
  await db.asSystem(async (tx) => {
    const locked = await lockReminders(tx, accountId, now)
    if (!locked?.isDue) return
    await noteAnswered(tx, answered, now)
    await forgetAsks(
      tx,
      accountId,
      gone.filter((ask) => ask.mail_id === null),
    )
    const asked = await latestAsked(tx, accountId, ASKED_IN_VAIN)
    const at = nextQuestion(now, locked.last, asked, locked.clock)
    if (waiting.length > 0 && at <= now) {
      const id = randomUUID()
      await remind(tx, { id, userId: accountId, kind: 'class_questions' }, now)
      await noteAsked(tx, accountId, waiting, { id, now })
      await takeHour(tx, accountId, { id, month: monthIn(locked.clock, now), isQuestion: true }, now)
    }
    await waitUntil(tx, accountId, at)
  })
}

/** A question with its class. */
interface OpenAsk extends Ask {
  planned: TimedClass
}

/** Sorts questions by what became of their classes: still open, answered by anyone, or no longer what was asked about. */
export async function sorted(db: CallerDb, asks: readonly Ask[], now: Date) {
  const found = { open: [] as OpenAsk[], answered: [] as Ask[], gone: [] as Ask[] }
  for (const [, own] of Map.groupBy(asks, ({ reader }) => reader.workspace.id)) {
    const [first] = own
    if (!first) continue
    const classes = await readClasses(db, first.reader, now)
    for (const ask of own) {
      const planned = classes.find(
        (one) => one.schedule_id === ask.schedule_id && one.original_date === ask.day,
      )
      if (!planned || planned.endsAt > now) found.gone.push(ask)
      else if (planned.status === 'planned') found.open.push({ ...ask, planned })
      else found.answered.push(ask)
    }
  }
  return found
}

/** Tells each account that wants to know of tomorrow's classes, once it's evening there. */
export async function tellTomorrow(db: Db, now: Date): Promise<void> {
  await db.asSystem(async (tx) => {
    for (const { accountId, clock } of await untoldAccounts(tx, now)) {
      const day = dayToTell(now, clock)
      if (day && (await noteTold(tx, accountId, day)))
        await remind(tx, { userId: accountId, kind: 'classes_tomorrow', data: { day } }, now)
    }
  })
}

/**
 * Reminds each account of the money that's due on this day of theirs, or was due one or two weeks ago. Whether any of it is
 * still owed is decided when it's sent.
 */
export async function remindOfMoney(db: Db, now: Date): Promise<void> {
  await db.asSystem(async (tx) => {
    for (const { accountId, today, lookedOn, told, connections } of await owingAccounts(tx, now)) {
      const days = daysToLookAt(today, lookedOn)
      const due = connections
        .map(({ id, versions }) => ({
          id,
          days: days.flatMap((day) => dueDaysRemindedOn(day, versions, mayRepeat(told))),
        }))
        .filter((one) => one.days.length > 0)
      if ((await noteLooked(tx, accountId, today)) && due.length > 0)
        await remind(tx, { userId: accountId, kind: 'money_due', data: { due } }, now)
    }
  })
}

/**
 * The news that come along with an account's question after a class, as paragraphs; they count as told. Empty if there are none.
 * @param isOnDevice there, they aren't read out, so whatever needs a decision isn't among them
 */
export type NewsAlong = (tx: Tx, accountId: string, now: Date, isOnDevice: boolean) => Promise<string[]>

/** A reminder of an account. Its id stays the same, whichever way it goes. */
interface Reminder {
  id?: string
  userId: string
  kind: string
  data?: Record<string, unknown>
}

/**
 * Reminds an account, in the transaction that causes it. This is the only place that chooses how: on the account's devices, or
 * else by email, never both.
 */
export async function remind(
  tx: Tx,
  { id = randomUUID(), userId, kind, data = {} }: Reminder,
  now: Date,
): Promise<void> {
  const sent = await pushTo(tx, { userId, kind, data: { ...data, id } }, now, id)
  if (sent === 'no device') await queueMail(tx, { id, userId, recipient: '', kind, data })
}

/** A reminder to be written, on its account's clock. */
interface DueReminder extends OutboxRow {
  userId: string
  clock: ZoneClock
}

/** What a reminder says on a device. */
type ReminderText = Omit<PushText, 'tag' | 'ttlSeconds'>

/**
 * Writes a reminder's email when the account may get one: not at night, and not within an hour of the last one. Until then, it's
 * held. An email to an address without an account is written at once: its job runs at a good time for most.
 */
export function atGoodTime(
  writer: (tx: Tx, row: OutboxRow, clock?: ZoneClock) => ReturnType<MailWriter>,
  now: () => Date,
): MailWriter {
  return async (tx, row) => {
    const { userId } = row
    if (!userId) return writer(tx, row)
    const mail = await whenDue(tx, { ...row, userId }, now(), (due) => writer(tx, due, due.clock))
    return mail && !('heldUntil' in mail) ? { ...mail, reminds: userId } : mail
  }
}

/** Writes an email at once, except at night on its account's clock. Until the morning, it's held. */
export function notAtNight(writer: MailWriter, now: () => Date): MailWriter {
  return async (tx, row) => {
    const moment = now()
    const locked = row.userId ? await lockReminders(tx, row.userId, moment, row.id) : undefined
    const at = nextReminder(moment, null, locked?.isPlaced ? locked.clock : undefined)
    return at > moment ? { heldUntil: at } : writer(tx, row)
  }
}

/**
 * A kind of reminder as a message to devices, by the same rules as its email. A device that isn't reached before the quiet hours
 * doesn't get it. If no device takes it, it's emailed.
 * @param writer what it says, with or without names; undefined if it's no longer needed
 */
export function pushAtGoodTime(
  writer: (tx: Tx, due: DueReminder, showsNames: boolean) => Promise<ReminderText | undefined>,
  now: () => Date,
): PushKind {
  return {
    write: (tx, message) =>
      whenDue(
        tx,
        rowOf(message),
        now(),
        async (due) => {
          const text = await writer(tx, due, message.showsNames)
          return text && { ...text, tag: due.id, ttlSeconds: secondsUntilQuiet(now(), due.clock) }
        },
        true,
      ),
    sendInstead: (tx, message) => queueMail(tx, rowOf(message)),
    noteDelivered: (tx, { userId }) => noteDelivered(tx, userId, now()),
  }
}

/** A message as the email that says the same. */
function rowOf({ userId, kind, data: { id, ...data } }: QueuedPush): OutboxRow & { userId: string } {
  return { id: String(id), userId, recipient: '', kind, data }
}

/**
 * Writes a reminder in its turn, which takes the account's hour, or says until when it's held.
 * @param isOnDevice devices are quiet at night even if no browser has told the account's time zone
 */
async function whenDue<Written extends object>(
  tx: Tx,
  row: OutboxRow & { userId: string },
  now: Date,
  write: (due: DueReminder) => Promise<Written | undefined>,
  isOnDevice = false,
): Promise<Written | { heldUntil: Date } | undefined> {
  const locked = await lockReminders(tx, row.userId, now, row.id)
  if (!locked) return undefined
  const { clock, last, isPlaced } = locked
  const at = nextReminder(now, last, isPlaced || isOnDevice ? clock : undefined)
  if (at > now) return { heldUntil: at }
  const written = await write({ ...row, clock })
  if (written && !('heldUntil' in written)) {
    const { id, userId, kind } = row
    await takeHour(
      tx,
      userId,
      { id, month: monthIn(clock, now), isQuestion: kind === 'class_questions' },
      now,
    )
  }
  return written
}

const monthIn = (clock: ZoneClock, now: Date) => monthOf(clock.local(now).day)

/** Delivers an email, and notes when a reminder was. */
export function deliverMail(db: Db, send: SendMail, now: () => Date): SendMail {
  return async (id, mail) => {
    await send(id, mail)
    const { reminds } = mail
    if (reminds) await db.asSystem((tx) => noteDelivered(tx, reminds, now()))
  }
}

/** Works through what is due in batches, each once. One that fails doesn't keep the others from their turn. */
async function inTurn<Due>(
  read: () => Promise<Due[]>,
  keyOf: (due: Due) => string,
  work: (due: Due) => Promise<void>,
): Promise<void> {
  const seen = new Set<string>()
  const failures: unknown[] = []
  for (;;) {
    const due = (await read()).filter((one) => !seen.has(keyOf(one)))
    if (due.length === 0) break
    for (const one of due) {
      seen.add(keyOf(one))
      await work(one).catch((error: unknown) => failures.push(error))
    }
  }
  if (failures.length > 0) throw failures[0]
}
