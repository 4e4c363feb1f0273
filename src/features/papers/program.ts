// What a program wants to see on a tutor's paper, and what of it is missing. Which program wants what is data
// (programs.json); this file knows where each field is on a paper.
import type { CalendarDay } from '#kernel/calendar-day.ts'
import { formatDay } from '#kernel/calendar-day.ts'
import type { PaperContent, PaperLesson } from './content.ts'
import programs from './programs.json' with { type: 'json' }

export interface Program {
  id: string
  name: string
  /** The kind of public page that the fields come from. */
  source: string
  requires: string[]
}
export const PROGRAMS: readonly Program[] = programs.programs
/** When the programs' pages were read. */
export const READ_ON = programs.read_on as CalendarDay

export const NO_TAX_ADVICE =
  'Pages like these can be out of date, and this is no tax advice: ask the program or your tax adviser.'

/** Where someone adds what is missing. */
type MissingAt = 'provider' | 'paper' | 'records'

interface Field {
  label: string
  at: MissingAt
  /** True, or the days of the lessons or payments that lack it. Empty if nothing is missing. */
  lacks: (paper: PaperContent) => boolean | CalendarDay[]
  /** What to do about it. */
  fix: string
}

const daysOf = (lessons: readonly PaperLesson[], lacks: (lesson: PaperLesson) => boolean) =>
  lessons.filter(lacks).map(({ day }) => day)

/** Every field that a program can ask for. */
const FIELDS: Record<string, Field> = {
  provider_name: {
    label: 'Your legal name',
    at: 'provider',
    lacks: ({ provider }) => !provider.legal_name,
    fix: 'Add it to your details.',
  },
  provider_address: {
    label: 'Your address',
    at: 'provider',
    lacks: ({ provider }) => !provider.address,
    fix: 'Add it to your details.',
  },
  tax_number: {
    label: 'Your tax number',
    at: 'provider',
    lacks: ({ provider }) => !provider.tax_number,
    fix: 'Add it to your details.',
  },
  registration_number: {
    label: 'Your registration number',
    at: 'provider',
    lacks: ({ provider }) => !provider.registration_number,
    fix: 'Add the number that you have as a provider to your details.',
  },
  credential: {
    label: 'Your credential',
    at: 'provider',
    lacks: ({ provider }) => !provider.credential,
    fix: 'Add your license, degree or certificate to your details.',
  },
  credential_number: {
    label: 'The number of your credential',
    at: 'provider',
    lacks: ({ provider }) => !provider.credential_number,
    fix: 'Add it to your details.',
  },
  instructor_name: {
    label: 'The name of the qualified instructor',
    at: 'provider',
    lacks: ({ provider }) => !provider.instructor_name,
    fix: 'Add who teaches to your details.',
  },
  qualification: {
    label: 'What qualifies the tutor',
    at: 'provider',
    lacks: ({ provider }) => !provider.qualification,
    fix: 'Choose licensed, taught the subject, or expert in your details.',
  },
  tax_note: {
    label: 'A tax note',
    at: 'provider',
    lacks: ({ provider }) => provider.tax_kind === 'none',
    fix: 'Add a small-business note or your VAT number to your details.',
  },
  payer_name: {
    label: 'The payer’s name',
    at: 'paper',
    lacks: ({ payer }) => !payer.name,
    fix: 'Enter who pays or holds the account.',
  },
  payer_address: {
    label: 'The payer’s address',
    at: 'paper',
    lacks: ({ payer }) => !payer.address,
    fix: 'Enter the address of the account’s holder.',
  },
  child_name: {
    label: 'The child’s name as enrolled',
    at: 'paper',
    lacks: ({ child }) => !child.name,
    fix: 'Enter it letter by letter as the program has it.',
  },
  program_number: {
    label: 'The program number',
    at: 'paper',
    lacks: ({ child }) => !child.program_number,
    fix: 'Enter the number that the program gave the child.',
  },
  doctors_letter: {
    label: 'The day of the doctor’s letter',
    at: 'paper',
    lacks: ({ letter_on: day }) => day === null,
    fix: 'Enter the date on the letter.',
  },
  learning_goal: {
    label: 'The learning goal',
    at: 'paper',
    lacks: ({ learning_goal: goal }) => !goal,
    fix: 'Enter what the lessons are meant to reach.',
  },
  group: {
    label: 'One-to-one or group',
    at: 'paper',
    lacks: ({ group }) => group === null,
    fix: 'Choose one.',
  },
  group_share: {
    label: 'The child’s share of the group',
    at: 'paper',
    lacks: ({ group, group_share: share }) => group === 'group' && !share,
    fix: 'Enter it, such as "1 of 3".',
  },
  one_pupil: {
    label: 'One pupil per lesson',
    at: 'paper',
    lacks: ({ group }) => group !== 'one_to_one',
    fix: 'The program pays only for one-to-one lessons.',
  },
  unrelated: {
    label: 'That the child isn’t a relative',
    at: 'paper',
    lacks: ({ is_unrelated: isUnrelated }) => !isUnrelated,
    fix: 'The program doesn’t pay for lessons by a relative.',
  },
  reviewed: {
    label: 'That the parent reviewed the paper',
    at: 'paper',
    lacks: ({ is_reviewed: isReviewed }) => !isReviewed,
    fix: 'Show the parent the paper, then check the box.',
  },
  lesson_place: {
    label: 'The place of each lesson',
    at: 'paper',
    lacks: ({ lessons }) => daysOf(lessons, ({ place }) => place === null),
    fix: 'Choose where it was.',
  },
  outside_home: {
    label: 'Lessons outside the student’s home',
    at: 'paper',
    lacks: ({ lessons }) => daysOf(lessons, ({ place }) => place === 'student_home'),
    fix: 'The program doesn’t pay for lessons at home.',
  },
  family_home: {
    label: 'Lessons at the student’s home',
    at: 'paper',
    lacks: ({ lessons }) => daysOf(lessons, ({ place }) => place !== null && place !== 'student_home'),
    fix: 'The program pays only for lessons at home, not online or elsewhere.',
  },
  one_school_year: {
    label: 'One school year, July to June',
    at: 'paper',
    lacks: ({ lessons }) => new Set(lessons.map(({ day }) => schoolYearOf(day))).size > 1,
    fix: 'Issue a paper for each school year.',
  },
  lesson_subject: {
    label: 'The subject of each lesson',
    at: 'records',
    lacks: ({ lessons }) => daysOf(lessons, ({ subject }) => !subject),
    fix: 'Add it to the session.',
  },
  lesson_price: {
    label: 'The price of each lesson',
    at: 'records',
    lacks: ({ lessons }) => daysOf(lessons, ({ amount_cents: amount }) => amount === null),
    fix: 'Add a rate to the session.',
  },
  lesson_times: {
    label: 'The start and end of each lesson',
    at: 'records',
    lacks: ({ lessons }) => daysOf(lessons, ({ start }) => start === null),
    fix: 'Add the start time to the session.',
  },
  both_confirmed: {
    label: 'Both sides’ confirmation of each lesson',
    at: 'records',
    lacks: ({ lessons }) => daysOf(lessons, ({ confirmed_by: by }) => by !== 'both'),
    fix: 'Ask the family to confirm it in Tutorlog.',
  },
  payment_way: {
    label: 'How each payment was made',
    at: 'records',
    lacks: ({ payments }) =>
      payments.filter(({ kind, method }) => kind !== 'credit' && method === null).map(({ day }) => day),
    fix: 'Add it to the payment.',
  },
  paid_in_full: {
    label: 'Payment in full',
    at: 'records',
    lacks: ({ sums, payments }) => sums.due !== 0 || (payments.length === 0 && sums.total !== 0),
    fix: 'Record the payment first: the paper says what is still due.',
  },
}

/** The school year that a day belongs to, by the year it begins in. */
const schoolYearOf = (day: CalendarDay) => Number(day.slice(0, 4)) - (day.slice(5, 7) < '07' ? 1 : 0)

/** A field that the program wants and the paper lacks. */
export interface Missing {
  field: string
  at: MissingAt
  message: string
}

export function programOf(id: string): Program | undefined {
  return PROGRAMS.find((program) => program.id === id)
}

/** All fields that a program wants, first those that every program wants. */
function fieldsOf(program: Program): string[] {
  return [...programs.always, ...program.requires]
}

/** Fields that an invoice outside of programs lacks by its nature: it's sent before it's paid. */
const PAID = new Set(['payment_way', 'paid_in_full'])

/** What a paper lacks for its program, field by field. */
export function missingFor(program: Program, paper: PaperContent): Missing[] {
  const isUnpaidByNature = paper.kind === 'invoice' && program.requires.length === 0
  return fieldsOf(program)
    .filter((id) => !(isUnpaidByNature && PAID.has(id)))
    .flatMap((id) => {
      const field = FIELDS[id]
      if (!field) throw new Error(`a program wants ${id}, which is not a field of a paper`)
      const lacks = field.lacks(paper)
      const days = lacks === true ? [] : lacks
      if (days === false || (lacks !== true && days.length === 0)) return []
      const { label, fix } = paper.is_by_family ? forFamily(id, field) : field
      return [{ field: id, at: field.at, message: `${label}${daysInWords(days)}. ${fix}` }]
    })
}

/** The words for a family that makes the paper: what's the tutor's to add isn't the reader's. */
function forFamily(id: string, { label, at, fix }: Field): { label: string; fix: string } {
  if (id === 'both_confirmed') return { label, fix: 'Confirm it in Tutorlog, and ask the tutor to.' }
  if (at !== 'provider') return { label, fix }
  const theirs = label.replace(/\byour\b/i, 'the tutor’s').replace(/^the/, 'The')
  return { label: theirs, fix: 'Ask the tutor to add it.' }
}

const MOST_DAYS = 4

/** Such as " (Nov 3, Nov 10 and 3 more)". */
function daysInWords(days: readonly CalendarDay[]): string {
  const named = days.slice(0, MOST_DAYS).map((day) => formatDay(day, { month: 'short', day: 'numeric' }))
  const more = days.length - named.length
  if (named.length === 0) return ''
  return ` (${named.join(', ')}${more > 0 ? ` and ${more} more` : ''})`
}
