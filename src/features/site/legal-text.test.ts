// Lists how each promise in the terms and the privacy policy is kept. Fails if a promise isn't listed, or if
// the test or constant that's listed for it no longer exists.
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { ACCEPTED, TERMS_VERSION } from '#features/accounts/account.ts'
import { KEEP_DAYS } from '#features/accounts/profile.ts'
import { KEPT_DAYS } from '#features/privacy/retention.ts'
import { readConfig } from '#platform/config.server.ts'
import { formatLongDay } from './announcement.ts'
import { LAST_UPDATED, type LegalText, PRIVACY, TERMS } from './legal-text.ts'
import {
  CHILD_AGE,
  DELETION_DAYS,
  INVITED_DAYS,
  LEAST_AGE,
  LOG_MONTHS,
  MESSAGE_DAYS,
  NOTICE_DAYS,
  TRIAL_DAYS,
  TRIAL_MEMORY_MONTHS,
} from './promise.ts'

const wordsOf = (text: LegalText) => [text.title, text.summary, ...text.sections.flat()].join('\n')
const config = readConfig({})

/** Checks that a file has a test whose name starts with the given text. */
const tested = (file: string, name: string) => () => {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  assert.ok(
    ["test('", 'test("', 'test(`']
      .map((beginning) => beginning + name)
      .some((beginning) => text.includes(beginning)),
    `${file}: ${name}`,
  )
}
/** Checks that docs/operations.md contains the given text, for promises that code alone can't keep. */
const operated = (words: string) => () =>
  assert.ok(readFileSync('docs/operations.md', 'utf8').includes(words), words)
const migrations = () =>
  readdirSync('db/migrations')
    .map((name) => readFileSync(`db/migrations/${name}`, 'utf8'))
    .join('\n')
const is = (value: number, promised: number) => () => assert.equal(value, promised)
const all =
  (...keepers: (() => void)[]) =>
  () => {
    for (const keep of keepers) keep()
  }
const routes = (feature: string) => `src/features/${feature}/routes.server.test.ts`
const deletion = 'src/features/privacy/deletion.test.ts'
const ended = tested(
  routes('billing'),
  'D11: after 45 days, writes are answered 402; reading, export, deletion, sign-out and the account page still work',
)
const exported = all(
  tested(routes('privacy'), "P5, D12: the export contains all of the owner's rows"),
  tested('e2e/account.e2e.ts', 'P5: the export is one file that opens'),
)
const erased = all(
  () => assert.ok(KEEP_DAYS < DELETION_DAYS, 'the purge runs once a day'),
  tested(
    deletion,
    'P1: 31 days after deletion, nothing about the person is left in the database, emails, files, or at the payment provider',
  ),
)

const IN_TERMS: [sentence: string, keeper: () => void][] = [
  [
    'We record which version you accepted and when',
    all(
      tested(routes('accounts'), 'P8: each sign-up records the accepted version and when'),
      tested('src/features/accounts/google.server.test.ts', 'P8: signing up with Google accepts'),
    ),
  ],
  [
    'at least 18 years old, or you must have the consent of a parent or guardian',
    all(is(LEAST_AGE, 18), () => assert.ok(ACCEPTED.includes('age_or_consent'))),
  ],
  [
    'You can sign out any device in your account settings',
    tested(routes('settings'), 'A5: the list shows the devices that are signed in; each can be ended'),
  ],
  [
    'a free trial of 45 days. You don’t need a credit card',
    all(
      () => assert.deepEqual([TRIAL_DAYS, config.trialDays], [45, 45]),
      tested('src/features/billing/plan.test.ts', 'D11: the trial lasts exactly 45 days'),
    ),
  ],
  [
    'you need a paid subscription, monthly or yearly, to add or change entries',
    all(
      tested(routes('billing'), 'D11: every operation that writes needs a plan'),
      operated('one monthly and one yearly price'),
    ),
  ],
  [
    'You see the price before you subscribe',
    tested(
      routes('billing'),
      "a subscription bought at the provider allows writing again, at the provider's price",
    ),
  ],
  ['your card number never reaches us', operated('hosted checkout')],
  [
    'renews automatically',
    all(
      tested(
        'src/features/billing/plan.test.ts',
        "a canceled subscription ends with its period; one whose renewal isn't known yet gets another week",
      ),
      operated('renew automatically'),
    ),
  ],
  [
    'You can cancel at any time in your account settings',
    tested(
      'e2e/billing.e2e.ts',
      'the trial ends, reading still works, a plan is bought, writing works again, and the plan is canceled',
    ),
  ],
  [
    'takes effect at the end of the paid period',
    tested(routes('billing'), 'canceling takes effect at the end of the paid period'),
  ],
  ['no refunds for partial periods', operated('without proration or refunds')],
  ['you can still read, export and delete everything', ended],
  [
    'Nothing is ever deleted for not paying',
    all(
      ended,
      tested(deletion, 'P1: an unconfirmed account is deleted after 30 days, and a confirmed one stays'),
    ),
  ],
  [
    'both of you get extra trial days',
    all(
      is(config.referralBonusDays, 30),
      tested(routes('referrals'), 'T17: when the invited friend confirms, both get their days, once'),
    ),
  ],
  [
    'or a credit for the same number of days',
    tested(routes('billing'), "a friend who joins moves a subscriber's next payment by as many days"),
  ],
  [
    'You get one reward for each friend, even if they use several versions of their address, and none for inviting yourself',
    tested(routes('referrals'), "T17: there's no reward for inviting yourself"),
  ],
  [
    'You can get rewards for at most 12 friends a year',
    tested(routes('referrals'), 'T17: an inviter gets at most 12 rewards a year'),
  ],
  ['stop all invitations', tested(routes('referrals'), 'P9: the opt-out link works without a login')],
  [
    'A session that both sides have confirmed is shown as agreed',
    tested(
      'src/features/connections/sharing.test.ts',
      'a session one side logs is in both logs, and verified once both have confirmed it',
    ),
  ],
  [
    'Both sides can see a session’s history, and it is never rewritten',
    all(
      tested(
        'model/agreement.test.ts',
        'T1, D9: after every random step, each side sees what a simple model says',
      ),
      tested('src/features/agreements/jobs.server.test.ts', 'changing any value of any entry is detected'),
    ),
  ],
  ['You can export everything at any time', all(exported, ended)],
  ['its data is then deleted within 30 days', all(is(DELETION_DAYS, 30), erased)],
  [
    'you can sign in to undo the deletion',
    tested(
      deletion,
      'signing in before the purge only offers to keep the account, and keeping it brings everything back',
    ),
  ],
  [
    'we keep backups',
    all(
      operated('npm run admin -- backup FILE'),
      tested(
        'src/main/admin.test.ts',
        'F15: a backup under load holds one moment, and a restore brings every row back',
      ),
    ),
  ],
  [
    'we let you know by email 30 days before the new version takes effect',
    all(
      is(NOTICE_DAYS, 30),
      tested(
        'src/features/site/announcement.test.ts',
        'P8: new terms take effect at least 30 days after they are announced',
      ),
      tested(routes('site'), 'P8: new terms are announced to every user once'),
    ),
  ],
]

const IN_PRIVACY: [sentence: string, keeper: () => void][] = [
  [
    'Your password is kept only as a hash',
    tested(routes('accounts'), 'A18: a password is stored only as a hash'),
  ],
  ['We do not ask for children’s birth years', () => assert.doesNotMatch(migrations(), /birth/i)],
  [
    'No data is collected directly from children under 13',
    all(is(CHILD_AGE, 13), () => assert.ok(ACCEPTED.includes('age_or_consent'))),
  ],
  [
    'is used to fill in one session and is never stored',
    tested(routes('voice'), 'I6, P4: with twenty recordings at once'),
  ],
  [
    'The transcript is kept only if you save it',
    tested(
      routes('voice'),
      'typed text becomes a proposal with the own child, tutor, date, time and rate, and nothing is saved',
    ),
  ],
  [
    'the child’s first name, date, duration, subject and amount',
    tested(
      'src/features/connections/emailed.test.ts',
      'D9: without an account: the emailed link shows only what needs confirming',
    ),
  ],
  [
    'we only keep a record of which plan you have',
    () => assert.doesNotMatch(migrations(), /card_number|\biban\b|\bcvc\b/i),
  ],
  [
    'Our pages do not load anything from other companies',
    tested('e2e/access.e2e.ts', 'no screen requests anything from another host'),
  ],
  ['Data is processed in the United States', operated('in the United States')],
  ['The data of cancelled accounts is deleted within 30 days', all(is(DELETION_DAYS, 30), erased)],
  [
    'Session and usage logs are kept for up to 12 months',
    all(
      is(LOG_MONTHS, 12),
      () => assert.ok(Math.max(...Object.values(KEPT_DAYS)) <= 365),
      tested(
        deletion,
        'P2: every kind of log is deleted when its time is up, not earlier, and sessions stay',
      ),
    ),
  ],
  [
    'deleted from the app after 30 days',
    all(is(MESSAGE_DAYS, 30), tested(routes('site'), 'a message is deleted after 30 days')),
  ],
  [
    'the day its trial began, for 12 months',
    all(
      is(TRIAL_MEMORY_MONTHS, 12),
      () => assert.ok(KEPT_DAYS.first_trials <= 365),
      tested(
        deletion,
        'T17: an address gets one trial, even after its account is erased; only a hash remembers it, for 12 months',
      ),
    ),
  ],
  ['Nothing is deleted because a trial or subscription has ended', ended],
  [
    'deleted after 30 days. Every invitation has a link',
    all(
      is(INVITED_DAYS, 30),
      tested(routes('referrals'), 'P9: an invited address is kept for 30 days and no longer'),
    ),
  ],
  [
    'stops all further invitations, without an account',
    tested('src/features/notices/queries.server.test.ts', 'P9: a link stops emails to its address'),
  ],
  [
    'we keep a hash of the address, which can’t be turned back into the address',
    tested(
      routes('referrals'),
      'P9: the opt-out link works without a login, for good, and only a hash of the address is kept',
    ),
  ],
  [
    'the day its trial began, for 12 months',
    all(
      is(TRIAL_MEMORY_MONTHS, 12),
      tested(
        deletion,
        'T17: an address gets one trial, even after its account is erased; only a hash remembers it, for 12 months',
      ),
    ),
  ],
  ['scripts cannot read them', tested(routes('accounts'), 'W2: tokens travel in httpOnly cookies only')],
  [
    'passwords and links are kept as hashes',
    all(
      tested(routes('accounts'), 'A18: a password is stored only as a hash'),
      tested(
        'src/features/connections/emailed.test.ts',
        'A18: no emailed token is stored in the database in clear',
      ),
    ),
  ],
  ['Connections are encrypted', operated('reverse proxy that terminates TLS')],
  [
    'prevents one user from seeing another’s entries',
    tested(routes('sessions'), "T1: the database itself hides other people's rows"),
  ],
  [
    'In the account settings, you can export all of it, or delete it along with your account',
    all(exported, tested('e2e/account.e2e.ts', 'an account is deleted, and then kept after all')),
  ],
  [
    'we let you know by email 30 days before',
    all(is(NOTICE_DAYS, 30), tested(routes('site'), 'P8: new terms are announced to every user once')),
  ],
]

for (const [text, promises] of [
  [TERMS, IN_TERMS],
  [PRIVACY, IN_PRIVACY],
] as const) {
  for (const [sentence, keep] of promises) {
    test(`${text.title}: "${sentence}" is said and true`, () => {
      assert.ok(wordsOf(text).includes(sentence))
      keep()
    })
  }

  test(`${text.title}: every number in it comes from a constant`, () => {
    const promised = new Set(
      [
        TRIAL_DAYS,
        DELETION_DAYS,
        LOG_MONTHS,
        NOTICE_DAYS,
        LEAST_AGE,
        CHILD_AGE,
        INVITED_DAYS,
        MESSAGE_DAYS,
        TRIAL_MEMORY_MONTHS,
      ].map(String),
    )
    assert.deepEqual(
      [...wordsOf(text).matchAll(/\d+/g)].map(([number]) => number).filter((number) => !promised.has(number)),
      [],
    )
  })
}

test('both texts show the date of the version that people accept when they sign up', () => {
  assert.equal(LAST_UPDATED, 'June 1, 2025')
  assert.equal(formatLongDay(TERMS_VERSION), LAST_UPDATED)
})
