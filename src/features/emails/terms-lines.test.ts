import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Currency } from '#kernel/money.ts'
import { Rules } from '#features/terms/rules.ts'
import { askingTerms, type MailedTerms, termsSubject } from './terms-lines.ts'

const terms: MailedTerms = {
  connection_id: 'one',
  side: 'family',
  rules: Rules.parse({ bands: [{ until_hours: 0, amount: 15 }] }),
  currency: Currency.parse('EUR'),
  is_leaving: false,
  is_sent_back: false,
  proposal: null,
  note: null,
  asked_at: null,
}
const SAYS = 'Cancel at least 24 hours before. Later or a no-show: €15.00.'

test('an email about terms says all of them, what the other side wants, and links nothing that a stranger typed', () => {
  const text = (more: Partial<MailedTerms>) => askingTerms([{ ...terms, ...more }], () => 'Ingrid')
  assert.deepEqual(text({}), [`Ingrid proposes these terms: ${SAYS} They apply once you agree.`])
  assert.deepEqual(text({ is_leaving: true }), [
    `Ingrid asks to end your terms. They apply until you agree: ${SAYS}`,
  ])
  const sentBack = { is_sent_back: true, note: 'See evil.example.com' }
  assert.match(text(sentBack).join(), /^Ingrid says the terms you proposed aren’t right\. “See /)
  assert.doesNotMatch(text(sentBack).join(), /evil\.example\.com/)
  const other = { rules: Rules.parse({ due_day: 5 }) }
  assert.deepEqual(text({ is_sent_back: true, proposal: other }), [
    'Ingrid proposes other terms than yours: Missed lessons cost nothing. Money is due on the 5th of the next month.',
  ])
  assert.deepEqual(text({ is_sent_back: true, proposal: { is_removed: true } }), [
    'Ingrid wants no terms instead of yours.',
  ])
})

test('the subject says what is asked', () => {
  assert.equal(termsSubject([terms], 'Ingrid'), 'Ingrid proposes terms')
  assert.equal(termsSubject([{ ...terms, is_leaving: true }], 'Ingrid'), 'Ingrid asks to end your terms')
  assert.equal(
    termsSubject([{ ...terms, is_sent_back: true }], 'Ingrid'),
    'Ingrid says your terms aren’t right',
  )
})
