// `node scripts/promises.ts`: generates docs/promises.md from the test names. If a promise has no test, the
// page gives the reason.
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'

const PROMISES: [section: string, ...rows: [id: string, promise: string, remark?: string][]][] = [
  [
    'Authentication and sessions',
    ['A1', 'No account enumeration'],
    ['A2', 'Reset token single use, also in a race'],
    ['A3', 'Tokens expire'],
    ['A4', 'Reset and change end every other session'],
    ['A5', 'Logout is on the server'],
    ['A6', 'New session id at login'],
    [
      'A7',
      'Mailed links carry only the configured host',
      'by construction: links are made from BASE_URL alone and no header is read for them; no test of its own',
    ],
    ['A8', 'No takeover by a pre-registered account'],
    ['A9', 'ID token checks'],
    ['A10', 'Password rules'],
    ['A11', 'Guessing is limited, the owner not locked out'],
    ['A12', 'Unverified address reaches no data route'],
    ['A13', 'Inactivity and absolute life of a session'],
    ['A14', 'Change of e-mail needs re-authentication and both confirmations'],
    ['A15', 'Case and Unicode of addresses'],
    ['A16', 'Disabled or deleted user is out at once'],
    [
      'A17',
      'Two-step operations are atomic',
      'by construction: sign-up is one transaction; a fault at each statement is not played through: open',
    ],
    ['A18', 'Token secrecy at rest'],
    ['A19', 'Confirming an address needs the browser or the password of that sign-up'],
    ['A20', 'Limits hold for a network and for an account; a known browser still gets in'],
    ['A21', "Tabs and devices don't sign each other out"],
    ['A22', 'No account enumeration by sequences'],
  ],
  [
    'Authorisation and tenancy',
    ['T1', "A never reads B's row"],
    ['T2', "A never alters or deletes B's row"],
    ['T3', "No references to B's child, tutor or session"],
    [
      'T4',
      'No mass assignment',
      'inputs are strict objects and every write grant names its columns; shown with I2 and T13, no test of its own',
    ],
    ['T5', 'Nobody makes himself admin'],
    ['T6', 'Lists only of own rows', 'asserted in the test of T1, T2 and T3 of sessions'],
    [
      'T7',
      'Aggregates do not infer',
      'sums run as the user, whom row-level security shows no other row; no test of its own: open',
    ],
    ['T8', 'Tutor link shows only the shared rows'],
    ['T9', 'Exports and feeds by token'],
    ['T10', 'Function endpoints check like tables', 'open'],
    [
      'T11',
      'No existence oracle in uniqueness',
      'keys begin with the owner, and addresses are covered by A1; no test of its own',
    ],
    [
      'T12',
      'Pool hygiene under load',
      'by construction: the user is set inside each transaction and ends with it; no test under load: open',
    ],
    ['T13', 'Every table has row-level security, forced, policy, column grants'],
    ['T14', 'Admin access is explicit and logged'],
    ['T15', 'Realtime only own'],
    ['T16', 'Role checked per operation'],
    ['T17', 'Referral and trial cannot be self-made'],
  ],
  [
    'Input and abuse',
    ['I1', 'Bad input gives 4xx, never 5xx'],
    ['I2', 'Numbers'],
    ['I3', 'Text', 'one schema for every text; no test of its own: open'],
    ['I4', 'Dates'],
    ['I5', 'Size and depth'],
    ['I6', 'Audio is bounded', 'open'],
    ['I7', 'No open relay', 'open'],
    ['I8', 'Mail content is escaped', 'one template escapes everything; no test of its own: open'],
    [
      'I9',
      'No file or URL reads by value type',
      'inputs are strict objects of plain values and the mailer reads no files or addresses; no test of its own: open',
    ],
    [
      'I10',
      'Rate limits hold in parallel and over instances',
      'counted in the database by one statement; no test in parallel: open',
    ],
    [
      'I11',
      'No server-side request to given addresses',
      'no address given by a user is ever fetched; no canary test: open',
    ],
    ['I12', 'CSV for spreadsheets'],
    ['I13', 'Files and headers'],
    ['I14', 'Parameter pollution and type confusion'],
    ['I15', 'Regex and parser time', 'open'],
    ['I16', 'SQL and LIKE', 'values travel as parameters only and searches use strpos; no test of its own'],
    ['I17', 'Quotas', 'open'],
  ],
  [
    'Web hardening',
    ['W1', 'Headers on every answer', 'set by one hook on every request; not graded by a test: open'],
    ['W2', 'Cookies'],
    ['W3', 'CSRF'],
    [
      'W4',
      'Redirects stay home',
      'no redirect reads its target from the request; checkout addresses come from the payment provider only; no test of its own',
    ],
    ['W5', 'No secret in URL, Referer, log, history'],
    ['W6', 'CORS', 'no CORS header is ever sent; no test of its own'],
    ['W7', 'Stored XSS', 'open'],
    ['W8', 'Errors tell nothing', 'one handler answers every error; no test with a forced 500: open'],
    [
      'W9',
      'No caching of private data',
      'no-store on the API and Clear-Site-Data at the end of a login; the back button is not tested: open',
    ],
    ['W10', 'Nothing extra is served'],
    ['W11', 'Request smuggling, slow clients', 'open'],
  ],
  [
    'Data integrity',
    ['D1', 'Amount exact to the cent'],
    ['D2', 'Totals add up'],
    ['D3', 'Dates are calendar dates'],
    [
      'D4',
      'Schedules keep wall time over DST',
      'a start time is stored and sent without a zone; no test of its own: open',
    ],
    ['D5', 'Retry makes one row'],
    ['D6', 'No lost update'],
    ['D7', 'Deletes keep the books'],
    ['D8', 'Whole or nothing'],
    ['D9', 'Verification by both parties'],
    ['D10', 'Webhooks'],
    ['D11', 'Trial and paid state by the server clock'],
    ['D12', 'Export is the data'],
    ['D13', 'Offline or queued writes converge', 'does not apply as long as there is no offline queue'],
    ['D14', 'Constraints hold in the database'],
  ],
  [
    'Durability and faults',
    ['F1', 'kill -9 of the server', 'open'],
    ['F2', 'kill -9 of the database', 'open'],
    [
      'F3',
      'Durable commit by construction',
      'the start refuses fsync, full_page_writes or synchronous_commit off; not tested: open',
    ],
    ['F4', 'One writer per data directory', 'open'],
    ['F5', 'Disk full', 'open'],
    ['F6', 'SMTP down, slow, blackhole', 'open'],
    ['F7', 'Speech service down, slow, garbage', 'open'],
    ['F8', 'Payment provider down'],
    ['F9', 'Google down'],
    ['F10', 'Slow database, pool empty', 'open'],
    ['F11', 'Restart in the middle of a migration', 'open'],
    ['F12', 'Clock jumps', 'open'],
    ['F13', 'One bad job does not stop the process'],
    ['F14', 'Graceful stop', 'open'],
    ['F15', 'Backup and restore'],
    ['F16', 'Health check is cheap and says truth', 'open'],
  ],
  [
    'Privacy',
    ['P1', 'Deletion within 30 days'],
    ['P2', 'Logs kept at most 12 months'],
    ['P3', 'No secret or personal data in logs'],
    ['P4', 'Audio not kept', 'open'],
    ['P5', 'Export complete'],
    [
      'P6',
      'Minimum data',
      'answers are parsed by their schema before they are sent, and no birth year is asked for; no test of its own',
    ],
    [
      'P7',
      'Third parties none by default',
      'no screen requests anything from another host: the journey of that name',
    ],
    [
      'P8',
      'Policy change notice 30 days, consent stored',
      'consent is stored with version and exported; the notice is open',
    ],
    ['P9', 'Invited friends and tutors'],
  ],
  [
    'Supply chain',
    [
      'S1',
      'Locked, from one registry',
      'a lockfile with integrity, installed by npm ci only; not linted by a test: open',
    ],
    [
      'S2',
      'No known high advisories at release',
      'asked at each release with `npm audit --omit=dev --audit-level=high`; the answer comes from outside, so no test holds it',
    ],
    ['S3', 'No install scripts but a list', 'allowScripts in package.json; no test'],
    ['S4', 'SBOM and licences', 'open'],
    ['S5', 'No secrets in repo or bundle', 'open'],
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
  return PROMISES.flatMap(([, ...rows]) =>
    rows.flatMap(([id, , remark]) => (tests.has(id) || remark ? [] : [id])),
  )
}

/** The text of docs/promises.md. */
export function promisesText(tests: Map<string, string[]>): string {
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
test shows it yet.

${sections.join('\n\n')}
`
}

/** The source code of all tests. */
export function testSources(): string[] {
  return globSync(['src/**/*.test.ts', 'model/*.test.ts', 'scripts/*.test.ts', 'e2e/*.e2e.ts'])
    .sort()
    .map((path) => readFileSync(path, 'utf8'))
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  writeFileSync('docs/promises.md', promisesText(testsByPromise(testSources())))
