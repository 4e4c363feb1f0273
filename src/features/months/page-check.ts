// Checks a closed month's page with nothing but its file and the server's public keys, as docs/page-format.md says. It
// runs in any browser or server that has WebCrypto.
import { sealPlace } from '#platform/pdf/seal-place.ts'
import type { PasskeyProof } from './agreed.ts'
import {
  FILE_LINE,
  KEYS_FORMAT,
  type KeysFile,
  PAGE_FORMAT,
  type PublishedKey,
  signedBytes,
  type SignedFacts,
  signedFileBytes,
  type SignedPage,
} from './signed-page.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** A row of the facts that both sides agreed to. */
interface AgreedLine {
  id: string
  day: string
  student: string | null
  currency: string
  confirmed_by_family_at: string | null
  confirmed_by_tutor_at: string | null
}

/** The facts that both sides agreed to, as `agreedText` writes them. */
interface AgreedFacts {
  month: string
  currency: string
  family: string
  tutor: string
  sessions: (AgreedLine & { subject: string | null; minutes: number; total_cents: number | null })[]
  payments: (AgreedLine & { kind: string; amount_cents: number })[]
  charges: (AgreedLine & { reason: string; label: string | null; amount_cents: number })[]
  carried_over_cents: number
  sessions_cents: number
  covered_cents: number
  other_cents: number
  paid_cents: number
  due_cents: number
  minutes_left: number
}

/** What a signature is worth. */
type Verdict = 'holds' | 'unknown_key' | 'broken'

export interface CheckedPage {
  isGenuine: boolean
  /** These and `agreed` are only what the file says unless the server's signature of the page holds. */
  facts: SignedFacts
  agreed: AgreedFacts
  /** The server's signature of what the page says. */
  page: Verdict
  /** The server's signature of all bytes of the PDF; null if the file is only the page's data. */
  file: Verdict | null
  /** Each side's signature by passkey; null if it didn't sign. */
  passkeys: { family: 'holds' | 'broken' | null; tutor: 'holds' | 'broken' | null }
  /** The id of the key that signed the page. */
  key: string
}

const PDF = '%PDF-'
const ZERO = '0'.charCodeAt(0)
const ATTACHED = `stream\n{"format":"${PAGE_FORMAT}",`
const ATTACHED_END = '\nendstream'
const ENVELOPE = new RegExp(
  `^\\{"format":"${PAGE_FORMAT}","page":"((?:[^"\\\\]|\\\\["\\\\])*)","key":"([0-9a-f]{32})","signature":"([0-9a-f]{128})"\\}$`,
)
/** The end of a PDF, with the signature of all its bytes. */
const SIGNED_END = new RegExp(
  `\\n${FILE_LINE}([0-9a-f]{32}) ([0-9a-f]{128})\\nstartxref\\n[0-9]+\\n%%EOF\\n$`,
)

/** Checks a file's page. Undefined if the file doesn't have one, or has two. */
export async function checkPage(
  file: Uint8Array,
  keys: readonly PublishedKey[],
): Promise<CheckedPage | undefined> {
  const bytes = Uint8Array.from(file)
  // One character for each byte, whatever it means.
  const text = new TextDecoder('latin1').decode(bytes)
  const isPdf = text.startsWith(PDF)
  const attached = isPdf ? attachedIn(bytes, text) : bytes
  const signed = attached && readSigned(attached)
  const read = signed && readFacts(signed.page)
  if (!signed || !read) return undefined
  const { facts, agreed } = read
  const page = await verdict(keys, signed.key, signed.signature, signedBytes(signed.page))
  const whole = isPdf ? await checkFile(bytes, text, keys) : null
  // What the server didn't sign can be anything.
  const passkeys =
    page === 'holds'
      ? { family: await checkSide(facts, 'family'), tutor: await checkSide(facts, 'tutor') }
      : { family: null, tutor: null }
  const isGenuine =
    page === 'holds' &&
    (whole === null || whole === 'holds') &&
    passkeys.family !== 'broken' &&
    passkeys.tutor !== 'broken'
  return { isGenuine, facts, agreed, page, file: whole, passkeys, key: signed.key }
}

/** The answer in one word; the format names the first reason that applies. */
export type PageAnswer = 'genuine' | 'no_page' | 'unknown_key' | 'changed' | 'passkey'

export function answerOf(checked: CheckedPage | undefined): PageAnswer {
  if (!checked) return 'no_page'
  if (checked.isGenuine) return 'genuine'
  const [first] = [checked.page, checked.file].filter((one) => one !== null && one !== 'holds')
  if (first) return first === 'unknown_key' ? 'unknown_key' : 'changed'
  return 'passkey'
}

/** Reads a file of public keys. Undefined if it isn't one, or if a key's id isn't the one of its bytes. */
export async function readKeys(text: string): Promise<KeysFile | undefined> {
  const file = parsed<KeysFile>(text)
  if (file?.format !== KEYS_FORMAT || !Array.isArray(file.keys)) return undefined
  for (const { id, public_key: publicKey } of file.keys)
    if (!/^[0-9a-f]{64}$/.test(publicKey) || (await sha256(fromHex(publicKey))).slice(0, 32) !== id)
      return undefined
  return file
}

function attachedIn(bytes: Bytes, text: string): Bytes | undefined {
  const at = text.indexOf(ATTACHED)
  if (at < 0 || text.includes(ATTACHED, at + 1)) return undefined
  const start = at + 'stream\n'.length
  const end = text.indexOf(ATTACHED_END, start)
  return end < 0 ? undefined : bytes.slice(start, end)
}

function readSigned(bytes: Bytes): SignedPage | undefined {
  const [, page, key, signature] = ENVELOPE.exec(utf8(bytes) ?? '') ?? []
  return page && key && signature ? { page: page.replaceAll(/\\(.)/g, '$1'), key, signature } : undefined
}

function readFacts(page: string): { facts: SignedFacts; agreed: AgreedFacts } | undefined {
  const facts = parsed<SignedFacts>(page)
  const agreed = parsed<AgreedFacts>(facts?.agreed ?? '')
  return facts?.format === PAGE_FORMAT && agreed ? { facts, agreed } : undefined
}

async function checkFile(bytes: Bytes, text: string, keys: readonly PublishedKey[]): Promise<Verdict> {
  const [line, key, signature] = SIGNED_END.exec(text) ?? []
  if (!line || !key || !signature) return 'broken'
  const unsigned = bytes.slice()
  const at = text.length - line.length + line.indexOf(signature, key.length)
  unsigned.fill(ZERO, at, at + signature.length)
  // A seal is made after this signature, and PDF viewers check it.
  const seal = sealPlace(text)
  if (seal) unsigned.fill(ZERO, seal.start, seal.end)
  return verdict(keys, key, signature, signedFileBytes(await sha256(unsigned)))
}

async function verdict(
  keys: readonly PublishedKey[],
  id: string,
  signature: string,
  bytes: Bytes,
): Promise<Verdict> {
  const key = keys.find((one) => one.id === id)
  if (!key) return 'unknown_key'
  const imported = await crypto.subtle.importKey('raw', fromHex(key.public_key), 'Ed25519', false, ['verify'])
  return (await crypto.subtle.verify('Ed25519', imported, fromHex(signature), bytes)) ? 'holds' : 'broken'
}

/** What a passkey's answer says about itself. */
interface ClientData {
  type?: string
  challenge?: string
  origin?: string
}
/** In the authenticator's data: somebody touched the device. */
const PRESENT = 1

async function checkSide(facts: SignedFacts, side: 'family' | 'tutor'): Promise<'holds' | 'broken' | null> {
  const { passkey } = facts.answers[side]
  return passkey && checkPasskey(passkey, facts)
}

async function checkPasskey(proof: PasskeyProof, facts: SignedFacts): Promise<'holds' | 'broken'> {
  try {
    const { origin, hostname } = new URL(facts.url)
    const clientData = fromBase64(proof.client_data)
    const authenticator = fromBase64(proof.authenticator_data)
    const said = parsed<ClientData>(utf8(clientData) ?? '')
    const challenge = await sha256(new TextEncoder().encode(`${proof.nonce}\n${facts.agreed}`))
    const isAbout =
      said?.type === 'webauthn.get' &&
      said.origin === origin &&
      toHex(fromBase64(said.challenge ?? '')) === challenge &&
      toHex(authenticator.slice(0, 32)) === (await sha256(new TextEncoder().encode(hostname))) &&
      ((authenticator[32] ?? 0) & PRESENT) === PRESENT
    const signed = joined(authenticator, fromHex(await sha256(clientData)))
    return isAbout && (await isSignedBy(proof, signed)) ? 'holds' : 'broken'
  } catch {
    // Whatever can't be read proves nothing.
    return 'broken'
  }
}

const ES256 = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const RS256 = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }

async function isSignedBy({ key, signature }: PasskeyProof, bytes: Bytes): Promise<boolean> {
  const algorithm = key.kty === 'EC' ? ES256 : key.kty === 'RSA' ? RS256 : { name: 'Ed25519' }
  const imported = await crypto.subtle.importKey('jwk', key, algorithm, false, ['verify'])
  const given = fromBase64(signature)
  return crypto.subtle.verify(algorithm, imported, key.kty === 'EC' ? bothNumbers(given) : given, bytes)
}

/** The two numbers of a signature in DER (a sequence of two integers), 32 bytes each, as WebCrypto takes them. */
function bothNumbers(der: Bytes): Bytes {
  const number = (at: number) => {
    const length = der[at + 1] ?? 0
    const digits = der.slice(at + 2, at + 2 + length).slice(-32)
    return { digits: joined(new Uint8Array(32 - digits.length), digits), end: at + 2 + length }
  }
  const first = number(2)
  return joined(first.digits, number(first.end).digits)
}

function joined(first: Bytes, second: Bytes): Bytes {
  const both = new Uint8Array(first.length + second.length)
  both.set(first)
  both.set(second, first.length)
  return both
}

async function sha256(bytes: Bytes): Promise<string> {
  return toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

function fromHex(hex: string): Bytes {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}

function fromBase64(text: string): Bytes {
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0))
}

/** Undefined if the bytes aren't a text. */
function utf8(bytes: Bytes): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

function parsed<Shape>(text: string): Shape | undefined {
  try {
    return JSON.parse(text) as Shape
  } catch {
    return undefined
  }
}
