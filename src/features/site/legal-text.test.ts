// Every promise of the terms and of the privacy policy beside what keeps it: a sentence without a keeper fails here, and so does
// a keeper that no longer keeps it.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { ACCEPTED, TERMS_VERSION } from '#features/accounts/account.ts'
import { readConfig } from '#platform/config.server.ts'
import { formatLongDay } from './announcement.ts'
import { LAST_UPDATED, type LegalText, PRIVACY, TERMS } from './legal-text.ts'
import { CHILD_AGE, DELETION_DAYS, INVITED_DAYS, LEAST_AGE, LOG_MONTHS, MESSAGE_DAYS, NOTICE_DAYS, OPEN_WITHOUT_PLAN, TRIAL_DAYS } from './promise.ts'

const wordsOf = (text: LegalText) => [text.title, text.summary, ...text.sections.flat()].join('\n')
const config = readConfig({})

/** A test of this name, or a line of the operator's page, stands in this file. */
const shownBy = (file: string, name: string) => () => {
  assert.ok(existsSync(file), file)
  assert.ok(readFileSync(file, 'utf8').includes(name), `${file}: ${name}`)
}
const is = (value: number, promised: number) => () => assert.equal(value, promised)
const accounts = 'src/features/accounts/routes.server.test.ts'
const referrals = 'src/features/referrals/routes.server.test.ts'
const site = 'src/features/site/routes.server.test.ts'
/** What the operator has to set up, because no code can. */
const operations = 'docs/operations.md'

const IN_TERMS: [sentence: string, keeper: () => void][] = [
  ['a free trial of 45 days. No credit card is asked for', () => assert.deepEqual([TRIAL_DAYS, config.trialDays], [45, 45])],
  ['paid subscription, monthly or yearly', shownBy(operations, 'one monthly and one yearly price')],
  ['processed by a card payment provider', shownBy(operations, 'hosted checkout')],
  ['renews automatically', shownBy(operations, 'renew automatically')],
  ['You cancel in your account settings', shownBy(operations, 'at the end of the paid period')],
  ['no refunds for partial periods', shownBy(operations, 'without proration')],
  ['Nothing is ever deleted for not paying', () => assert.ok(OPEN_WITHOUT_PLAN.includes('delete'))],
  ['both of you get more days of trial', () => { is(config.referralBonusDays, 30)(); shownBy(referrals, 'T17: when the invited friend confirms, both get their days, once')() }],
  ['One reward is given for each friend, and none for yourself', shownBy(referrals, 'T17: no reward for oneself')],
  ['its data is then deleted within 30 days', is(DELETION_DAYS, 30)],
  ['You can export everything at any time', () => assert.ok(OPEN_WITHOUT_PLAN.includes('export'))],
  ['at least 18 years old, or you have the consent of a parent or guardian', () => { is(LEAST_AGE, 18)(); assert.ok(ACCEPTED.includes('age_or_consent')) }],
  ['We record which version you accepted and when', shownBy(accounts, 'P8: signing up records with version and time what was accepted')],
  ['we announce it by email 30 days before the new version holds', () => { is(NOTICE_DAYS, 30)(); shownBy('src/features/site/announcement.test.ts', 'P8: new terms hold 30 days after they are announced')() }],
  ['ends all invitations', shownBy(referrals, 'P9: the opt-out link works without a login')],
]

const IN_PRIVACY: [sentence: string, keeper: () => void][] = [
  ['The data of cancelled accounts is deleted within 30 days', is(DELETION_DAYS, 30)],
  ['Session and usage logs are kept for up to 12 months', is(LOG_MONTHS, 12)],
  ['No data is collected directly from children under 13', is(CHILD_AGE, 13)],
  ['Data is processed in the United States', shownBy(operations, 'in the United States')],
  ['Connections are encrypted', shownBy(operations, 'reverse proxy that ends TLS')],
  ['we announce it by email 30 days before', () => { is(NOTICE_DAYS, 30)(); shownBy(site, 'P8: new terms are announced to every user once')() }],
  ['deleted after 30 days. Every invitation has a link', () => { is(INVITED_DAYS, 30)(); shownBy(referrals, 'P9: an invited address is kept for 30 days and not one more')() }],
  ['deleted from the app after 30 days', () => { is(MESSAGE_DAYS, 30)(); shownBy(site, 'a message is gone from the app after 30 days')() }],
  ['we keep a hash from which the address cannot be read', shownBy(referrals, 'only a hash of the address is kept')],
  ['Our pages load nothing from other companies', shownBy('e2e/access.e2e.ts', 'no screen asks another host for anything')],
  ['scripts cannot read them', shownBy(accounts, 'W2: tokens travel in httpOnly cookies only')],
  ['refuses to show one user the entries of another', shownBy('src/features/sessions/routes.server.test.ts', 'T1: the database itself hides the rows of others')],
  ['We do not ask for birth years', () => assert.doesNotMatch(readFileSync('db/migrations/0002-tutoring.sql', 'utf8'), /birth/i)],
]

for (const [text, promises] of [[TERMS, IN_TERMS], [PRIVACY, IN_PRIVACY]] as const) {
  for (const [sentence, keep] of promises) {
    test(`${text.title}: "${sentence}" is said and kept`, () => {
      assert.ok(wordsOf(text).includes(sentence))
      keep()
    })
  }

  test(`${text.title}: every number in it is one that a constant promises`, () => {
    const promised = new Set([TRIAL_DAYS, DELETION_DAYS, LOG_MONTHS, NOTICE_DAYS, LEAST_AGE, CHILD_AGE, INVITED_DAYS, MESSAGE_DAYS].map(String))
    assert.deepEqual([...wordsOf(text).matchAll(/\d+/g)].map(([number]) => number).filter((number) => !promised.has(number)), [])
  })
}

test('both texts carry the day of the version that signing up accepts', () => {
  assert.equal(LAST_UPDATED, 'June 1, 2025')
  assert.equal(formatLongDay(TERMS_VERSION), LAST_UPDATED)
})
