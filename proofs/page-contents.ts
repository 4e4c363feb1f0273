// Random pages of closed months, with and without signatures by passkey, for proofs/pages.ts.
import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import type { CalendarDay } from '#kernel/calendar-day.ts'
import type { Minutes } from '#kernel/duration.ts'
import { type Cents, currencyOf } from '#kernel/money.ts'
import { agreedText, type PasskeyProof } from '#features/months/agreed.ts'
import type { MonthContent } from '#features/months/month-page.ts'

export type Chance = () => number

/** Names and words that are hard to write in JSON or PDF, among ordinary ones. */
const NAMES = (
  'Jordan Whitfield|Ingrid Lindqvist|Müller-Żółć|O’Brien "Bob"|back\\slash|山田 太郎|דנה כהן|محمد علي|José María|Zoë 👩‍🏫|' +
  '{"format":"tutorlog-page-1",|endstream|%%EOF'
).split('|')
const SUBJECTS = ['Algebra', 'Français', 'Chemistry', '物理', 'Reading "aloud"', null]

const pick = <Value>(chance: Chance, values: readonly Value[]) =>
  values[Math.floor(chance() * values.length)] as Value
const below = (chance: Chance, most: number) => Math.floor(chance() * most)

/** A month with up to 24 lessons, 4 payments and 3 charges. Its figures add up. */
export function randomContent(chance: Chance, code: string, baseUrl: string): MonthContent {
  const month = `20${20 + below(chance, 20)}-${String(1 + below(chance, 12)).padStart(2, '0')}`
  const currency = currencyOf(pick(chance, ['USD', 'EUR', 'JPY', 'GBP']))
  const least = currency === 'JPY' ? 100 : 1
  const line = (kind: string, at: number) => ({
    id: `${kind}-${at}-${below(chance, 1e9)}`,
    day: `${month}-${String(1 + below(chance, 28)).padStart(2, '0')}` as CalendarDay,
    currency,
    first_name: pick(chance, ['Maya', 'Léo', '太郎', null]),
    family_at: `${month}-28T0${below(chance, 10)}:00:00.000Z`,
    practice_at: `${month}-28T1${below(chance, 10)}:30:00.000Z`,
  })
  const amount = () => ((1 + below(chance, 20_000)) * least) as Cents
  const sessions = Array.from({ length: below(chance, 25) }, (_, at) => ({
    ...line('session', at),
    minutes: (15 * (1 + below(chance, 8))) as Minutes,
    rate_cents: amount(),
    total_cents: amount(),
    subject: pick(chance, SUBJECTS),
    is_make_up: chance() < 0.1,
  }))
  const payments = Array.from({ length: below(chance, 5) }, (_, at) => ({
    ...line('payment', at),
    kind: 'payment' as const,
    amount_cents: amount(),
    prepaid_minutes: null,
    method: pick(chance, ['transfer', 'cash', null] as const),
  }))
  const charges = Array.from({ length: below(chance, 4) }, (_, at) => ({
    ...line('charge', at),
    amount_cents: amount(),
    reason: 'materials' as const,
    label: pick(chance, ['Book', 'Workbook "2"', null]),
  }))
  const sum = (amounts: (number | null)[]) => amounts.reduce<number>((all, one) => all + (one ?? 0), 0)
  const figures = {
    carriedOver: (below(chance, 9000) * least) as Cents,
    sessions: sum(sessions.map((row) => row.total_cents)) as Cents,
    covered: 0 as Cents,
    other: sum(charges.map((row) => row.amount_cents)) as Cents,
    paid: sum(payments.map((row) => row.amount_cents)) as Cents,
    left: 0 as Minutes,
  }
  const balance = (figures.carriedOver + figures.sessions + figures.other - figures.paid) as Cents
  return {
    format: 1,
    month,
    currency,
    family: pick(chance, NAMES),
    tutor: pick(chance, NAMES),
    sessions,
    payments,
    ...(charges.length > 0 ? { charges } : {}),
    figures: { ...figures, balance },
    time_zone: pick(chance, ['America/New_York', 'Asia/Tokyo', 'UTC']),
    ...(chance() < 0.5 ? { region: pick(chance, ['US', 'DE', 'JP']) } : {}),
    ...(chance() < 0.2 ? { handed_side: pick(chance, ['family', 'practice'] as const) } : {}),
    asked_by: pick(chance, ['family', 'practice'] as const),
    asked_at: `${month}-28T20:00:00.000Z`,
    closed_at: `${month}-28T21:00:00.000Z`,
    code,
    url: `${baseUrl}/verify/${code}`,
  }
}

/** A passkey of each kind of key that browsers make. */
const PASSKEYS = [
  generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  generateKeyPairSync('ed25519'),
  generateKeyPairSync('rsa', { modulusLength: 2048 }),
]

/** Signs a page's facts as a browser with a passkey does. */
function passkeyProof(content: MonthContent, kind: number): PasskeyProof {
  const { publicKey, privateKey } = PASSKEYS[kind % PASSKEYS.length] as {
    publicKey: KeyObject
    privateKey: KeyObject
  }
  const { origin, hostname } = new URL(content.url)
  const hash = (data: string | Buffer) => createHash('sha256').update(data).digest()
  const nonce = hash(`${content.code}${kind}`).toString('base64url')
  const challenge = hash(`${nonce}\n${agreedText(content)}`).toString('base64url')
  const clientData = Buffer.from(
    JSON.stringify({ type: 'webauthn.get', challenge, origin, crossOrigin: false }),
  )
  const authenticator = Buffer.concat([hash(hostname), Buffer.of(5, 0, 0, 0, kind)])
  const algorithm = privateKey.asymmetricKeyType === 'ed25519' ? null : 'sha256'
  const { kty = '', crv, x, y, n, e } = publicKey.export({ format: 'jwk' })
  return {
    key: JSON.parse(JSON.stringify({ kty, crv, x, y, n, e })) as PasskeyProof['key'],
    nonce,
    authenticator_data: authenticator.toString('base64url'),
    client_data: clientData.toString('base64url'),
    signature: sign(algorithm, Buffer.concat([authenticator, hash(clientData)]), privateKey).toString(
      'base64url',
    ),
  }
}

/** The content with the signatures of one side or both. */
export function withProofs(
  content: MonthContent,
  kinds: { family?: number; practice?: number },
): MonthContent {
  const proofs = Object.fromEntries(
    Object.entries(kinds).map(([side, kind]) => [side, passkeyProof(content, kind)]),
  )
  return { ...content, proofs }
}
