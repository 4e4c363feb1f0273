// The layout of printed statements.
import type { Side } from '#features/access/role.ts'
import { type CalendarDay, dayIn, formatDay, formatMomentIn } from '#kernel/calendar-day.ts'
import { formatHours, type Minutes } from '#kernel/duration.ts'
import { type Cents, cents, formatAmount, formatMoney } from '#kernel/money.ts'
import { monthLabel } from '#kernel/month.ts'
import { accountInOneLine, openLabel } from '#features/payments/balance-text.ts'
import { chargeDetail, chargeTitle } from '#features/payments/payment-words.ts'
import { KIND_LABELS, METHOD_LABELS } from '#features/payments/payment-form.ts'
import { type Standing, standingOf } from '#features/agreements/answer.ts'
import { priceInShort } from '#features/prices/price.ts'
import { hasOtherSide } from '#features/summary/summary.ts'
import { UNKNOWN_STUDENT } from '#features/students/student.ts'
import { UNKNOWN_TUTOR } from '#features/tutors/tutor.ts'
import { INK, Paper, type SealPlan } from '#platform/pdf/paper.server.ts'
import { MISSING } from '#platform/pdf/type.server.ts'
import type { MonthPayment } from './closing.ts'
import { lessonOnPaper, SIGNED, type MonthContent, priceOfLine } from './month-page.ts'
import { shownCode } from './sign-off.ts'
import { attachmentOf, inGroups, type SignedPage } from './signed-page.ts'
import { daysInWords, type Paper as PaperSize, type Statement, type Sum, termsOf } from './statement.ts'

const H1 = { size: 22, weight: 'display' } as const
const H2 = { size: 13, weight: 'display' } as const
const SMALL = { size: 9, color: INK.ink2 } as const
const AMOUNT = 58
const DATE = { month: 'short', day: 'numeric', year: 'numeric' } as const

export async function renderStatement(
  statement: Statement,
  paperSize: PaperSize,
  now: Date,
): Promise<Buffer> {
  const days = daysInWords(statement.from, statement.to)
  const title = `Statement${statement.about ? ` for ${statement.about.name}` : ''}, ${days}`
  const paper = new Paper({ paper: paperSize, title, author: statement.holder, now })
  head(paper, statement, days)
  figures(paper, statement)
  sessions(paper, statement)
  groups(paper, statement)
  money(paper, statement)
  return paper.finish((place) => foot(paper, statement.verification, title, place))
}

function head(paper: Paper, statement: Statement, days: string): void {
  paper.logo()
  const made = `Created on ${formatDay(statement.madeOn, DATE)}`
  paper.put(made, paper.left, paper.y + 8, { ...SMALL, align: 'right' }, paper.width)
  paper.y += 50
  heading(paper, 'Statement', H1)
  parties(paper, [
    [statement.about?.kind, statement.about?.name],
    ['Period', days],
    ['Prepared by', statement.holder],
  ])
  paper.y += 12
}

/** The page heading. Its lines say whose records these are and who they're about. */
function parties(
  paper: Paper,
  lines: (readonly [label: string | undefined, text: string | undefined])[],
): void {
  for (const [label, text] of lines) {
    if (!label || !text) continue
    paper.put(label, paper.left, paper.y + 1.5, SMALL)
    for (const line of paper.wrap(text, paper.width - 60, { size: 11 })) {
      paper.put(line, paper.left + 60, paper.y, {
        size: 11,
        weight: label === 'Prepared by' ? 'text' : 'bold',
      })
      paper.y += 15
    }
    paper.y += 2
  }
}

/** The same figures and labels as on screen. */
function figures(paper: Paper, statement: Statement): void {
  const { totals } = statement
  for (const { label, amount, currency } of statement.owed ?? []) {
    const top = paper.y
    for (const line of paper.wrap(label, paper.width - 140, { size: 11, weight: 'bold' })) {
      paper.put(line, paper.left, paper.y + 1, { size: 11, weight: 'bold' })
      paper.y += 14
    }
    paper.put(formatMoney(amount, currency), paper.left, top, { ...H2, align: 'right' }, paper.width)
    paper.y += 4
  }
  boxes(paper, [
    ['Total Sessions', String(totals.total_sessions)],
    ['Total Hours', totals.total_hours.toFixed(1)],
    ['Total Amount', formatAmount(totals.total_amount, statement.currency)],
  ])
  if (hasOtherSide(totals)) paper.write(sidesInWords(statement), SMALL)
  if (statement.leftOut) paper.write(`${statement.leftOut}.`, SMALL)
  for (const sum of statement.sums ?? []) {
    paper.y += 6
    account(paper, sum)
  }
  paper.y += 10
}

/** Amounts that add up to what is due, and how. */
function account(paper: Paper, sum: Sum): void {
  const inMoney = (amount: Cents) => formatMoney(amount, sum.currency)
  const terms = termsOf(sum)
  boxes(paper, [
    ...terms.map(({ label, amount }): [string, string] => [label, inMoney(amount)]),
    [openLabel(sum.balance), inMoney(Math.abs(sum.balance) as Cents)],
  ])
  const added = terms.map(({ sign, label }, at) => (at === 0 ? label : `${sign} ${label}`)).join(' ')
  const end = sum.balance < 0 ? ', which is negative because the family paid ahead' : ''
  paper.write(`${added} = Due${end}.`, SMALL)
}

/** Figures side by side in one box. */
function boxes(paper: Paper, cells: [label: string, figure: string][]): void {
  const height = 44
  const { doc } = paper
  doc.roundedRect(paper.left, paper.y, paper.width, height, 8).lineWidth(0.8).strokeColor(INK.line).stroke()
  const wide = paper.width / cells.length
  cells.forEach(([label, figure], at) => {
    const x = paper.left + at * wide
    if (at > 0)
      doc
        .moveTo(x, paper.y)
        .lineTo(x, paper.y + height)
        .lineWidth(0.8)
        .strokeColor(INK.line)
        .stroke()
    paper.put(label, x + 12, paper.y + 8, { size: 8.5, color: INK.ink2 })
    // Amounts must never be cut off, so shrink the figure until it fits.
    const size =
      [17, 15, 13, 11, 9, 7].find(
        (one) => paper.wrap(figure, wide - 20, { size: one, weight: 'display' }).length === 1,
      ) ?? 6
    paper.put(figure, x + 12, paper.y + 21 + (17 - size) / 2, { size, weight: 'display' })
  })
  paper.y += height + 6
}

/**
 * How much of the total both sides agree on, such as "$90.00 agreed by both sides, $45.00 waiting, $20.00
 * sent back".
 */
function sidesInWords(statement: Statement): string {
  const { totals } = statement
  return [
    `${inMoney(totals.verified_amount, statement)} agreed by both sides`,
    `${inMoney(totals.waiting_amount, statement)} waiting`,
    ...(totals.disputed_amount > 0 ? [`${inMoney(totals.disputed_amount, statement)} not right`] : []),
    ...(totals.own_amount > 0 ? [`${inMoney(totals.own_amount, statement)} only in this log`] : []),
  ].join(', ')
}

/** Under 'State'. */
const STATES: Record<Standing, string> = {
  verified: 'Agreed',
  waiting: 'Waiting',
  disputed: 'Not right',
  leaving: 'Deletion requested',
  own: '',
}

function sessions(paper: Paper, statement: Statement): void {
  heading(paper, 'Session Details')
  if (statement.sessions.length === 0) return noSessions(paper, 'period')
  const isShared = statement.sessions.some((session) => standingOf(session) !== 'own')
  const shows = {
    student: statement.about?.kind === 'Tutor' || !statement.about || statement.role !== 'parent',
    tutor: statement.role === 'parent' && statement.about?.kind !== 'Tutor',
  }
  const rates = statement.sessions.map((session) =>
    priceInShort({ ...session, rate: session.effective_rate }, session.currency, '–'),
  )
  const columns = [
    { header: 'Date', width: 60, weight: 'bold' as const },
    ...(shows.student ? [{ header: 'Student' }] : []),
    ...(shows.tutor ? [{ header: 'Tutor' }] : []),
    { header: 'Subject' },
    { header: 'Duration', width: 38, align: 'right' as const },
    { header: 'Rate', width: widthOfRates(rates), align: 'right' as const },
    { header: 'Amount', width: AMOUNT, align: 'right' as const, weight: 'bold' as const },
    ...(isShared ? [{ header: 'State', width: 44 }] : []),
  ]
  const rows = statement.sessions.map((session, at) => [
    formatDay(session.date as CalendarDay, DATE),
    ...(shows.student ? [session.student_name ?? UNKNOWN_STUDENT] : []),
    ...(shows.tutor ? [session.tutor_name ?? UNKNOWN_TUTOR] : []),
    lessonOnPaper(session.subject, session.makes_up !== null),
    inHours(session.duration * 60),
    rates[at] ?? '',
    session.total_amount === null ? '–' : formatAmount(session.total_amount, session.currency),
    ...(isShared ? [STATES[standingOf(session)]] : []),
  ])
  paper.table({
    columns,
    rows,
    hasMargin: true,
    total: [
      'Total',
      ...(shows.student ? [''] : []),
      ...(shows.tutor ? [''] : []),
      '',
      inHours(statement.totals.total_hours * 60),
      '',
      inMoney(statement.totals.total_amount, statement),
      ...(isShared ? [''] : []),
    ],
  })
  paper.y += 20
}

function noSessions(paper: Paper, within: 'period' | 'month'): void {
  paper.write(`No sessions in this ${within}.`, SMALL)
  paper.y += 16
}

/** A price per lesson takes more room than one per hour. */
const widthOfRates = (rates: readonly string[]) => (rates.some((rate) => rate.includes(' ')) ? 74 : 52)

function groups(paper: Paper, statement: Statement): void {
  for (const [title, header, own] of [
    ['Sessions by Tutor', 'Tutor', statement.totals.by_tutor],
    ['Sessions by Student', 'Student', statement.totals.by_student],
  ] as const) {
    if (own.length < 2) continue
    paper.keep(90)
    heading(paper, title)
    paper.table({
      columns: [
        { header, weight: 'bold' },
        { header: 'Sessions', width: 60, align: 'right' },
        { header: 'Hours', width: 60, align: 'right' },
        { header: 'Amount', width: 84, align: 'right', weight: 'bold' },
      ],
      rows: own.map((group) => [
        group.name,
        String(group.sessions),
        group.hours.toFixed(1),
        inMoney(group.amount, statement),
      ]),
    })
    paper.y += 14
  }
}

function money(paper: Paper, statement: Statement): void {
  const { balances, payments, charges, role } = statement
  const whom = role === 'parent' ? 'Tutor' : 'Student'
  if (balances?.length) {
    paper.keep(90)
    heading(paper, 'Paid and due')
    const hasOther = balances.some((one) => one.covered_amount !== 0 || one.other_amount !== 0)
    const right = (header: string) => ({ header, width: AMOUNT, align: 'right' as const })
    paper.table({
      columns: [
        { header: whom, weight: 'bold' },
        right('Carried over'),
        right('Sessions'),
        ...(hasOther ? [right('From prepaid'), right('Other charges')] : []),
        right('Paid'),
        { ...right('Due'), weight: 'bold' },
      ],
      rows: balances.map((one) => {
        const own = (amount: number) => formatAmount(amount, one.currency)
        return [
          `${accountInOneLine(one)}${one.hours_left > 0 ? ` (${inHours(one.hours_left * 60)} prepaid left)` : ''}`,
          own(one.carried_over),
          own(one.sessions_amount),
          ...(hasOther ? [own(-one.covered_amount), own(one.other_amount)] : []),
          own(-one.paid_amount),
          own(one.balance),
        ]
      }),
    })
    if (balances.some(({ balance }) => balance < 0)) {
      paper.y += 6
      paper.write('A negative amount under Due means the family paid ahead.', SMALL)
    }
    paper.y += 20
  }
  if (charges?.length) {
    paper.keep(90)
    heading(paper, 'Other charges')
    paper.table({
      columns: [
        { header: 'Date', width: 62, weight: 'bold' },
        { header: whom },
        { header: 'What' },
        { header: 'Amount', width: AMOUNT, align: 'right', weight: 'bold' },
      ],
      rows: charges.map((charge) => [
        formatDay(charge.date as CalendarDay, DATE),
        (role === 'parent' ? charge.tutor_name : charge.student_name) ?? `Unknown ${whom}`,
        whatCharged(charge),
        formatAmount(charge.amount, charge.currency),
      ]),
      hasMargin: true,
    })
    paper.y += 20
  }
  if (payments?.length) {
    paper.keep(90)
    heading(paper, 'Payments')
    paper.table({
      columns: [
        { header: 'Date', width: 62, weight: 'bold' },
        { header: whom },
        { header: 'What', width: 90 },
        { header: 'Note' },
        { header: 'Amount', width: AMOUNT, align: 'right', weight: 'bold' },
      ],
      rows: payments.map((payment) => [
        formatDay(payment.date as CalendarDay, DATE),
        (role === 'parent' ? payment.tutor_name : payment.student_name) ?? `Unknown ${whom}`,
        whatFor(payment, payment.hours === null ? null : payment.hours * 60),
        payment.note ?? '',
        formatAmount(payment.amount, payment.currency),
      ]),
      hasMargin: true,
    })
  }
}

/**
 * The page footer: the title, the page number, how to check the code, and a note if the font is missing some
 * of the letters.
 */
function foot(
  paper: Paper,
  verification: Statement['verification'],
  title: string,
  place: { page: number; pages: number; y: number; lacksLetters: boolean },
): void {
  const y = place.y + 22
  const style = { size: 8, color: INK.ink3 }
  paper.doc
    .moveTo(paper.left, y - 8)
    .lineTo(paper.left + paper.width, y - 8)
    .lineWidth(0.7)
    .strokeColor(INK.line)
    .stroke()
  const [first = '', ...rest] = paper.wrap(title, paper.width - 90, style)
  paper.put(rest.length > 0 ? `${first}…` : first, paper.left, y, style)
  paper.put(`Page ${place.page} of ${place.pages}`, paper.left, y, { ...style, align: 'right' }, paper.width)
  if (verification)
    paper.put(
      `Verify this page at ${verification.url} with code ${verification.code}`,
      paper.left,
      y + 13,
      style,
    )
  if (place.lacksLetters)
    paper.put(
      `${MISSING} stands for a character missing from this file’s fonts. Tutorlog still shows the text as written.`,
      paper.left,
      y + (verification ? 26 : 13),
      style,
    )
}

/**
 * Renders a closed month's page as a PDF file. Uses nothing but the stored content, so both sides always get
 * the same bytes. Keeps a place for a seal, if it gets one.
 */
export async function renderMonth(
  content: MonthContent,
  signed: SignedPage | null,
  seal?: SealPlan,
): Promise<Buffer> {
  const month = monthLabel(content.month)
  const title = `${month}, ${content.family} with ${content.tutor}`
  const paper = new Paper({ paper: 'letter', title, author: 'Tutorlog', now: new Date(content.closed_at) })
  paper.logo()
  stamp(paper, content)
  paper.y += 50
  heading(paper, month, H1)
  parties(paper, [
    ['Family', content.family],
    ['Tutor', content.tutor],
  ])
  paper.y += 8
  account(paper, { ...content.figures, currency: content.currency })
  const rest = restInWords(content)
  if (rest) paper.write(rest, SMALL)
  paper.y += 8
  closedSessions(paper, content)
  closedCharges(paper, content)
  closedPayments(paper, content)
  paper.keep(56)
  heading(paper, 'Confirmed by both')
  const answer = (side: Side, did: string, moment: string) => {
    const by = content.handed_side === side ? ' by handed-over link' : ''
    const signed = content.proofs?.[side] ? ` ${SIGNED}` : ''
    const who = side === 'family' ? content.family : content.tutor
    paper.write(`${who} ${did}${by} on ${formatMomentIn(moment, zoneOf(content))}.${signed}`, SMALL)
  }
  answer(content.asked_by, 'asked to close the month', content.asked_at)
  answer(content.asked_by === 'family' ? 'practice' : 'family', 'confirmed it', content.closed_at)
  paper.write('The dates under Family and Tutor show when each side confirmed each line.', SMALL)
  if (signed) attach(paper, content, signed)
  if (seal) paper.reserveSeal(seal)
  const verification = { code: shownCode(content.code), url: content.url }
  return paper.finish((place) => foot(paper, verification, title, place))
}

/** Attaches the signed facts, and says so, with what can be compared by eye. */
function attach(paper: Paper, { url, closed_at: moment }: MonthContent, signed: SignedPage): void {
  const { origin } = new URL(url)
  paper.write(
    `Signed by ${origin} with key ${inGroups(signed.key)}. The signature starts with ${inGroups(signed.signature.slice(0, 16))}. ` +
      `These facts and both answers are attached to this file, and ${origin}/verify.html checks them, even offline.`,
    SMALL,
  )
  paper.attach('tutorlog-page.json', attachmentOf(signed), new Date(moment))
}

/** The date of a confirmation, short enough to fit in a column. */
function dayOfMoment(moment: string | null, timeZone: string): string {
  return moment ? formatDay(dayIn(new Date(moment), timeZone), { month: 'short', day: 'numeric' }) : ''
}

function zoneOf({ time_zone: timeZone }: MonthContent): string {
  return timeZone ?? 'UTC'
}

/** What the other charges are for, and the prepaid hours that are left. */
function restInWords(content: MonthContent): string {
  const { figures, currency } = content
  return [
    figures.other !== 0 &&
      `${formatMoney(figures.other, currency)} for ${content.charges ? 'other charges, ' : ''}prepaid hours and amounts owed from before`,
    figures.left > 0 && `${inHours(figures.left)} prepaid left`,
  ]
    .filter((part) => part !== false)
    .join(', ')
}

function closedSessions(paper: Paper, content: MonthContent): void {
  const { sessions, currency, figures } = content
  heading(paper, 'Sessions')
  if (sessions.length === 0) return noSessions(paper, 'month')
  const rates = sessions.map((row) => priceInShort(priceOfLine(row), row.currency, '–'))
  const minutes = sessions.reduce((sum, row) => sum + row.minutes, 0)
  paper.table({
    columns: [
      { header: 'Date', width: 46, weight: 'bold' },
      { header: 'Student' },
      { header: 'Subject' },
      { header: 'Duration', width: 38, align: 'right' },
      { header: 'Rate', width: widthOfRates(rates), align: 'right' },
      { header: 'Amount', width: AMOUNT, align: 'right', weight: 'bold' },
      { header: 'Family', width: 38 },
      { header: 'Tutor', width: 38 },
    ],
    hasMargin: true,
    rows: sessions.map((row, at) => [
      formatDay(row.day, { month: 'short', day: 'numeric' }),
      row.first_name ?? UNKNOWN_STUDENT,
      lessonOnPaper(row.subject, row.is_make_up ?? false),
      inHours(row.minutes),
      rates[at] ?? '',
      row.total_cents === null ? '–' : formatMoney(row.total_cents, row.currency),
      dayOfMoment(row.family_at, zoneOf(content)),
      dayOfMoment(row.practice_at, zoneOf(content)),
    ]),
    total: ['Total', '', '', inHours(minutes), '', formatMoney(figures.sessions, currency), '', ''],
  })
  paper.y += 20
}

function closedPayments(paper: Paper, content: MonthContent): void {
  const { payments, currency, figures } = content
  if (payments.length === 0) return
  paper.keep(90)
  heading(paper, 'Payments')
  paper.table({
    columns: [
      { header: 'Date', width: 46, weight: 'bold' },
      { header: 'What' },
      { header: 'For' },
      { header: 'Amount', width: AMOUNT, align: 'right', weight: 'bold' },
      { header: 'Family', width: 38 },
      { header: 'Tutor', width: 38 },
    ],
    hasMargin: true,
    rows: payments.map((row) => [
      formatDay(row.day, { month: 'short', day: 'numeric' }),
      whatFor(row, row.prepaid_minutes),
      row.first_name ?? '',
      formatMoney(row.amount_cents, row.currency),
      dayOfMoment(row.family_at, zoneOf(content)),
      dayOfMoment(row.practice_at, zoneOf(content)),
    ]),
    total: ['Paid', '', '', formatMoney(figures.paid, currency), '', ''],
  })
  paper.y += 20
}

function closedCharges(paper: Paper, content: MonthContent): void {
  const { charges = [], currency } = content
  if (charges.length === 0) return
  paper.keep(90)
  heading(paper, 'Other charges')
  const total = charges
    .filter((row) => row.currency === currency)
    .reduce((sum, row) => sum + row.amount_cents, 0)
  paper.table({
    columns: [
      { header: 'Date', width: 46, weight: 'bold' },
      { header: 'What' },
      { header: 'For' },
      { header: 'Amount', width: AMOUNT, align: 'right', weight: 'bold' },
      { header: 'Family', width: 38 },
      { header: 'Tutor', width: 38 },
    ],
    hasMargin: true,
    rows: charges.map((row) => [
      formatDay(row.day, { month: 'short', day: 'numeric' }),
      whatCharged({ ...row, amount: row.amount_cents }),
      row.first_name ?? '',
      formatMoney(row.amount_cents, row.currency),
      dayOfMoment(row.family_at, zoneOf(content)),
      dayOfMoment(row.practice_at, zoneOf(content)),
    ]),
    total: ['Total', '', '', formatMoney(cents(total), currency), '', ''],
  })
  paper.y += 20
}

/** What a charge is for, such as "Reading book (charge, materials)". */
function whatCharged(charge: Parameters<typeof chargeTitle>[0]): string {
  const detail = chargeDetail(charge)
  return detail ? `${chargeTitle(charge)} (${detail.toLowerCase()})` : chargeTitle(charge)
}

/** The stamp on a closed month, slightly tilted, with two ticks, the text and the date. */
function stamp(paper: Paper, content: MonthContent): void {
  const [width, height] = [150, 46]
  const [x, y] = [paper.left + paper.width - width - 4, paper.y + 2]
  const { doc } = paper
  doc.save().rotate(-4, { origin: [x + width / 2, y + height / 2] })
  doc.roundedRect(x, y, width, height, 8).lineWidth(1.6).strokeColor(INK.tutor).stroke()
  doc
    .roundedRect(x + 3, y + 3, width - 6, height - 6, 6)
    .lineWidth(0.6)
    .stroke()
  doc.lineCap('round').lineJoin('round').lineWidth(3)
  doc
    .path(tick(x + 14, y + 15))
    .strokeColor(INK.parent)
    .stroke()
  doc
    .path(tick(x + 24, y + 15))
    .strokeColor(INK.tutor)
    .stroke()
  paper.put('Closed', x + 52, y + 9, { size: 13, weight: 'display', color: INK.tutor })
  const day = formatDay(dayIn(new Date(content.closed_at), zoneOf(content)), DATE)
  paper.put(day, x + 52, y + 26, { size: 9, color: INK.ink2 })
  doc.restore()
}

/** A tick 15 points wide. */
const tick = (x: number, y: number) => `M${x} ${y + 9}l5 5L${x + 15} ${y + 1}`

function inMoney(amount: number, statement: Statement): string {
  return formatAmount(amount, statement.currency)
}

function heading(paper: Paper, text: string, style: typeof H1 | typeof H2 = H2): void {
  paper.write(text, style)
  paper.y += 4
}

/** What a payment is for and how it was made. */
function whatFor({ kind, method }: Pick<MonthPayment, 'kind' | 'method'>, minutes: number | null): string {
  const what = minutes === null ? KIND_LABELS[kind] : `${inHours(minutes)} prepaid`
  return method ? `${what}, ${METHOD_LABELS[method].toLowerCase()}` : what
}

function inHours(minutes: number): string {
  return `${formatHours(Math.round(minutes) as Minutes)} h`
}
