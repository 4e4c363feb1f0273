import assert from 'node:assert/strict'
import { globSync, readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { FEATURE_ORDER, longFiles, PUBLIC_FILES, violations } from './rooms.ts'

const breaches: [name: string, path: string, text: string, message: RegExp][] = [
  [
    'a lower layer does not import a higher one',
    'src/kernel/money.ts',
    "import { a } from '#platform/config.server.ts'",
    /lies above it/,
  ],
  [
    'a plain file imports no server file',
    'src/features/sessions/session.ts',
    "import { a } from './queries.server.ts'",
    /runs on the server only/,
  ],
  [
    'a plain file imports no Node module',
    'src/features/sessions/session.ts',
    "import { a } from 'node:fs'",
    /may run in the browser/,
  ],
  [
    'a screen imports no server file',
    'src/features/sessions/SessionRow.tsx',
    "import { a } from './queries.server.ts'",
    /other side/,
  ],
  [
    'a server file imports no screen',
    'src/features/sessions/routes.server.ts',
    "import { a } from './SessionRow.tsx'",
    /other side/,
  ],
  [
    "a neighbour's routes are its own",
    'src/features/sessions/routes.server.ts',
    "import { a } from '#features/tutors/routes.server.ts'",
    /belongs to tutors alone/,
  ],
  [
    "a neighbour's rules are its own unless it offers them",
    'src/features/schedules/class.ts',
    "import { toConfirm } from '#features/sessions/month-list.ts'",
    /belongs to sessions alone.*client\.web\.ts, confirmation\.ts.*PUBLIC_FILES/,
  ],
  [
    "sign-in's way to the provider is its own",
    'src/features/privacy/routes.server.ts',
    "import { a } from '#features/accounts/oidc.server.ts'",
    /belongs to \w+ alone/,
  ],
  [
    'how a request is read is known to access only',
    'src/features/students/routes.server.ts',
    "import { a } from '#features/access/input.server.ts'",
    /belongs to \w+ alone/,
  ],
  [
    'access, on which every feature builds, imports none of them',
    'src/features/access/admission.server.ts',
    "import { a } from '#features/workspaces/sides.ts'",
    /workspaces builds on access/,
  ],
  ['only access admits callers', 'src/features/students/admission.server.ts', '', /vocabulary/],
  [
    'a feature does not import one that builds on it',
    'src/features/summary/SummaryPage.tsx',
    "import { a } from '#features/months/statement.ts'",
    /months builds on summary/,
  ],
  ['a payment file stands in billing only', 'src/features/students/stripe.server.ts', '', /vocabulary/],
  [
    "a screen does not take a neighbour's screen",
    'src/features/tutors/TutorsPage.tsx',
    "import { a } from '#features/students/StudentDialog.tsx'",
    /belongs to \w+ alone/,
  ],
  [
    'only students and tutors are made of the parts in people',
    'src/features/sessions/AddSessionPage.tsx',
    "import { a } from '#features/people/PersonForm.tsx'",
    /belongs to \w+ alone/,
  ],
  [
    'a screen does not reach the database',
    'src/features/students/mail.server.ts',
    "import { a } from '#platform/db/db.server.ts'",
    /queries, commands, routes and jobs/,
  ],
  [
    'SQL stands in queries',
    'src/features/students/routes.server.ts',
    "tx.selectFrom('students')",
    /contains SQL/,
  ],
  ['a drawer called utils is refused', 'src/features/students/utils.ts', '', /says nothing/],
  ['a name outside the vocabulary is refused', 'src/features/students/cache.server.ts', '', /vocabulary/],
  ['only statements are drawn on paper', 'src/features/students/pdf.server.ts', '', /vocabulary/],
  ['only sessions wait on the device', 'src/features/tutors/waiting.web.ts', '', /vocabulary/],
  [
    'a workspace is named by admission alone',
    'src/features/students/routes.server.ts',
    'list(tx, params.id as WorkspaceId)',
    /makes a WorkspaceId/,
  ],
  [
    'a connection is opened for a link by admission alone',
    'src/features/connections/routes.server.ts',
    'list(tx, params.id as ConnectionId)',
    /makes a ConnectionId/,
  ],
  ['the type check is not switched off', 'src/kernel/money.ts', 'const a = b as any', /type check/],
  [
    'money is formatted in the kernel only',
    'src/features/billing/plan.ts',
    "new Intl.NumberFormat('en-US', { style: 'currency', currency })",
    /without its currency/,
  ],
  [
    'a dollar sign in front of an amount is refused',
    'src/features/imports/plan.ts',
    'return `$${(amount / 100).toFixed(2)}`',
    /without its currency/,
  ],
  [
    'a dollar sign that is added to an amount is refused',
    'src/features/imports/plan.ts',
    "return '$' + amount.toFixed(2)",
    /without its currency/,
  ],
  [
    'a dollar sign in front of an amount on a screen is refused',
    'src/features/sessions/SessionRow.tsx',
    '<b>${session.total_amount}</b>',
    /without its currency/,
  ],
  [
    'a label with a dollar sign of its own is refused',
    'src/features/sessions/SessionFieldset.tsx',
    '<TextField label="Rate Override ($/hour)" />',
    /without its currency/,
  ],
  ['a skipped test is refused', 'src/kernel/money.test.ts', "test.skip('a', () => undefined)", /skipped/],
]

for (const [name, path, text, message] of breaches) {
  test(name, () => {
    const found = violations([{ path, text }])
    assert.equal(found.length, 1, found.join('\n'))
    assert.match(found[0] ?? '', message)
  })
}

test('another feature writes through the commands of a feature that has them, and may read as before', () => {
  const found = violations([
    {
      path: 'src/features/sessions/commands.server.ts',
      text: "import { insertSession } from './queries.server.ts'",
    },
    {
      path: 'src/features/imports/routes.server.ts',
      text: "import {\n  insertSessions,\n  sessionTimes,\n} from '#features/sessions/queries.server.ts'",
    },
    {
      path: 'src/features/dashboard/routes.server.ts',
      text: "import { deleteHeld } from '#features/sessions/held-queries.server.ts'",
    },
    {
      path: 'src/features/schedules/routes.server.ts',
      text: "import { logSession } from '#features/sessions/commands.server.ts'\nimport { readSession } from '#features/sessions/queries.server.ts'",
    },
  ])
  assert.deepEqual(found, [
    'src/features/imports/routes.server.ts: imports insertSessions of sessions. Call what does it in sessions/commands.server.ts.',
    'src/features/dashboard/routes.server.ts: imports deleteHeld of sessions. Call what does it in sessions/commands.server.ts.',
  ])
})

test('students and tutors are made of the parts in people', () => {
  const text = "import { PeoplePage } from '#features/people/PeoplePage.tsx'"
  const pages = ['students/StudentsPage.tsx', 'tutors/TutorsPage.tsx']
  assert.deepEqual(violations(pages.map((page) => ({ path: `src/features/${page}`, text }))), [])
})

test('the model imports nothing but itself, and only tests and the demo in the browser import it', () => {
  const problemsOf = (path: string, text: string) => violations([{ path, text }]).length
  const model = "import { commands } from '#model/commands.ts'"
  const rule = "import { ledgerOf } from '#features/payments/balance.ts'"
  assert.equal(problemsOf('model/ledger.ts', rule), 1)
  assert.equal(problemsOf('model/ledger.ts', "import { KINDS } from './kinds.ts'"), 0)
  assert.equal(problemsOf('model/walk/reads.ts', rule), 0)
  assert.equal(problemsOf('src/features/payments/balance.ts', model), 1)
  assert.equal(problemsOf('src/main/server.ts', model), 1)
  assert.equal(problemsOf('src/main/browser-demo/record.ts', model), 0)
  assert.equal(problemsOf('src/main/both-sides.test.ts', model), 0)
})

test('code that follows the rules passes', () => {
  assert.deepEqual(
    violations([
      {
        path: 'src/features/sessions/routes.server.ts',
        text: "import { a } from '#features/tutors/queries.server.ts'\nimport { b } from '#kernel/money.ts'",
      },
      {
        path: 'src/features/summary/SummaryPage.tsx',
        text: "import { a } from '#features/sessions/SessionRow.tsx'",
      },
      {
        path: 'src/features/settings/AccountPage.tsx',
        text: "import { a } from '#features/billing/PlanSection.tsx'",
      },
      {
        path: 'src/features/privacy/routes.server.ts',
        text: "import { a } from '#features/accounts/login.server.ts'\nimport { b } from '#features/accounts/profile.ts'",
      },
      {
        path: 'src/features/months/routes.server.ts',
        text: "import { a } from '#features/payments/balance-queries.server.ts'",
      },
      { path: 'src/features/billing/stripe.server.ts', text: '' },
      { path: 'src/features/months/pdf.server.ts', text: "import { a } from './statement.ts'" },
      {
        path: 'src/features/dashboard/DashboardPage.tsx',
        text: "import('#features/verification/ToConfirmCard.tsx')",
      },
      {
        path: 'src/features/dashboard/DashboardPage.tsx',
        text: "lazy(() => import('#features/sessions/WaitingList.tsx'))",
      },
      {
        path: 'src/features/sessions/SessionFieldset.tsx',
        text: "<TextField label={inCurrency('Rate ($/hour)', currency)} className={`a ${b ? `c ${d}` : ''}`} />",
      },
      { path: 'src/features/sessions/waiting.web.ts', text: "import { a } from './waiting.ts'" },
      {
        path: 'src/main/server.ts',
        text: "import { a } from 'node:fs'\nimport { b } from './services.server.ts'",
      },
    ]),
    [],
  )
})

test('a file has at most 600 lines, unless it is SQL or data', () => {
  const file = (path: string, lines: number) => ({ path, text: 'a\n'.repeat(lines) })
  const files = [
    file('src/features/sessions/queries.server.ts', 601),
    file('e2e/home.e2e.ts', 600),
    file('db/repeatable/reads.sql', 601),
    file('src/features/privacy/catalogue.ts', 601),
  ]
  assert.match(
    longFiles(files).join('\n'),
    /^src\/features\/sessions\/queries\.server\.ts: has 601 lines, 1 too many\. .*<noun>-queries\.server\.ts\.$/,
  )
})

test('every file that a feature opens to others is imported by one', () => {
  const files = globSync('src/features/**/*.{ts,tsx}').filter((path) => !/\.test\.tsx?$/.test(path))
  const imported = files.flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(/'#features\/([^']+\.tsx?)'/g)]
      .map(([, file = '']) => file)
      .filter((file) => file.split('/')[0] !== path.split('/')[2]),
  )
  for (const [feature, names] of Object.entries(PUBLIC_FILES))
    for (const name of names.split(' ')) {
      const file = `${feature}/${name.endsWith('.tsx') ? name : `${name}.ts`}`
      assert.ok(imported.includes(file), file)
    }
})

test('ARCHITECTURE.md lists the features in order, and every feature is in it', () => {
  const drawn = readFileSync('ARCHITECTURE.md', 'utf8').replaceAll(/\s+/g, ' ')
  assert.ok(drawn.includes(FEATURE_ORDER.join(', ')))
  assert.deepEqual(readdirSync('src/features').sort(), [...FEATURE_ORDER].sort())
})
