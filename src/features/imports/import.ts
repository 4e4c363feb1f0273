// Imports sessions, or charges and credits, from a spreadsheet. Shows a preview first, then imports either all lines or
// none.
import * as z from 'zod/mini'
import { endpoint } from '#features/access/endpoint.ts'
import { Currency } from '#kernel/money.ts'
import { REASONS } from '#features/payments/payment.ts'
import { WORDS_FIELDS } from '#features/sessions/lesson-words.ts'

/** What the lines of a file are. */
export const KINDS = ['sessions', 'charges'] as const
export type Kind = (typeof KINDS)[number]

/** The possible contents of a column, for each kind. 'duration' is in hours, 'minutes' in minutes. */
export const FIELDS_OF = {
  sessions: [
    'date',
    'student',
    'tutor',
    'duration',
    'minutes',
    'subject',
    'rate',
    'amount',
    'start_time',
    'end_time',
    ...WORDS_FIELDS,
    'notes',
  ],
  charges: ['date', 'student', 'tutor', 'amount', 'reason', 'label', 'currency'],
} as const
export type Field = (typeof FIELDS_OF)[Kind][number]

/** How to read dates like 3/4/2026; dates that start with the year are unambiguous. */
const DATE_ORDERS = ['mdy', 'dmy'] as const
export type DateOrder = (typeof DATE_ORDERS)[number]

/** Enough for ten years of a busy tutor's sessions. Larger files have to be split. */
export const MAX_LINES: Record<Kind, number> = { sessions: 5000, charges: 500 }
/** The maximum number of lines of each kind in a preview. */
export const SHOWN = 200
const MAX_BYTES = 1_500_000

/** Each field's column, counting from 0; fields without a column are left out. */
const Column = z.optional(z.int().check(z.minimum(0), z.maximum(99)))
// Not a z.record, which would add 700 bytes to every page.
export const Columns = z.strictObject(
  Object.fromEntries(
    Object.values(FIELDS_OF)
      .flat()
      .map((field) => [field, Column]),
  ) as Record<Field, typeof Column>,
)
export type Columns = z.output<typeof Columns>

const input = z.strictObject({
  text: z
    .string({ error: 'Choose a file or paste its contents' })
    .check(
      z.minLength(1, 'Choose a file or paste its contents'),
      z.maxLength(1_000_000, 'This file is too large. Import it in parts.'),
    ),
  /** If omitted, it's guessed from the columns. */
  kind: z.optional(z.enum(KINDS)),
  /** If omitted, columns are guessed from their names. */
  columns: z.optional(Columns),
  /** Who all lines are for, if no column says so. */
  student_id: z.optional(z.uuid({ error: 'Please select a student' })),
  tutor_id: z.optional(z.uuid({ error: 'Please select a tutor' })),
  date_order: z.optional(z.enum(DATE_ORDERS)),
  /** Leaves out what's already recorded. */
  skip_existing: z._default(z.boolean(), true),
  /** Leaves out lines that repeat an earlier line. */
  skip_repeats: z._default(z.boolean(), false),
})

/** How to read a file, and which of its lines to leave out. */
export type Choices = Omit<z.output<typeof input>, 'text'>

/** The previewed input, and how many lines with errors the user agreed to skip. */
const runInput = z.extend(input, { skip_refused: z._default(z.int().check(z.minimum(0)), 0) })

const Line = z.object({
  /** The line's number in the file, starting at 1. */
  line: z.number(),
  state: z.enum(['ready', 'refused', 'existing', 'repeat']),
  /** Why the line can't be imported, or what to check before it is. */
  problem: z.nullable(z.string()),
  date: z.nullable(z.string()),
  student: z.nullable(z.string()),
  tutor: z.nullable(z.string()),
  hours: z.nullable(z.number()),
  /** HH:MM. */
  start_time: z.nullable(z.string()),
  subject: z.nullable(z.string()),
  /** Negative for a credit. */
  amount: z.nullable(z.number()),
  /** Of a charge: why, and what it's for. */
  reason: z.nullable(z.enum(REASONS)),
  label: z.nullable(z.string()),
  /** The currency of a charge's amount. */
  currency: z.nullable(Currency),
  /** The closed month that has to be reopened before the line can be imported. */
  closed_month: z.nullable(z.object({ connection_id: z.string(), month: z.string() })),
})
export type PreviewLine = z.output<typeof Line>

export const Preview = z.object({
  kind: z.enum(KINDS),
  /** The column names in the file. */
  header: z.array(z.string()),
  columns: Columns,
  date_order: z.enum(DATE_ORDERS),
  student_id: z.nullable(z.string()),
  tutor_id: z.nullable(z.string()),
  /** Totals of what will be written: sessions or charges, hours and dollars. */
  sessions: z.number(),
  charges: z.number(),
  hours: z.number(),
  amount: z.number(),
  /** The amount's currency; null if the lines are in several, or there are none. */
  currency: z.nullable(Currency),
  refused: z.number(),
  /** How many of the lines to write have something to check. */
  to_check: z.number(),
  existing: z.number(),
  repeats: z.number(),
  new_students: z.array(z.string()),
  new_tutors: z.array(z.string()),
  /** Lines with errors, then the others, those to check first; up to SHOWN of each kind. */
  lines: z.array(Line),
})
export type Preview = z.output<typeof Preview>

const refusals = {
  unreadable: { status: 422, title: "We couldn't read this as a table", field: 'text' },
  too_many_lines: {
    status: 422,
    title: 'This file has more than 5,000 lines. Import it in parts.',
    field: 'text',
  },
  too_many_charges: {
    status: 422,
    title: 'This file has more than 500 charges. Import it in parts.',
    field: 'text',
  },
} as const
const roles = ['parent', 'tutor', 'admin'] as const

export const PreviewImport = endpoint({
  operation: 'PreviewImport',
  summary: 'Preview an import without adding anything',
  method: 'POST',
  path: '/api/v1/imports/preview',
  access: roles,
  needsAllStudents: true,
  maxBytes: MAX_BYTES,
  limit: { hits: 300, seconds: 3600 },
  input,
  output: Preview,
  refusals,
})
export const RunImport = endpoint({
  operation: 'RunImport',
  summary:
    "Import sessions, and add missing children and tutors, or charges and credits, all or nothing. 'skip_refused' is how many lines with errors to skip",
  method: 'POST',
  meetsClosedMonths: true,
  path: '/api/v1/imports',
  access: roles,
  needsAllStudents: true,
  creates: true,
  maxBytes: MAX_BYTES,
  limit: { hits: 60, seconds: 3600 },
  input: runInput,
  output: z.object({
    sessions: z.number(),
    charges: z.number(),
    /**
     * The number of imported sessions that will be waiting under 'Same lessons?' because the other side
     * logged a lesson that day.
     */
    held: z.number(),
    students: z.number(),
    tutors: z.number(),
    latest_month: z.nullable(z.string()),
  }),
  refusals: {
    ...refusals,
    lines_refused: { status: 422, title: "Some lines can't be imported, so nothing was saved" },
    nothing: { status: 422, title: 'There is nothing to import in this file', field: 'text' },
    too_many_rows: {
      status: 422,
      title: 'This import would put you over the limit of 500 children or tutors, or of 10,000 charges',
    },
  },
})
