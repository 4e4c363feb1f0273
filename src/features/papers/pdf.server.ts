// The layout of receipts and invoices. It uses only the paper's frozen content, and whether the paper was voided.
import { formatDay } from '#kernel/calendar-day.ts'
import { formatHours, type Minutes } from '#kernel/duration.ts'
import { type Cents, cents, formatMoney } from '#kernel/money.ts'
import { formatTime } from '#kernel/wall-clock.ts'
import { METHOD_LABELS } from '#features/payments/payment-form.ts'
import { INK, Paper } from '#platform/pdf/paper.server.ts'
import {
  type ConfirmedBy,
  PAPER_KIND_WORDS,
  type PaperContent,
  type PaperLesson,
  PLACE_WORDS,
} from './content.ts'
import { programOf } from './program.ts'
import { QUALIFICATION_WORDS } from './provider.ts'

const H1 = { size: 22, weight: 'display' } as const
const H2 = { size: 12, weight: 'display' } as const
const TEXT = { size: 10 } as const
const SMALL = { size: 9, color: INK.ink2 } as const
const DATE = { month: 'short', day: 'numeric', year: 'numeric' } as const
const LABEL = 110
const AMOUNT = 86

/** An issued paper or a family's own record, as it's drawn. */
export interface IssuedPaper {
  /** Empty for a record, which has neither a number nor a code. */
  number: string
  /** In two groups, as people read it. */
  code: string
  url: string
  content: PaperContent
  /** Such as "Nov 30, 2026"; null if the paper is valid. */
  voidedOn: string | null
  voidReason: string | null
  /** The number of the paper that this one replaces. */
  replaces: string | null
}

export async function renderPaper(issued: IssuedPaper, size: 'a4' | 'letter'): Promise<Buffer> {
  const { content, number } = issued
  const title = `${PAPER_KIND_WORDS[content.kind]} ${number}`.trim()
  const author = content.provider.legal_name ?? 'Tutorlog'
  const now = new Date(`${content.issued_on}T12:00:00Z`)
  const paper = new Paper({ paper: size, title, author, now })
  head(paper, issued, title)
  parties(paper, content)
  lessons(paper, content)
  charges(paper, content)
  payments(paper, content)
  sums(paper, content)
  statements(paper, content)
  waysToPay(paper, content)
  return paper.finish((place) => foot(paper, issued, title, place))
}

function head(paper: Paper, issued: IssuedPaper, title: string): void {
  const { content, voidedOn, voidReason, replaces } = issued
  paper.write(title, H1)
  paper.y += 4
  if (voidedOn) {
    paper.write('VOID', { size: 18, weight: 'display', color: '#b3261e' })
    paper.write(`Declared void on ${voidedOn}: ${voidReason}`, TEXT)
    paper.y += 4
  }
  if (content.kind === 'record') paper.write(NO_RECEIPT, TEXT)
  line(paper, content.kind === 'record' ? 'Made on' : 'Date of issue', formatDay(content.issued_on, DATE))
  if (content.kind === 'record')
    line(paper, 'Days', `${formatDay(content.from, DATE)} – ${formatDay(content.to, DATE)}`)
  if (content.due_on) line(paper, 'Due', formatDay(content.due_on, DATE))
  const program = programOf(content.program)
  if (program && program.requires.length > 0) line(paper, 'For', program.name)
  if (replaces) line(paper, 'Replaces', `No. ${replaces}, which is void`)
  paper.y += 6
}

const NO_RECEIPT =
  'The family made this from its own log in Tutorlog. It isn’t the tutor’s receipt or invoice, and has no number.'
const IN_NAME = 'The family made this receipt in the provider’s name, as the provider allowed in Tutorlog.'

/** A label with its text next to it, which may have several lines. */
function line(paper: Paper, label: string, text: string | null): void {
  if (!text) return
  const lines = text.split('\n').flatMap((one) => paper.wrap(one, paper.width - LABEL, TEXT))
  paper.keep(15)
  paper.put(label, paper.left, paper.y + 1, SMALL)
  for (const one of lines) {
    paper.keep(15)
    paper.put(one, paper.left + LABEL, paper.y, TEXT)
    paper.y += 14
  }
}

function parties(paper: Paper, { kind, provider, payer, child }: PaperContent): void {
  heading(paper, kind === 'record' ? 'Tutor' : 'Provider')
  line(paper, 'Name', provider.legal_name)
  line(paper, 'Address', provider.address)
  line(paper, 'Tax number', provider.tax_number)
  line(paper, 'VAT number', provider.vat_number)
  line(paper, 'Registration', provider.registration_number)
  line(paper, 'Credential', provider.credential)
  line(paper, 'Credential number', provider.credential_number)
  line(paper, 'Instructor', provider.instructor_name)
  if (provider.qualification) line(paper, 'Qualification', QUALIFICATION_WORDS[provider.qualification])
  // The provider's copy of a family's paper has none of what the family typed.
  if (![...Object.values(payer), ...Object.values(child)].some(Boolean)) return
  heading(paper, kind === 'record' ? 'Family and student' : 'Payer and student')
  line(paper, 'Payer', payer.name)
  line(paper, 'Payer’s address', payer.address)
  line(paper, 'Student', child.name)
  line(paper, 'Program number', child.program_number)
  paper.y += 4
}

const CONFIRMED_WORDS: Record<ConfirmedBy, string> = {
  both: 'Both',
  provider: 'Tutor only',
  family: 'Family only',
}

function lessons(paper: Paper, content: PaperContent): void {
  if (content.lessons.length === 0) return
  paper.keep(90)
  heading(paper, 'Lessons')
  const minutes = content.lessons.reduce((sum, one) => sum + one.minutes, 0)
  paper.table({
    columns: [
      { header: 'Date', width: 64, weight: 'bold' },
      { header: 'Time', width: 66 },
      { header: 'Length', width: 36, align: 'right' },
      { header: 'Subject' },
      { header: 'Place', width: 70 },
      { header: 'Price', width: AMOUNT, align: 'right', weight: 'bold' },
      { header: 'Confirmed', width: 48 },
    ],
    rows: content.lessons.map((lesson) => [
      formatDay(lesson.day, DATE),
      timesOf(lesson),
      inHours(lesson.minutes),
      lesson.subject ?? '–',
      lesson.place ? PLACE_WORDS[lesson.place] : '–',
      lesson.amount_cents === null ? '–' : money(lesson.amount_cents, content),
      CONFIRMED_WORDS[lesson.confirmed_by],
    ]),
    total: ['Lessons', '', inHours(minutes), '', '', money(content.sums.lessons, content), ''],
  })
  paper.y += 14
}

/** Such as "4:30 – 5:30 PM", "11:30 AM – 12:30 PM" or "16:30 – 17:30". */
function timesOf({ start, end }: PaperLesson): string {
  if (!start || !end) return '–'
  const [from, to] = [formatTime(start), formatTime(end)]
  const [clock = '', half] = from.split(' ')
  return `${half !== undefined && to.endsWith(` ${half}`) ? clock : from} – ${to}`
}

function charges(paper: Paper, content: PaperContent): void {
  if (content.charges.length === 0) return
  paper.keep(90)
  heading(paper, 'Other charges')
  paper.table({
    columns: [
      { header: 'Date', width: 64, weight: 'bold' },
      { header: 'What' },
      { header: 'Amount', width: AMOUNT, align: 'right', weight: 'bold' },
      { header: 'Confirmed', width: 48 },
    ],
    rows: content.charges.map((charge) => [
      formatDay(charge.day, DATE),
      charge.what,
      money(charge.amount_cents, content),
      CONFIRMED_WORDS[charge.confirmed_by],
    ]),
    total: ['Charges', '', money(content.sums.charges, content), ''],
  })
  paper.y += 14
}

function payments(paper: Paper, content: PaperContent): void {
  if (content.payments.length === 0) return
  paper.keep(90)
  heading(paper, 'Payments')
  paper.table({
    columns: [
      { header: 'Date', width: 64, weight: 'bold' },
      { header: 'What' },
      { header: 'Amount', width: AMOUNT, align: 'right', weight: 'bold' },
      { header: 'Confirmed', width: 48 },
    ],
    rows: content.payments.map((payment) => [
      formatDay(payment.day, DATE),
      whatPaid(payment),
      money(payment.amount_cents, content),
      CONFIRMED_WORDS[payment.confirmed_by],
    ]),
    total: ['Paid', '', money(content.sums.paid, content), ''],
  })
  paper.y += 14
}

function whatPaid({ kind, method, amount_cents: amount }: PaperContent['payments'][number]): string {
  if (kind === 'credit') return amount < 0 ? 'Credit used for other lessons' : 'Credit from other days'
  const what = kind === 'prepaid' ? 'Prepaid hours' : 'Payment'
  return method ? `${what}, ${METHOD_LABELS[method].toLowerCase()}` : what
}

function sums(paper: Paper, content: PaperContent): void {
  const { sums: own, vat_cents: vat, provider } = content
  paper.keep(70)
  sum(paper, 'Total', money(own.total, content))
  if (vat !== null) sum(paper, `Includes VAT ${(provider.vat_rate ?? 0) / 100} %`, money(vat, content), false)
  sum(paper, 'Paid', money(own.paid, content), false)
  sum(paper, 'Due', money(own.due, content))
  if (own.due === 0 && content.kind !== 'record') paper.write('Paid in full.', { ...TEXT, weight: 'bold' })
  if (provider.tax_text) for (const one of provider.tax_text.split('\n')) paper.write(one, TEXT)
  paper.y += 10
}

function sum(paper: Paper, label: string, figure: string, isBold = true): void {
  const style = { size: isBold ? 12 : 10, weight: isBold ? 'display' : 'text' } as const
  paper.keep(18)
  paper.put(label, paper.left, paper.y, style)
  paper.put(figure, paper.left, paper.y, { ...style, align: 'right' }, paper.width)
  paper.y += isBold ? 18 : 15
}

function statements(paper: Paper, content: PaperContent): void {
  const { provider, lessons: own } = content
  const said = [
    content.is_by_family && content.kind !== 'record' && IN_NAME,
    content.group === 'one_to_one' && 'The lessons were one-to-one.',
    content.group === 'group' &&
      `The lessons were in a group${content.group_share ? `; the student’s share is ${content.group_share}` : ''}.`,
    content.is_unrelated && 'The student is not related to the tutor.',
    content.letter_on && `Doctor’s letter of ${formatDay(content.letter_on, DATE)}.`,
    content.is_reviewed && 'A parent reviewed this document.',
    content.learning_goal && `Learning goal: ${content.learning_goal}`,
    content.note,
  ].filter((text): text is string => typeof text === 'string')
  for (const text of said) for (const one of text.split('\n')) paper.write(one, TEXT)
  if (said.length > 0) paper.y += 4
  const onlyOne = own.filter(({ confirmed_by: by }) => by !== 'both').length
  paper.write(
    onlyOne === 0
      ? 'The family and the tutor both confirmed these lessons in Tutorlog.'
      : 'Both: the family and the tutor confirmed it in Tutorlog. Tutor only, family only: one of them recorded it.',
    SMALL,
  )
  if (provider.tax_kind === 'vat') paper.write('Prices include VAT.', SMALL)
  paper.y += 8
}

function waysToPay(paper: Paper, { ways }: PaperContent): void {
  if (ways.length === 0) return
  paper.keep(50)
  heading(paper, 'Ways to pay')
  for (const { title, text } of ways) line(paper, title, text)
}

function foot(
  paper: Paper,
  { code, url }: IssuedPaper,
  title: string,
  place: { page: number; pages: number; y: number },
): void {
  const y = place.y + 22
  const style = { size: 8, color: INK.ink3 }
  paper.doc
    .moveTo(paper.left, y - 8)
    .lineTo(paper.left + paper.width, y - 8)
    .lineWidth(0.7)
    .strokeColor(INK.line)
    .stroke()
  paper.put(title, paper.left, y, style)
  paper.put(`Page ${place.page} of ${place.pages}`, paper.left, y, { ...style, align: 'right' }, paper.width)
  if (code) paper.put(`Verify this paper at ${url} with code ${code}`, paper.left, y + 13, style)
}

function heading(paper: Paper, text: string): void {
  paper.y += 6
  paper.write(text, H2)
  paper.y += 2
}

function money(amount: Cents, { currency }: PaperContent): string {
  return formatMoney(cents(amount), currency)
}

function inHours(minutes: number): string {
  return `${formatHours(minutes as Minutes)} h`
}
