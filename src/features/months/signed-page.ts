// A closed month's page as a text that's signed, and the files that carry it (docs/page-format.md).
import { agreedText, type PasskeyProof } from './agreed.ts'
import type { Side } from './closing.ts'
import type { MonthContent } from './month-page.ts'

export const PAGE_FORMAT = 'tutorlog-page-1'
const FILE_FORMAT = 'tutorlog-file-1'
export const KEYS_FORMAT = 'tutorlog-page-keys-1'

/** How a side answered; null if the page is from before that was kept. */
type AnswerWay = 'account' | 'emailed_link' | 'handed_over_link' | null

/** A side's answer to closing the month. */
interface SideAnswer {
  at: string
  how: AnswerWay
  passkey: PasskeyProof | null
}

/** What a signed page says, besides the facts that both sides agreed to. */
export interface SignedFacts {
  format: typeof PAGE_FORMAT
  /** Facts that are themselves a text, because a passkey signs exactly this text. */
  agreed: string
  asked_by: 'family' | 'tutor'
  asked_at: string
  closed_at: string
  /** Later than closed_at if the month was closed before pages were signed. */
  signed_at: string
  code: string
  url: string
  time_zone: string
  region: string | null
  answers: { family: SideAnswer; tutor: SideAnswer }
}

/** A page's text, and the server's signature of it. */
export interface SignedPage {
  page: string
  /** The key's id, which is derived from the public key. */
  key: string
  /** Lowercase hex. */
  signature: string
}

/** A public key of this server, as published. */
export interface PublishedKey {
  id: string
  public_key: string
  made_at: string
  retired_at: string | null
}

/** The text of a closed month's page. It's made once, when the month is closed, and kept. */
export function pageText(content: MonthContent, earlier?: { signedAt: string }): string {
  const answer = (side: Side): SideAnswer => ({
    at: content.asked_by === side ? content.asked_at : content.closed_at,
    how: wayOf(content, side, earlier !== undefined),
    passkey: content.proofs?.[side] ?? null,
  })
  const facts: SignedFacts = {
    format: PAGE_FORMAT,
    agreed: agreedText(content),
    asked_by: content.asked_by === 'family' ? 'family' : 'tutor',
    asked_at: content.asked_at,
    closed_at: content.closed_at,
    signed_at: earlier?.signedAt ?? content.closed_at,
    code: content.code,
    url: content.url,
    time_zone: content.time_zone ?? 'UTC',
    region: content.region ?? null,
    answers: { family: answer('family'), tutor: answer('practice') },
  }
  return JSON.stringify(facts)
}

function wayOf(content: MonthContent, side: Side, isEarlier: boolean): AnswerWay {
  if (content.handed_side === side) return 'handed_over_link'
  if (content.emailed_side === side) return 'emailed_link'
  return isEarlier ? null : 'account'
}

/** Where the public keys are. The address is part of the format. */
export const KEYS_PATH = '/.well-known/tutorlog-page-keys.json'

/** A server's public keys. */
export interface KeysFile {
  format: typeof KEYS_FORMAT
  origin: string
  keys: PublishedKey[]
}

/** What the server's key signs of a page. */
export function signedBytes(page: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(`${PAGE_FORMAT}\n${page}`)
}

/** The file that's attached to the PDF. */
export function attachmentOf({ page, key, signature }: SignedPage): string {
  return JSON.stringify({ format: PAGE_FORMAT, page, key, signature })
}

/** A key's id or the start of a signature, in groups that can be compared by eye. */
export function inGroups(hex: string): string {
  return hex.replaceAll(/(.{4})(?=.)/g, '$1 ')
}

/** In a PDF, the start of the line with the signature of the whole file. It's a comment. */
export const FILE_LINE = `%${FILE_FORMAT} `

/** What the server's key signs of a whole file: its SHA-256 in hex, with zeros in place of the signature. */
export function signedFileBytes(sha256: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(`${FILE_FORMAT}\n${sha256}`)
}
