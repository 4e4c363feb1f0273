// The fields of the forms for papers, as text, and what the forms send.
import type { InputOf, OutputOf } from '#kernel/endpoint.ts'
import type { FormKind } from './content.ts'
import type { PreviewPaper, ReadPaperInput } from './paper.ts'
import { programOf } from './program.ts'
import type { ProviderDetails, SetPaperProvider } from './provider.ts'

export interface PaperFields {
  student_id: string
  /** A family's tutor; empty for a practice. */
  tutor_id: string
  kind: FormKind
  program: string
  from: string
  to: string
  payer_name: string
  payer_address: string
  child_name: string
  program_number: string
  learning_goal: string
  letter_on: string
  group: '' | 'one_to_one' | 'group'
  group_share: string
  is_unrelated: boolean
  is_reviewed: boolean
  due_on: string
  note: string
  place: string
  /** The places that were chosen for single lessons, by session. */
  places: Record<string, string>
  /** Why the paper that this one replaces is void. */
  reason: string
}

export function emptyPaper(from: string, to: string, tutorId = ''): PaperFields {
  return {
    student_id: '',
    tutor_id: tutorId,
    kind: 'receipt',
    program: 'free-form',
    from,
    to,
    payer_name: '',
    payer_address: '',
    child_name: '',
    program_number: '',
    learning_goal: '',
    letter_on: '',
    group: '',
    group_share: '',
    is_unrelated: false,
    is_reviewed: false,
    due_on: '',
    note: '',
    place: '',
    places: {},
    reason: '',
  }
}

/** The fields to issue a paper again. */
export function fieldsOfPaper(typed: OutputOf<typeof ReadPaperInput>): PaperFields {
  const { places, ...rest } = typed
  const texts = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, value ?? '']))
  return {
    ...emptyPaper(typed.from, typed.to),
    ...texts,
    places: Object.fromEntries(places.map(({ session_id: id, place }) => [id, place])),
  }
}

type Input = InputOf<typeof PreviewPaper>

export function toInput({ reason: _reason, places, ...fields }: PaperFields): Input {
  return {
    ...fields,
    tutor_id: fields.tutor_id || null,
    // No program takes a family's own record.
    program: fields.kind === 'record' ? 'free-form' : fields.program,
    group: fields.group || null,
    group_share: fields.group === 'group' ? fields.group_share : null,
    letter_on: fields.letter_on || null,
    due_on: fields.kind === 'invoice' ? fields.due_on || null : null,
    place: (fields.place || null) as Input['place'],
    places: Object.entries(places).map(([id, place]) => ({ session_id: id, place })) as Input['places'],
  }
}

/** Whether a program asks for any of these fields, so that the form shows what they need. */
export function asksFor(program: string, ...fields: string[]): boolean {
  return programOf(program)?.requires.some((field) => fields.includes(field)) ?? false
}

export type ProviderFields = Record<
  Exclude<keyof ProviderDetails, 'vat_rate' | 'tax_kind' | 'qualification'>,
  string
> & { vat_rate: string; tax_kind: ProviderDetails['tax_kind']; qualification: string }

export function fieldsOfProvider({ vat_rate: rate, ...details }: ProviderDetails): ProviderFields {
  const texts = Object.fromEntries(Object.entries(details).map(([name, value]) => [name, value ?? '']))
  return { ...(texts as ProviderFields), vat_rate: rate === null ? '' : String(rate / 100) }
}

export function toProvider(fields: ProviderFields): InputOf<typeof SetPaperProvider> {
  return {
    ...fields,
    qualification: (fields.qualification || null) as ProviderDetails['qualification'],
    // What the chosen kind of tax line doesn't use isn't sent, so that it can't be wrong.
    vat_rate: fields.tax_kind === 'vat' ? fields.vat_rate : null,
  }
}
