// `node scripts/promises.ts`: generates docs/promises.md from the test names. If a promise has no test, the
// page gives the reason. With `--check`, it only checks that the page is up to date.
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'

const PAGE = 'docs/promises.md'

const PROMISES: [section: string, ...rows: [id: string, promise: string, remark?: string][]][] = [
  [
    'Authentication and sessions',
    ['A1', 'No account enumeration'],
    ['A2', 'Reset token single use, also in a race'],
    ['A3', 'Tokens expire'],
    ['A4', 'Reset and change end every other session'],
    ['A5', 'Logout is on the server'],
    ['A6', 'New session id at login'],
    ['A7', 'Emailed links carry only the configured host'],
    ['A8', 'No takeover by a pre-registered account'],
    ['A9', 'ID token checks'],
    ['A10', 'Password rules'],
    ['A11', 'Guessing is limited, the owner not locked out'],
    ['A12', 'Unverified address reaches no data route'],
    ['A13', 'Inactivity and absolute life of a session'],
    ['A14', 'Change of email needs re-authentication and both confirmations'],
    ['A15', 'Case and Unicode of addresses'],
    ['A16', 'Disabled or deleted user is out at once'],
    ['A17', 'Two-step operations are atomic'],
    ['A18', 'Token secrecy at rest'],
    ['A19', 'Confirming an address needs the browser or the password of that sign-up'],
    ['A20', 'Limits hold for a network and for an account; a known browser still gets in'],
    ['A21', "Tabs and devices don't sign each other out"],
    ['A22', 'No account enumeration by sequences'],
    ['A23', 'Passkeys and second step'],
    ['A24', "Fresh proof for what can't be undone"],
    ['A25', 'The owner hears of new browsers and changed credentials'],
  ],
  [
    'Authorization and tenancy',
    ['T1', "A never reads B's row"],
    ['T2', "A never alters or deletes B's row"],
    ['T3', "No references to B's child, tutor or session"],
    ['T4', 'No mass assignment'],
    ['T5', 'Nobody makes himself admin'],
    ['T6', 'Lists only of own rows'],
    ['T7', 'Aggregates do not infer'],
    ['T8', 'Tutor link shows only the shared rows'],
    ['T9', 'Exports and feeds by token'],
    ['T10', 'Function endpoints check like tables'],
    ['T11', 'No existence oracle in uniqueness'],
    ['T12', 'Pool hygiene under load'],
    ['T13', 'Every table has row-level security, forced, policy, column grants'],
    ['T14', 'Admin access is explicit and logged'],
    ['T15', 'Realtime only own'],
    ['T16', 'Role checked per operation'],
    ['T17', 'Referral and trial cannot be self-made'],
    ['T18', "A leaver's side is dead at once; the other side keeps its record, read-only until the erasure"],
    ['T19', 'A member sees what the membership allows, in every answer, file, email and stream'],
    ['T20', "No side, member or emailed link can write another's answer", 'shown with D9 by the model tests'],
    ['T21', 'One person never answers for both sides'],
    ['T22', 'A link is a caller like any other', 'open'],
  ],
  [
    'Input and abuse',
    ['I1', 'Bad input gives 4xx, never 5xx'],
    ['I2', 'Numbers'],
    ['I3', 'Text'],
    ['I4', 'Dates'],
    ['I5', 'Size and depth'],
    ['I6', 'Audio is bounded'],
    ['I7', 'No open relay'],
    ['I8', 'Email content is escaped'],
    ['I9', 'No file or URL reads by value type'],
    ['I10', 'Rate limits hold in parallel and over instances'],
    ['I11', 'No server-side request to given addresses'],
    ['I12', 'CSV for spreadsheets'],
    ['I13', 'Files and headers'],
    ['I14', 'Parameter pollution and type confusion'],
    ['I15', 'Regex and parser time'],
    ['I16', 'SQL and LIKE'],
    ['I17', 'Quotas'],
    ['I18', 'A name that a stranger reads is never a link'],
    ['I19', 'No text of a user holds the event loop over 50 ms'],
  ],
  [
    'Web hardening',
    ['W1', 'Headers on every answer'],
    ['W2', 'Cookies'],
    ['W3', 'CSRF'],
    ['W4', 'Redirects stay home'],
    ['W5', 'No secret in URL, Referer, log, history'],
    ['W6', 'CORS'],
    ['W7', 'Stored XSS'],
    ['W8', 'Errors tell nothing'],
    ['W9', 'No caching of private data'],
    ['W10', 'Nothing extra is served'],
    ['W11', 'Request smuggling, slow clients'],
  ],
  [
    'Data integrity',
    ['D1', 'Amount exact to the cent'],
    ['D2', 'Totals add up'],
    ['D3', 'Dates are calendar dates'],
    ['D4', 'Schedules keep wall time over DST'],
    ['D5', 'Retry makes one row'],
    ['D6', 'No lost update'],
    ['D7', 'Deletes keep the books'],
    ['D8', 'Whole or nothing'],
    ['D9', 'Verification by both parties'],
    ['D10', 'Webhooks'],
    ['D11', 'Trial and paid state by the server clock'],
    ['D12', 'Export is the data'],
    ['D13', 'Offline or queued writes converge'],
    ['D14', 'Constraints hold in the database'],
    ['D15', 'Splitting loses nothing on either side', 'shown by the model tests; no test of its own'],
    ['D16', 'What was agreed changes only by agreement'],
    ['D17', 'Ending a connection leaves nothing shared'],
    ['D18', 'Matching at any time pairs what looks the same'],
  ],
  [
    'Durability and faults',
    ['F1', 'kill -9 of the server'],
    ['F2', 'kill -9 of the database'],
    ['F3', 'Durable commit by construction'],
    ['F4', 'One writer per data directory'],
    ['F5', 'Disk full'],
    ['F6', 'SMTP down, slow, blackhole'],
    ['F7', 'Speech service down, slow, garbage'],
    ['F8', 'Payment provider down'],
    ['F9', 'Google down'],
    ['F10', 'Slow database, pool empty'],
    ['F11', 'Restart in the middle of a migration'],
    ['F12', 'Clock jumps'],
    ['F13', 'One bad job does not stop the process'],
    ['F14', 'Graceful stop'],
    ['F15', 'Backup and restore'],
    ['F16', 'Health check is cheap and says truth'],
  ],
  [
    'Privacy',
    ['P1', 'Deletion within 30 days'],
    ['P2', 'Logs kept at most 12 months'],
    ['P3', 'No secret or personal data in logs'],
    ['P4', 'Audio not kept'],
    ['P5', 'Export complete'],
    ['P6', 'Minimum data'],
    [
      'P7',
      'Third parties none by default',
      'no screen requests anything from another host: the journey of that name',
    ],
    ['P8', 'Policy change notice 30 days, consent stored'],
    ['P9', 'Invited friends and tutors'],
    ['P10', 'Push tells services nothing', 'planned'],
  ],
  [
    'Operation',
    ['O1', 'Two installations on one PostgreSQL cluster neither see nor disturb each other'],
    ['O2', 'Works for months behind a pooler in transaction mode'],
    ['O3', 'Follows a promoted replica by itself'],
  ],
  [
    'Supply chain',
    ['S1', 'Locked, from one registry'],
    [
      'S2',
      'No known high advisories at release',
      'asked at each release with `npm audit --omit=dev --audit-level=high`; the answer comes from outside, so no test holds it',
    ],
    ['S3', 'No install scripts but a list'],
    ['S4', 'SBOM and licences'],
    ['S5', 'No secrets in repo or bundle'],
    ['S6', 'Tests are not skipped', 'the room rules refuse skip, only and todo: `a skipped test is refused`'],
  ],
]

/** Maps each promise to the tests that name it. */
export function testsByPromise(sources: string[]): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const source of sources) {
    for (const [, , name = ''] of source.matchAll(/^\s*test\(\s*(['"`])((?:[A-Z]\d+(?:, )?)+:.*?)\1,\s/gm)) {
      for (const id of name.slice(0, name.indexOf(':')).split(', '))
        found.set(id, [...(found.get(id) ?? []), name])
    }
  }
  return found
}

/** Promises that have neither a test nor a reason. */
export function silentPromises(tests: Map<string, string[]>): string[] {
  return promises().flatMap(([id, remark]) => (tests.has(id) || remark ? [] : [id]))
}

/** The id of each promise, and why no test shows it. */
export function promises(): [id: string, remark: string | undefined][] {
  return PROMISES.flatMap(([, ...rows]) =>
    rows.map(([id, , remark]): [string, string | undefined] => [id, remark]),
  )
}

function promisesText(tests: Map<string, string[]>): string {
  const sections = PROMISES.map(([title, ...rows]) =>
    [
      `## ${title}`,
      '',
      '| id | promise | shown by |',
      '| --- | --- | --- |',
      ...rows.map(
        ([id, promise, remark]) =>
          `| ${id} | ${promise} | ${
            tests
              .get(id)
              ?.map((name) => `\`${name.replaceAll('|', '\\|')}\``)
              .join('<br>') ??
            remark ??
            ''
          } |`,
      ),
    ].join('\n'),
  )
  return `# Promises

What the tests show, by promise. Written by \`node scripts/promises.ts\` from the tests' own names; "open" means that no
test shows it yet, and "planned" that it isn't built.

${sections.join('\n\n')}
`
}

export function testSources(): string[] {
  return globSync(['src/**/*.test.ts', 'model/*.test.ts', 'scripts/*.test.ts', 'e2e/*.e2e.ts'])
    .sort()
    .map((path) => readFileSync(path, 'utf8'))
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const text = promisesText(testsByPromise(testSources()))
  if (!process.argv.includes('--check')) writeFileSync(PAGE, text)
  else if (readFileSync(PAGE, 'utf8') !== text) {
    console.error(`${PAGE} isn't what \`node scripts/promises.ts\` writes`)
    process.exit(1)
  }
}
