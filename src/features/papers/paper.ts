// Receipts and invoices: what the API shows of them, and what can be done with them.
import * as z from 'zod/mini'
import { endpoint } from '#features/access/endpoint.ts'
import { Currency } from '#kernel/money.ts'
import { requiredText } from '#kernel/text.ts'
import { PageBytes } from '#features/months/month-page.ts'
import { FORM_KINDS, PAPER_KIND_WORDS, PAPER_KINDS, PaperInput, PLACES } from './content.ts'

const ConfirmedBy = z.enum(['both', 'provider', 'family'])

const Paper = z.object({
  id: z.string(),
  kind: z.enum(PAPER_KINDS),
  /** Such as "2026-0007". */
  number: z.string(),
  student_id: z.nullable(z.string()),
  /** The child's name as it's on the paper. */
  child_name: z.nullable(z.string()),
  program: z.string(),
  issued_on: z.string(),
  /** The first and last day on it. */
  first_day: z.string(),
  last_day: z.string(),
  /** Dollars. */
  total: z.number(),
  due: z.number(),
  currency: Currency,
  code: z.string(),
  voided_at: z.nullable(z.string()),
  void_reason: z.nullable(z.string()),
  /** The number of the voided paper that it was issued for, and of the one that was issued for it. */
  replaces: z.nullable(z.string()),
  replaced_by: z.nullable(z.string()),
  /** The months on it, such as "2026-11", that were reopened after it was issued. */
  reopened_since: z.array(z.string()),
  /** Whether a family made it in the provider's name. The practice then has none of what the family typed. */
  is_by_family: z.boolean(),
  /** For a family, the tutor in whose name it is; null if that record was deleted, and for a practice. */
  tutor_id: z.nullable(z.string()),
  /** The provider's legal name. */
  provider: z.nullable(z.string()),
})
export type Paper = z.output<typeof Paper>

/** A practice's papers, and those that a family made in its tutors' names. */
const members = ['parent', 'tutor', 'admin'] as const

export const ListPapers = endpoint({
  operation: 'ListPapers',
  summary: "List a practice's receipts and invoices, or those that a family made, newest first",
  method: 'GET',
  path: '/api/v1/papers',
  access: members,
  closedTo: ['caregiver'],
  needsAllStudents: true,
  input: z.strictObject({}),
  output: z.object({ papers: z.array(Paper) }),
})

/** Why a paper can't be issued as it is. */
export const OBSTACLES = {
  provider_missing: { status: 409, title: 'Add your legal name and address first' },
  nothing_on_it: { status: 409, title: 'There are no lessons or charges on these days' },
  too_long: { status: 409, title: 'A paper has room for 500 lessons and charges. Choose fewer days.' },
  mixed_currencies: { status: 409, title: 'The lessons on these days are in different currencies' },
  month_reopened: { status: 409, title: 'A month on these days was reopened. Close it again first.' },
  not_allowed: {
    status: 409,
    title:
      'This tutor doesn’t allow receipts in their name at the moment. Ask them, or make your own record instead.',
  },
  no_font: { status: 422, title: 'A name has letters that can’t be printed' },
} as const
export type ObstacleCode = keyof typeof OBSTACLES

const Obstacle = z.object({
  code: z.enum(Object.keys(OBSTACLES) as [ObstacleCode, ...ObstacleCode[]]),
  message: z.string(),
})
export type Obstacle = z.output<typeof Obstacle>

const amount = z.nullable(z.number())
const PaperPreview = z.object({
  currency: Currency,
  lessons: z.array(
    z.object({
      id: z.string(),
      date: z.string(),
      start: z.nullable(z.string()),
      end: z.nullable(z.string()),
      /** Hours. */
      duration: z.number(),
      subject: z.nullable(z.string()),
      place: z.nullable(z.enum(PLACES)),
      amount,
      confirmed_by: ConfirmedBy,
    }),
  ),
  charges: z.array(
    z.object({
      id: z.string(),
      date: z.string(),
      what: z.string(),
      amount: z.number(),
      confirmed_by: ConfirmedBy,
    }),
  ),
  payments: z.array(
    z.object({
      kind: z.enum(['payment', 'prepaid', 'credit']),
      date: z.string(),
      method: z.nullable(z.string()),
      amount: z.number(),
      confirmed_by: ConfirmedBy,
    }),
  ),
  total: z.number(),
  paid: z.number(),
  due: z.number(),
  due_on: z.nullable(z.string()),
  /** What in the range isn't on the paper, and why. */
  left_out: z.array(z.object({ what: z.enum(['session', 'charge']), date: z.string(), why: z.string() })),
  /** What keeps it from being issued. */
  obstacles: z.array(Obstacle),
  /** What the program wants and the paper lacks. */
  missing: z.array(
    z.object({ field: z.string(), at: z.enum(['provider', 'paper', 'records']), message: z.string() }),
  ),
  /** Stands for the lines and sums. Send it along when issuing. */
  seen: z.string(),
})
export type PaperPreview = z.output<typeof PaperPreview>

const UNKNOWN_PROGRAM = {
  unknown_program: { status: 422, title: 'Choose a program', field: 'program' },
  wrong_kind: { status: 422, title: 'Choose another kind of paper', field: 'kind' },
  no_tutor: { status: 422, title: 'Please select a tutor', field: 'tutor_id' },
} as const

export const PreviewPaper = endpoint({
  operation: 'PreviewPaper',
  summary: 'Show what a receipt or invoice would say and what is missing, without issuing it',
  method: 'POST',
  path: '/api/v1/papers/preview',
  access: members,
  needsAllStudents: true,
  input: PaperInput,
  output: PaperPreview,
  refusals: UNKNOWN_PROGRAM,
})

const VoidReason = requiredText(300, 'Enter why this paper is void')

export const IssuePaper = endpoint({
  operation: 'IssuePaper',
  summary: 'Issue a receipt or invoice with the next number; it never changes afterwards',
  method: 'POST',
  path: '/api/v1/papers',
  access: members,
  needsAllStudents: true,
  creates: true,
  input: z.strictObject({
    paper: PaperInput,
    /** What the preview showed, so that nothing is issued that nobody saw. */
    seen: z.string().check(z.maxLength(64)),
    /** The missing fields that the user knows about. */
    known_missing: z._default(z.array(z.string().check(z.maxLength(40))).check(z.maxLength(60)), []),
    /** The paper to void and replace, and why. Not voided again if it is already. */
    replaces: z.optional(z.strictObject({ id: z.uuid(), reason: VoidReason })),
  }),
  output: Paper,
  refusals: {
    ...UNKNOWN_PROGRAM,
    ...OBSTACLES,
    changed: {
      status: 409,
      title: 'A lesson, charge or payment has changed since you saw this. Please check the paper again.',
    },
    fields_missing: { status: 409, title: 'The program wants more on this paper. Please check the list.' },
    on_another: {
      status: 409,
      title:
        'A lesson or charge is already on another paper of this kind. Void that one, or choose other days.',
    },
    already_replaced: { status: 409, title: 'Another paper was already issued for this one' },
  },
})

export const MakeRecord = endpoint({
  operation: 'MakeRecord',
  summary: "Make a PDF of a family's own record of lessons: it has no number, and nothing is stored",
  method: 'POST',
  path: '/api/v1/papers/record.pdf',
  access: ['parent'],
  needsAllStudents: true,
  input: z.strictObject({
    record: PaperInput,
    paper: z._default(z.enum(['a4', 'letter']), 'letter'),
  }),
  output: PageBytes,
  produces: 'application/pdf',
  refusals: { ...UNKNOWN_PROGRAM, ...OBSTACLES },
})

export const VoidPaper = endpoint({
  operation: 'VoidPaper',
  summary: 'Declare an issued paper void; its number stays and its code says so',
  method: 'POST',
  path: '/api/v1/papers/:id/void',
  access: members,
  needsAllStudents: true,
  input: z.strictObject({ reason: VoidReason }),
  output: Paper,
  refusals: { already_void: { status: 409, title: 'This paper is already void' } },
})

export const ReadPaperInput = endpoint({
  operation: 'ReadPaperInput',
  summary: 'Get what was typed for an issued paper, to issue it again',
  method: 'GET',
  path: '/api/v1/papers/:id/input',
  access: members,
  closedTo: ['caregiver'],
  needsAllStudents: true,
  input: z.strictObject({}),
  output: z.object({
    student_id: z.nullable(z.string()),
    tutor_id: z.nullable(z.string()),
    kind: z.enum(FORM_KINDS),
    program: z.string(),
    from: z.string(),
    to: z.string(),
    payer_name: z.nullable(z.string()),
    payer_address: z.nullable(z.string()),
    child_name: z.nullable(z.string()),
    program_number: z.nullable(z.string()),
    learning_goal: z.nullable(z.string()),
    letter_on: z.nullable(z.string()),
    group: z.nullable(z.enum(['one_to_one', 'group'])),
    group_share: z.nullable(z.string()),
    is_unrelated: z.boolean(),
    is_reviewed: z.boolean(),
    due_on: z.nullable(z.string()),
    note: z.nullable(z.string()),
    places: z.array(z.object({ session_id: z.string(), place: z.enum(PLACES) })),
  }),
})

export const DownloadPaper = endpoint({
  operation: 'DownloadPaper',
  summary: 'Download an issued paper as a PDF',
  method: 'GET',
  path: '/api/v1/papers/:id/paper.pdf',
  access: members,
  closedTo: ['caregiver'],
  needsAllStudents: true,
  input: z.strictObject({ paper: z._default(z.enum(['a4', 'letter']), 'letter') }),
  output: PageBytes,
  produces: 'application/pdf',
})

export const DownloadPaperData = endpoint({
  operation: 'DownloadPaperData',
  summary: 'Download an issued paper as JSON, with the same figures as its PDF',
  method: 'GET',
  path: '/api/v1/papers/:id/paper.json',
  access: members,
  closedTo: ['caregiver'],
  needsAllStudents: true,
  input: z.strictObject({}),
  output: z.string(),
  produces: 'application/json',
})

/** A paper's file name, for example 'Receipt 2026-0007 Maya Whitfield.pdf'. */
export function paperFileName(
  { kind, number, child_name: child }: Pick<Paper, 'kind' | 'number' | 'child_name'>,
  ending: 'pdf' | 'json',
): string {
  return `${[PAPER_KIND_WORDS[kind], number, child].filter(Boolean).join(' ')}.${ending}`
}

export function recordFileName(child: string | null): string {
  return `${[PAPER_KIND_WORDS.record, child].filter(Boolean).join(' ')}.pdf`
}
