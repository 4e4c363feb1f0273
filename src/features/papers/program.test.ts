// What each program wants to see on a paper, written down from the programs' pages and not from our data: a complete
// paper lacks nothing, and a paper with one planted gap lacks exactly that.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CalendarDay } from '#kernel/calendar-day.ts'
import type { Minutes } from '#kernel/duration.ts'
import { type Cents, currencyOf } from '#kernel/money.ts'
import type { PaperContent, PaperLesson } from './content.ts'
import { missingFor, programOf, PROGRAMS } from './program.ts'
import { NO_PROVIDER } from './provider.ts'

const day = (text: string) => text as CalendarDay

/** A paper that no program sends back, apart from where the lessons were: programs want different places. */
function complete(program: string): PaperContent {
  const lesson = (date: string): PaperLesson => ({
    id: date,
    day: day(date),
    start: '16:30',
    end: '17:30',
    minutes: 60 as Minutes,
    subject: 'Algebra',
    place: program === '529-plan' ? 'library' : 'student_home',
    amount_cents: 4500 as Cents,
    confirmed_by: 'both',
  })
  return {
    format: 1,
    kind: 'receipt',
    program,
    region: null,
    issued_on: day('2026-12-01'),
    from: day('2026-11-01'),
    to: day('2026-11-30'),
    currency: currencyOf('USD'),
    provider: {
      ...NO_PROVIDER,
      legal_name: 'Ingrid Lindqvist',
      address: '12 Elm Street',
      tax_number: '12-3456789',
      registration_number: 'SAP 123',
      credential: 'Teaching certificate',
      credential_number: 'AZ-77',
      instructor_name: 'Ingrid Lindqvist',
      qualification: 'licensed',
      tax_kind: 'small_business',
      tax_text: 'No VAT is charged, under section 19 UStG.',
    },
    payer: { name: 'Dana Whitfield', address: '1 Oak Road' },
    child: { name: 'Maya Rose Whitfield', program_number: 'ESA-1' },
    lessons: [lesson('2026-11-03'), lesson('2026-11-10')],
    charges: [],
    payments: [
      {
        kind: 'payment',
        day: day('2026-11-12'),
        method: 'transfer',
        amount_cents: 9000 as Cents,
        confirmed_by: 'both',
      },
    ],
    sums: {
      lessons: 9000 as Cents,
      charges: 0 as Cents,
      total: 9000 as Cents,
      paid: 9000 as Cents,
      due: 0 as Cents,
    },
    vat_cents: null,
    due_on: null,
    ways: [],
    learning_goal: 'Pass the final exam',
    letter_on: day('2026-10-01'),
    group: program === 'esa-texas' ? 'group' : 'one_to_one',
    group_share: program === 'esa-texas' ? '1 of 3' : null,
    is_unrelated: true,
    is_reviewed: true,
    note: null,
  }
}

type Gap = (paper: PaperContent) => unknown
const inLesson =
  (change: Partial<PaperLesson>): Gap =>
  ({ lessons }) =>
    Object.assign(lessons[1] ?? {}, change)

/** What every program wants, and how a paper comes to lack it. */
const ALWAYS: [field: string, gap: Gap][] = [
  ['provider_name', ({ provider }) => (provider.legal_name = null)],
  ['provider_address', ({ provider }) => (provider.address = null)],
  ['payer_name', ({ payer }) => (payer.name = null)],
  ['child_name', ({ child }) => (child.name = null)],
  ['lesson_subject', inLesson({ subject: null })],
  ['lesson_price', inLesson({ amount_cents: null })],
  ['payment_way', ({ payments }) => Object.assign(payments[0] ?? {}, { method: null })],
  ['paid_in_full', ({ sums }) => (sums.due = 1 as Cents)],
]

/** What a program wants besides. */
const BESIDES: Record<string, [field: string, gap: Gap][]> = {
  'free-form': [],
  'esa-arizona': [
    ['credential', ({ provider }) => (provider.credential = null)],
    ['payer_address', ({ payer }) => (payer.address = null)],
    ['program_number', ({ child }) => (child.program_number = null)],
  ],
  'esa-florida': [
    ['credential', ({ provider }) => (provider.credential = null)],
    ['credential_number', ({ provider }) => (provider.credential_number = null)],
    ['one_school_year', inLesson({ day: day('2026-06-30') })],
  ],
  'esa-ohio': [['reviewed', (paper) => (paper.is_reviewed = false)]],
  'esa-texas': [
    ['tax_number', ({ provider }) => (provider.tax_number = null)],
    ['group', (paper) => (paper.group = null)],
    ['group_share', (paper) => (paper.group_share = null)],
  ],
  '529-plan': [
    ['unrelated', (paper) => (paper.is_unrelated = false)],
    ['qualification', ({ provider }) => (provider.qualification = null)],
    ['lesson_place', inLesson({ place: null })],
    ['outside_home', inLesson({ place: 'student_home' })],
  ],
  hsa: [
    ['doctors_letter', (paper) => (paper.letter_on = null)],
    ['credential', ({ provider }) => (provider.credential = null)],
  ],
  'minnesota-credit': [['instructor_name', ({ provider }) => (provider.instructor_name = null)]],
  'uk-self-employed': [],
  'germany-bildung-und-teilhabe': [
    ['both_confirmed', inLesson({ confirmed_by: 'provider' })],
    ['tax_note', ({ provider }) => (provider.tax_kind = 'none')],
    ['learning_goal', (paper) => (paper.learning_goal = null)],
  ],
  'france-avance-immediate': [
    ['lesson_place', inLesson({ place: null })],
    ['family_home', inLesson({ place: 'online' })],
    ['lesson_times', inLesson({ start: null, end: null })],
    ['one_pupil', (paper) => (paper.group = 'group')],
    ['registration_number', ({ provider }) => (provider.registration_number = null)],
  ],
}

const GAPS = Object.entries(BESIDES).flatMap(([program, besides]) =>
  [...ALWAYS, ...besides].map(([field, gap]) => ({ program, field, gap })),
)

const fieldsMissing = (program: string, paper: PaperContent) => {
  const known = programOf(program) ?? assert.fail(program)
  return missingFor(known, paper).map(({ field }) => field)
}

test('a complete paper lacks nothing for any of the programs', () => {
  assert.deepEqual(PROGRAMS.map(({ id }) => id).sort(), Object.keys(BESIDES).sort())
  for (const { id } of PROGRAMS) assert.deepEqual(fieldsMissing(id, complete(id)), [], id)
})

test('113 planted gaps, 113 named, each alone', () => {
  assert.equal(GAPS.length, 113)
  for (const { program, field, gap } of GAPS) {
    const paper = complete(program)
    gap(paper)
    assert.deepEqual(fieldsMissing(program, paper), [field], `${program}: ${field}`)
  }
})

test('every field that a program wants, and none other, is in the list of gaps', () => {
  for (const { id, requires } of PROGRAMS)
    assert.deepEqual([...requires].sort(), (BESIDES[id] ?? []).map(([field]) => field).sort(), id)
})

test('what is missing names its days and says what to do', () => {
  const paper = complete('france-avance-immediate')
  for (const lesson of paper.lessons) lesson.start = null
  const [first] = missingFor(programOf('france-avance-immediate') ?? assert.fail(), paper)
  assert.equal(
    first?.message,
    'The start and end of each lesson (Nov 3, Nov 10). Add the start time to the session.',
  )
})

test('an invoice outside of programs is sent before it is paid, so payment is no gap on it', () => {
  const paper = { ...complete('free-form'), kind: 'invoice' as const, payments: [] }
  paper.sums.due = paper.sums.total
  assert.deepEqual(fieldsMissing('free-form', paper), [])
  assert.deepEqual(fieldsMissing('esa-arizona', { ...paper, program: 'esa-arizona' }), ['paid_in_full'])
})

test('a family is told what its tutor has to add, not what it has to add itself', () => {
  const paper = { ...complete('esa-arizona'), is_by_family: true as const }
  paper.provider = { ...paper.provider, legal_name: null, credential_number: null }
  const wanted = {
    ...(programOf('esa-arizona') ?? assert.fail()),
    requires: ['credential_number', 'both_confirmed'],
  }
  for (const lesson of paper.lessons) lesson.confirmed_by = 'provider'
  assert.deepEqual(
    missingFor(wanted, paper).map(({ message }) => message.replace(/ \(.*?\)/, '')),
    [
      'The tutor’s legal name. Ask the tutor to add it.',
      'The number of the tutor’s credential. Ask the tutor to add it.',
      'Both sides’ confirmation of each lesson. Confirm it in Tutorlog, and ask the tutor to.',
    ],
  )
})
