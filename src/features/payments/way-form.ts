// The form for a payment option, holding what the user typed. All fields are text, and the option's kind
// determines which ones it has.
import type { PaymentWay, WayKind } from './payment-way.ts'

export interface WayFields {
  kind: WayKind
  url: string
  holder: string
  iban: string
  bic: string
  currency: string
  street: string
  building: string
  postal_code: string
  town: string
  country: string
  reference: string
  message: string
  name: string
  address: string
  text: string
}

type Line = Exclude<keyof WayFields, 'kind'>

/** The fields of each kind, in order. */
export const LINES: Record<WayKind, readonly Line[]> = {
  link: ['url'],
  sepa: ['holder', 'iban', 'bic', 'message'],
  swiss: [
    'holder',
    'street',
    'building',
    'postal_code',
    'town',
    'country',
    'iban',
    'reference',
    'currency',
    'message',
  ],
  upi: ['name', 'address'],
  text: ['text'],
}

const EMPTY: WayFields = {
  kind: 'link',
  url: '',
  holder: '',
  iban: '',
  bic: '',
  currency: 'CHF',
  street: '',
  building: '',
  postal_code: '',
  town: '',
  country: 'CH',
  reference: '',
  message: '',
  name: '',
  address: '',
  text: '',
}

/** The form for an existing payment option, or an empty one with the payee's name filled in. */
export function fieldsOf(way: PaymentWay | undefined, name = ''): WayFields {
  if (!way) return { ...EMPTY, holder: name, name }
  const kept = way as unknown as Record<string, string | null>
  const own = LINES[way.kind].map((line) => [line, kept[line] ?? ''])
  return { ...EMPTY, kind: way.kind, ...(Object.fromEntries(own) as Partial<WayFields>) }
}

/** The form as a request: the fields for the option's kind, plus the id if the option already exists. */
export function toInput(fields: WayFields, id?: string) {
  const own = LINES[fields.kind].map((line) => [line, fields[line]])
  return { kind: fields.kind, ...(id ? { id } : {}), ...Object.fromEntries(own) } as WayInputFields
}

type WayInputFields = { kind: WayKind; id?: string } & Partial<Record<Line, string>>
