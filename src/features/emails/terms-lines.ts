// Text for the daily email about terms that are waiting for an answer or were declined.
import type { Side } from '#features/access/role.ts'
import type { Rules } from '#features/terms/rules.ts'
import { sentencesOf } from '#features/terms/sentences.ts'
import type { Currency } from '#kernel/money.ts'
import { plainText } from '#kernel/plain-name.ts'

/** Terms in an email: proposed, with other rules proposed instead, declined, or to be ended. */
export interface MailedTerms {
  connection_id: string
  /** The reader's side. */
  side: Side
  rules: Rules
  currency: Currency
  is_leaving: boolean
  is_sent_back: boolean
  /** What the other side proposes instead of the reader's. */
  proposal: { rules: Rules } | { is_removed: true } | null
  /** The other side's note when it declined them. */
  note: string | null
  asked_at: Date | null
}

/** One paragraph for each, with all that it says. */
export function askingTerms(terms: readonly MailedTerms[], nameOf: (connection: string) => string): string[] {
  return terms.map((one) => paragraphOf(one, nameOf(one.connection_id)))
}

function paragraphOf(
  { rules, currency, is_leaving: isLeaving, proposal, note, is_sent_back }: MailedTerms,
  other: string,
) {
  const said = (what: Rules) => sentencesOf(what, currency).join(' ')
  const quoted = note ? ` “${plainText(note)}”` : ''
  if (isLeaving) return `${other} asks to end your terms. They apply until you agree: ${said(rules)}`
  if (proposal && 'is_removed' in proposal) return `${other} wants no terms instead of yours.${quoted}`
  if (proposal) return `${other} proposes other terms than yours: ${said(proposal.rules)}${quoted}`
  if (is_sent_back) return `${other} says the terms you proposed aren’t right.${quoted}`
  return `${other} proposes these terms: ${said(rules)} They apply once you agree.`
}

/** The subject of an email that's only about terms. */
export function termsSubject(terms: readonly MailedTerms[], other: string): string {
  if (terms.every((one) => one.is_leaving)) return `${other} asks to end your terms`
  return terms.every((one) => one.is_sent_back && !one.proposal)
    ? `${other} says your terms aren’t right`
    : `${other} proposes terms`
}
