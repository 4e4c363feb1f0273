// The demo's payments, balances and month closings.
import { type CalendarDay, dayIn, monthOf } from '#kernel/calendar-day.ts'
import type { Endpoint } from '#kernel/endpoint.ts'
import {
  CloseMonth,
  inTheWay,
  latest,
  ListClosedMonths,
  ListMonths,
  type MonthRows,
  notOverInWords,
  obstacleInWords,
  ReopenMonth,
  standingOfMonth,
  WithdrawMonth,
} from '#features/months/closing.ts'
import { contentOf, type MonthContent, ReadMonthPage, toPage } from '#features/months/month-page.ts'
import { CODE_LENGTH, CODE_LETTERS, shownCode } from '#features/months/sign-off.ts'
import {
  countsInTotal,
  inDollars,
  isWorthALine,
  ReadBalances,
  ReadLedger,
  toBalance,
  totalOf,
} from '#features/payments/balance.ts'
import {
  ConfirmPayment,
  AcceptPayment,
  DisputePayment,
  KeepPayment,
  ListUnsharedPayments,
  ListWaitingPayments,
  WithdrawPaymentConfirmation,
} from '#features/payments/confirmation.ts'
import { ReadPaymentHistory } from '#features/payments/history.ts'
import { owedAsOf, toOwed } from '#features/payments/owed.ts'
import {
  AddPayment,
  DeletePayment,
  listedDays,
  ListPayments,
  ReadPayment,
  UpdatePayment,
} from '#features/payments/payment.ts'
import { ListConnectionPaymentWays, ListPaymentWays } from '#features/payments/payment-way.ts'
import { ReadSummary, summarize } from '#features/summary/summary.ts'
import { ReadYear, summarizeYear } from '#features/summary/year.ts'
import { ReadTaxPeriod, taxPeriodOf } from '#features/months/tax-period.ts'
import { foundOf, partsOf } from '#features/sessions/session-search.ts'
import { newId } from '#kernel/id.ts'
import { answers, type Ask, type Handler, keepPrinted, refuse, take } from './answering.ts'
import { CONNECTION, CURRENCY, OTHER_NAMES, TUTOR } from './cast.ts'
import type { DemoRecord, Entry, Side } from './record.ts'
import { toCharge } from './charge-answers.ts'
import { versionsOf } from './terms-answers.ts'
import { accepted, entryOf, giveAnswer, kept, removed } from './session-answers.ts'
import {
  accountOf,
  childWith,
  entriesOf,
  figuresOf,
  ledgerLines,
  linesOf,
  monthRows,
  newestFirst,
  portionsOf,
  toPayment,
  toPaymentHistory,
  toSharedPayment,
  sessionsOf,
} from './views.ts'

// Payments.

const add = answers(AddPayment, ({ record, side, input }) => {
  const { kind, amount, hours: minutes, date, student_id, connection_id, currency, method, note } = input
  if (currency && currency !== CURRENCY) refuse(AddPayment, 'other_currency')
  if (connection_id && connection_id !== CONNECTION) refuse(AddPayment, 'not_connected')
  const child = childWith(side, student_id) ?? null
  if (student_id && !child) refuse(AddPayment, 'unknown_student')
  if (side === 'family' && !input.tutor_id && !connection_id) refuse(AddPayment, 'no_tutor')
  const outcome = record.world.record(
    { side },
    {
      tutor: side === 'family' ? TUTOR : undefined,
      child,
      named: connection_id ? record.link : undefined,
      day: date,
      kind,
      cents: amount,
      minutes: minutes ?? null,
      isAnother: input.is_another ?? false,
    },
  )
  const { entry } = take(AddPayment, outcome, monthOf(date))
  if (!entry) return refuse(AddPayment, 'not_found')
  record.add(entry, side, { method: method ?? null })
  record.detailsOf(entry).notes[side] = note ?? null
  return toPayment(record, entry, side)
})

const change = answers(UpdatePayment, (ask) => {
  const { record, side, id, input } = ask
  const entry = entryOf(UpdatePayment, ask)
  const { date, kind, amount, hours: minutes, student_id, method, note } = input
  const given = Object.fromEntries(
    Object.entries({
      day: date,
      kind,
      cents: amount,
      minutes,
      child: student_id === undefined ? undefined : (childWith(side, student_id) ?? null),
    }).filter(([, value]) => value !== undefined),
  )
  take(UpdatePayment, record.world.changePayment({ side }, id, given), monthOf(entry.day as CalendarDay))
  keepPrinted(UpdatePayment, record, entry, 'method', method)
  const details = record.detailsOf(entry)
  if (method !== undefined) details.method = method
  if (note !== undefined) details.notes[side] = note
  record.happened(entry, side, 'changed')
  return toPayment(record, entry, side)
})

const asPayment = ({ record, side }: Pick<Ask<Endpoint>, 'record' | 'side'>, entry: Entry) =>
  toPayment(record, entry, side)

const paymentsOf = ({ record, side }: Pick<Ask<Endpoint>, 'record' | 'side'>) =>
  newestFirst(entriesOf(record, side, 'payment').map((entry) => toSharedPayment(record, entry, side)))

const PAYMENTS: Handler[] = [
  add,
  change,
  answers(DeletePayment, (ask) => removed(DeletePayment, ask, entryOf(DeletePayment, ask))),
  answers(ReadPayment, (ask) => asPayment(ask, entryOf(ReadPayment, ask))),
  answers(ListPayments, ({ record, side, input }) => {
    const { from, to } = listedDays(input, input.today ?? record.today())
    return newestFirst(
      entriesOf(record, side, 'payment')
        .filter(({ day }) => input.reference !== undefined || (day >= from && day <= to))
        .map((entry) => toPayment(record, entry, side))
        .filter(({ reference }) => input.reference === undefined || reference === input.reference),
    )
  }),
  answers(ListWaitingPayments, (ask) => ({
    payments: paymentsOf(ask).filter((payment) => payment.waits_for_you),
    sent_back: paymentsOf(ask).filter(
      (payment) =>
        !payment.deletion_asked_by &&
        payment.own_confirmation === 'confirmed' &&
        payment.other_confirmation === 'disputed',
    ),
  })),
  answers(ListUnsharedPayments, () => ({ payments: [] })),
  answers(ConfirmPayment, (ask) => asPayment(ask, giveAnswer(ConfirmPayment, ask, 'confirmed'))),
  answers(WithdrawPaymentConfirmation, (ask) =>
    asPayment(ask, giveAnswer(WithdrawPaymentConfirmation, ask, 'none')),
  ),
  answers(DisputePayment, (ask) =>
    asPayment(ask, giveAnswer(DisputePayment, ask, 'disputed', { note: ask.input.note })),
  ),
  answers(AcceptPayment, (ask) => {
    const payment = accepted(AcceptPayment, ask)
    return payment && asPayment(ask, payment)
  }),
  answers(KeepPayment, (ask) => asPayment(ask, kept(KeepPayment, ask))),
  answers(ReadPaymentHistory, (ask) => ({
    entries: ask.record
      .detailsOf(entryOf(ReadPaymentHistory, ask))
      .past.map((past, at) => toPaymentHistory(past, at, ask.side)),
  })),
  answers(ListPaymentWays, () => ({ ways: [], version: 0 })),
  answers(ListConnectionPaymentWays, () => ({ ways: [], changed_at: null, reference: null })),
]

// Totals and balances.

const TOTALS: Handler[] = [
  answers(ReadSummary, ({ record, side, input: { month } }) =>
    summarize(month, portionsOf(record, side, month)),
  ),
  answers(ReadTaxPeriod, ({ record, side, input: { from, to } }) => {
    const isIn = ({ day }: { day: string }) => day >= from && day <= to
    return taxPeriodOf({
      payments: entriesOf(record, side, 'payment')
        .filter(isIn)
        .map((entry) => toPayment(record, entry, side)),
      charges: record.charges.filter(isIn).map((one) => toCharge(one, side)),
      taught: foundOf(partsOf(sessionsOf(record, side).filter(({ date }) => date >= from && date <= to))),
    })
  }),
  answers(ReadYear, ({ record, side, input: { year } }) =>
    summarizeYear(
      year,
      portionsOf(record, side, year),
      Array.from({ length: 12 }, (_, at) =>
        figuresOf(record, side, `${year}-${String(at + 1).padStart(2, '0')}`),
      ),
    ),
  ),
  answers(ReadBalances, ({ record, side, input }) => {
    const { month, today = dayIn(record.clock()) } = input
    const figures = figuresOf(record, side, month)
    const account = accountOf(side)
    const isShown = isWorthALine(figures)
    return {
      month,
      as_of: today,
      owed: owedAsOf(
        [{ ...account, lines: linesOf(record, side, today), versions: versionsOf(record, side) }],
        today,
        CURRENCY,
      ).map((one) => toOwed(one, today)),
      total: inDollars(totalOf(isShown && countsInTotal(account, CURRENCY) ? [figures] : [])),
      balances: isShown ? [toBalance(account, figures)] : [],
      accounts: [account],
    }
  }),
  answers(ReadLedger, ({ record, side, input }) => {
    const account = accountOf(side)
    if (![account.id, account.connection_id].includes(input.with)) refuse(ReadLedger, 'not_found')
    return {
      month: input.month,
      balance: toBalance(account, figuresOf(record, side, input.month)),
      lines: ledgerLines(record, side, input.month),
    }
  }),
]

// Closing months.

/** A month's closing state as one side sees it, with codes formatted for display. */
function monthOfTwo(record: DemoRecord, side: Side, month: string) {
  const now = record.clock()
  const standing = standingOfMonth(CONNECTION, OTHER_NAMES[side], monthRows(record, side, month), month, now)
  return {
    ...standing,
    code: standing.code && shownCode(standing.code),
    earlier: standing.earlier.map((one) => ({ ...one, code: shownCode(one.code) })),
  }
}

const contents = new WeakMap<object, MonthContent>()

/** A random code that doesn't belong to any real closed month. */
function newCode(): string {
  return Array.from(
    { length: CODE_LENGTH },
    () => CODE_LETTERS[Math.floor(Math.random() * CODE_LETTERS.length)],
  ).join('')
}

/** Refuses to close a month in which something is still open. */
function keepOpen(rows: MonthRows, month: string, side: Side): void {
  const open = inTheWay(rows, month)
  if (open.length > 0)
    refuse(CloseMonth, 'still_open', {
      errors: open.map((one) => ({
        field: `${one.what}s`,
        message: obstacleInWords(one, OTHER_NAMES[side]),
      })),
    })
}

/**
 * Asks to close a month, or closes it if the other side already asked. Refuses in the same cases as the
 * server.
 */
function close(record: DemoRecord, side: Side, month: string): void {
  const now = record.clock()
  record.world.today = dayIn(now)
  const rows = monthRows(record, side, month)
  if (rows.is_over) keepOpen(rows, month, side)
  const { code, status } = record.world.close(side, record.link, month)
  if (code === 'not_over') refuse(CloseMonth, code, { title: notOverInWords(month) })
  if (status >= 400) refuse(CloseMonth, code ?? 'not_found')
  const model = record.world.latest(record.link, month)
  if (!model) return
  const at = now.toISOString()
  const before = record.closings.get(model)
  if (!before) {
    record.closings.set(model, {
      id: newId(),
      month,
      state: 'asked',
      asked_by: side,
      asked_at: at,
      answered_at: null,
      code: null,
      reopened_by: null,
      reopened_at: null,
      reason: null,
      reminders: 0,
      reminded_at: null,
      version: record.link.closings.length * 3,
    })
    return
  }
  if (before.state !== 'asked' || model.state !== 'closed') return
  const newest = newCode()
  const content = contentOf(rows, month, {
    askedBy: before.asked_by,
    askedAt: before.asked_at,
    closedAt: at,
    code: newest,
    url: '/demo',
  })
  contents.set(before, content)
  Object.assign(before, {
    state: 'closed',
    answered_at: at,
    code: newest,
    version: before.version + 1,
    figures: content.figures,
  })
}

const closeMonth = answers(CloseMonth, ({ record, side, input: { month, version } }) => {
  const newest = latest(monthRows(record, side, month).closings)
  if (version !== undefined && newest?.state !== 'asked' && version !== (newest?.version ?? 0))
    refuse(CloseMonth, 'changed')
  close(record, side, month)
  return monthOfTwo(record, side, month)
})

const withdraw = answers(WithdrawMonth, ({ record, side, input: { month } }) => {
  take(WithdrawMonth, record.world.withdraw(side, record.link, month))
  return monthOfTwo(record, side, month)
})

const reopen = answers(ReopenMonth, ({ record, side, input: { month, reason } }) => {
  const model = record.world.latest(record.link, month)
  take(ReopenMonth, record.world.reopen(side, record.link, month))
  if (model) {
    const closing = record.closingOf(model)
    Object.assign(closing, {
      state: 'reopened',
      reopened_by: side,
      reopened_at: record.clock().toISOString(),
      reason,
      version: closing.version + 1,
    })
  }
  return monthOfTwo(record, side, month)
})

/** Closed months that have a page, newest first. */
function closedOnes(record: DemoRecord) {
  return record.link.closings
    .map((model) => record.closingOf(model))
    .filter((closing) => contents.has(closing))
    .reverse()
}

const MONTHS: Handler[] = [
  closeMonth,
  withdraw,
  reopen,
  answers(ListMonths, ({ record, side, input: { month } }) => ({
    months: [monthOfTwo(record, side, month)],
  })),
  answers(ListClosedMonths, ({ record, side }) => ({
    months: closedOnes(record).map((closing) => ({
      connection_id: CONNECTION,
      other_name: OTHER_NAMES[side],
      month: closing.month,
      state: closing.state === 'closed' ? ('closed' as const) : ('reopened' as const),
      code: shownCode(closing.code ?? ''),
      closed_at: closing.answered_at ?? '',
      reopened_by:
        closing.reopened_by && (closing.reopened_by === side ? ('you' as const) : ('other' as const)),
      reason: closing.reason,
    })),
  })),
  answers(ReadMonthPage, ({ record, side, input: { month, code } }) => {
    const closing = closedOnes(record).find(
      (one) => one.month === month && (!code || shownCode(one.code ?? '') === code),
    )
    const content = closing && contents.get(closing)
    if (!content) return refuse(ReadMonthPage, 'not_found')
    const page = toPage(CONNECTION, content, closing, side)
    return { ...page, code: shownCode(page.code) }
  }),
]

export const MONEY_ANSWERS: Handler[] = [...PAYMENTS, ...TOTALS, ...MONTHS]
