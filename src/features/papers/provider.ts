// Who issues a practice's papers: what every receipt and invoice says about the provider, typed once.
import * as z from 'zod/mini'
import { endpoint } from '#features/access/endpoint.ts'
import { optionalText } from '#kernel/text.ts'
import { readingsOf } from '#kernel/typed-number.ts'

export const QUALIFICATIONS = ['licensed', 'taught', 'expert'] as const
export const QUALIFICATION_WORDS: Record<(typeof QUALIFICATIONS)[number], string> = {
  licensed: 'licensed teacher',
  taught: 'has taught the subject at a school',
  expert: 'expert in the subject',
}

/** What a paper says about tax: nothing, a small business's note, the VAT that prices include, or the provider's words. */
export const TAX_KINDS = ['none', 'small_business', 'vat', 'text'] as const

const RATE = 'Enter a rate such as 19 or 8.1'
/** A percentage in hundredths, such as 810 for "8,1". */
const VatRate = z.pipe(
  z.union([z.number(), z.string()], { error: RATE }),
  z.transform((value, context): number | null => {
    const text = String(value).replace(/\s*%\s*$/, '')
    if (text.trim() === '') return null
    const [reading = '', ...others] = readingsOf(text)
    const rate = Math.round(Number(reading) * 100)
    if (others.length === 0 && /^\d{1,2}(\.\d{1,2})?$/.test(reading) && rate > 0) return rate
    context.issues.push({ code: 'custom', message: RATE, input: value })
    return z.NEVER
  }),
)

export const ProviderInput = z
  .strictObject({
    legal_name: optionalText(120),
    address: optionalText(300),
    tax_number: optionalText(60),
    registration_number: optionalText(60),
    credential: optionalText(160),
    credential_number: optionalText(60),
    instructor_name: optionalText(120),
    qualification: z.optional(z.nullable(z.enum(QUALIFICATIONS))),
    tax_kind: z._default(z.enum(TAX_KINDS), 'none'),
    /** A small business's note, or the provider's own words. */
    tax_text: optionalText(300),
    vat_number: optionalText(40),
    vat_rate: z.optional(z.nullable(VatRate)),
  })
  .check((context) => {
    const { tax_kind: kind, tax_text: text, vat_number: number, vat_rate: rate } = context.value
    const missing = (path: string, message: string) =>
      context.issues.push({ code: 'custom', path: [path], message, input: undefined })
    if ((kind === 'small_business' || kind === 'text') && !text) missing('tax_text', 'Enter the note')
    if (kind === 'vat' && !number) missing('vat_number', 'Enter your VAT number')
    if (kind === 'vat' && !rate) missing('vat_rate', RATE)
  })

/** The details as stored and as printed. */
export const ProviderDetails = z.object({
  legal_name: z.nullable(z.string()),
  address: z.nullable(z.string()),
  tax_number: z.nullable(z.string()),
  registration_number: z.nullable(z.string()),
  credential: z.nullable(z.string()),
  credential_number: z.nullable(z.string()),
  instructor_name: z.nullable(z.string()),
  qualification: z.nullable(z.enum(QUALIFICATIONS)),
  tax_kind: z.enum(TAX_KINDS),
  tax_text: z.nullable(z.string()),
  vat_number: z.nullable(z.string()),
  /** In hundredths of a percent. */
  vat_rate: z.nullable(z.number()),
})
export type ProviderDetails = z.output<typeof ProviderDetails>

const Provider = z.object({
  ...ProviderDetails.shape,
  /** 0 if nothing was typed yet. */
  version: z.number(),
})
export type Provider = z.output<typeof Provider>

export const NO_PROVIDER: ProviderDetails = {
  legal_name: null,
  address: null,
  tax_number: null,
  registration_number: null,
  credential: null,
  credential_number: null,
  instructor_name: null,
  qualification: null,
  tax_kind: 'none',
  tax_text: null,
  vat_number: null,
  vat_rate: null,
}

/** The details to store. What the chosen kind of tax line doesn't use is left out, so that it's never printed. */
export function detailsOf(input: z.output<typeof ProviderInput>): ProviderDetails {
  const { tax_kind: kind } = input
  const typed = { ...NO_PROVIDER, ...withoutUndefined(input) }
  return {
    ...typed,
    tax_text: kind === 'small_business' || kind === 'text' ? typed.tax_text : null,
    vat_number: kind === 'vat' ? typed.vat_number : null,
    vat_rate: kind === 'vat' ? typed.vat_rate : null,
  }
}

function withoutUndefined(input: z.output<typeof ProviderInput>): Partial<ProviderDetails> {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined))
}

export const ReadPaperProvider = endpoint({
  operation: 'ReadPaperProvider',
  summary: "Get the provider's details that the practice's receipts and invoices show",
  method: 'GET',
  path: '/api/v1/paper-provider',
  access: ['tutor', 'admin'],
  needsAllStudents: true,
  input: z.strictObject({}),
  output: Provider,
})

export const SetPaperProvider = endpoint({
  operation: 'SetPaperProvider',
  summary: "Replace the provider's details on the practice's receipts and invoices (owner only)",
  method: 'PUT',
  path: '/api/v1/paper-provider',
  access: ['tutor', 'admin'],
  closedTo: ['assistant'],
  needsAllStudents: true,
  input: ProviderInput,
  output: Provider,
  refusals: {
    changed: {
      status: 409,
      title: 'These details were changed somewhere else. Please check them and try again.',
    },
  },
})
