// Ten papers that are hard to print: long names, other scripts, many pages, large amounts, and every kind of line.
import type { CalendarDay } from '#kernel/calendar-day.ts'
import type { Minutes } from '#kernel/duration.ts'
import { type Cents, currencyOf } from '#kernel/money.ts'
import type { PaperContent, PaperLesson } from '#features/papers/content.ts'
import type { IssuedPaper } from '#features/papers/pdf.server.ts'
import { NO_PROVIDER } from '#features/papers/provider.ts'

const LONG = 'Wolfeschlegelsteinhausenbergerdorffvoralternwarengewissenhaft'
const cents = (amount: number) => amount as Cents
const day = (at: number) => new Date(Date.UTC(2026, 8, 1 + at)).toISOString().slice(0, 10) as CalendarDay

const lesson = (at: number, more: Partial<PaperLesson> = {}): PaperLesson => ({
  id: `lesson ${at}`,
  day: day(at * 2),
  start: '16:30',
  end: '17:30',
  minutes: 60 as Minutes,
  subject: 'Algebra II',
  place: 'library',
  amount_cents: cents(4500),
  confirmed_by: 'both',
  ...more,
})

/** A paper whose sums follow from its lines. */
function paper(at: number, more: Partial<PaperContent>): IssuedPaper {
  const content: PaperContent = {
    format: 1,
    kind: 'receipt',
    program: 'free-form',
    region: 'US',
    issued_on: '2026-12-01' as CalendarDay,
    from: day(0),
    to: day(90),
    currency: currencyOf('USD'),
    provider: {
      ...NO_PROVIDER,
      legal_name: 'Ingrid Lindqvist Tutoring LLC',
      address: '12 Elm Street\nTucson, AZ 85701',
    },
    payer: { name: 'Dana Whitfield', address: '1 Oak Road\nTucson, AZ 85702' },
    child: { name: 'Maya Rose Whitfield', program_number: null },
    lessons: [lesson(1), lesson(2)],
    charges: [],
    payments: [],
    sums: { lessons: cents(0), charges: cents(0), total: cents(0), paid: cents(0), due: cents(0) },
    vat_cents: null,
    due_on: null,
    ways: [],
    learning_goal: null,
    letter_on: null,
    group: null,
    group_share: null,
    is_unrelated: false,
    is_reviewed: false,
    note: null,
    ...more,
  }
  const sum = (rows: readonly { amount_cents: Cents | null }[]) =>
    rows.reduce((total, { amount_cents: amount }) => total + (amount ?? 0), 0)
  const [lessons, charges, paid] = [content.lessons, content.charges, content.payments].map(sum) as [
    number,
    number,
    number,
  ]
  const total = lessons + charges
  content.sums = {
    lessons: cents(lessons),
    charges: cents(charges),
    total: cents(total),
    paid: cents(paid),
    due: cents(total - paid),
  }
  return {
    number: `2026-${String(at).padStart(4, '0')}`,
    code: 'ABCDE-FGHJK',
    url: 'https://tutorlog.example/verify',
    content,
    voidedOn: null,
    voidReason: null,
    replaces: null,
  }
}

const pays = (at: number, amount: number, more: Partial<PaperContent['payments'][number]> = {}) => ({
  kind: 'payment' as const,
  day: day(at),
  method: 'transfer' as const,
  amount_cents: cents(amount),
  confirmed_by: 'both' as const,
  ...more,
})

export function tenPapers(): IssuedPaper[] {
  const plain = paper(1, { payments: [pays(20, 9000)] })
  return [
    plain,
    paper(2, {
      kind: 'invoice',
      due_on: '2026-12-15' as CalendarDay,
      ways: [
        {
          title: 'Bank transfer',
          text: 'Account holder: Ingrid Lindqvist\nIBAN: SE45 5000 0000 0583 9825 7466',
        },
        { title: 'PayPal', text: 'https://paypal.me/IngridL' },
      ],
      note: 'Thank you for the first term.\nSee you in January.',
    }),
    paper(3, {
      currency: currencyOf('EUR'),
      lessons: Array.from({ length: 70 }, (_, at) => lesson(at, { amount_cents: cents(3333 + at) })),
      payments: [pays(20, 100_000), pays(90, 50_000, { confirmed_by: 'provider', method: 'cash' })],
    }),
    paper(4, {
      provider: { ...plain.content.provider, legal_name: `${LONG} ${LONG}`, address: `${LONG} 1\n${LONG}` },
      payer: { name: `${LONG} ${LONG}`, address: LONG.repeat(3) },
      child: { name: `${LONG} ${LONG}`, program_number: LONG },
      lessons: [lesson(1, { subject: LONG, amount_cents: cents(99_999_999) })],
      charges: [
        { id: 'c', day: day(4), what: LONG, amount_cents: cents(100_000_000), confirmed_by: 'provider' },
      ],
      payments: [pays(5, 199_999_999)],
    }),
    paper(5, {
      provider: { ...plain.content.provider, legal_name: '山田花子 学習塾', address: '東京都千代田区1-1' },
      payer: { name: 'أحمد بن خالد', address: 'شارع النخيل 12' },
      child: { name: 'Ngô Thị Đặng (吴明)', program_number: 'Ω-7' },
      lessons: [lesson(1, { subject: 'Русский язык' }), lesson(2, { subject: 'हिन्दी' })],
      payments: [pays(6, 9000)],
    }),
    paper(6, {
      program: 'germany-bildung-und-teilhabe',
      currency: currencyOf('EUR'),
      provider: {
        ...plain.content.provider,
        tax_kind: 'small_business',
        tax_text: 'Kein Ausweis von Umsatzsteuer, da Kleinunternehmer gemäß § 19 UStG.',
      },
      learning_goal: 'Versetzung in die nächste Klasse',
      payments: [pays(8, 9000)],
    }),
    paper(7, {
      provider: {
        ...plain.content.provider,
        tax_kind: 'vat',
        vat_number: 'CHE-123.456.789 MWST',
        vat_rate: 810,
        tax_number: '12-3456789',
        registration_number: 'SAP 812 345 678',
        credential: 'Swiss teaching diploma',
        credential_number: 'LD-77',
        instructor_name: 'Ingrid Lindqvist',
        qualification: 'taught',
      },
      currency: currencyOf('CHF'),
      vat_cents: cents(674),
    }),
    paper(8, {
      program: 'esa-texas',
      lessons: [
        lesson(1, { confirmed_by: 'provider', start: null, end: null }),
        lesson(2, { confirmed_by: 'family', amount_cents: null, place: null, subject: null }),
        lesson(3, { place: 'student_home' }),
      ],
      charges: [
        { id: 'a', day: day(3), what: 'Reading book', amount_cents: cents(1840), confirmed_by: 'both' },
        { id: 'b', day: day(9), what: 'Discount', amount_cents: cents(-500), confirmed_by: 'provider' },
      ],
      payments: [
        pays(2, 4500, { kind: 'prepaid', method: 'card' }),
        pays(9, -200, { kind: 'credit', method: null }),
        pays(11, 3040, { method: null }),
      ],
      group: 'group',
      group_share: '1 of 3',
    }),
    {
      ...paper(9, {
        program: '529-plan',
        is_unrelated: true,
        is_reviewed: true,
        letter_on: '2026-10-01' as CalendarDay,
        group: 'one_to_one',
      }),
      voidedOn: 'Dec 2, 2026',
      voidReason: 'A letter in the name was wrong',
    },
    {
      ...paper(10, { payments: [pays(3, 3000), pays(4, 2000, { method: 'app' })] }),
      replaces: '2026-0009',
    },
  ]
}
