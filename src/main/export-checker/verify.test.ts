// The checker in an export, run as whoever has the export runs it.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'
import { agreedText } from '#features/months/agreed.ts'
import { contentText, type MonthContent } from '#features/months/month-page.ts'
import { KEYS_PATH, type KeysFile } from '#features/months/signed-page.ts'
import { csvLine } from '#features/privacy/csv.ts'
import { numberProblems } from './papers.ts'
import { type Caller, startTestServer, type TestServer } from '#main/testing.server.ts'
import { checked, checkedBy, exportOf } from '#main/testing/exports.server.ts'
import { aMember } from '#main/testing/members.server.ts'
import { aFamily, aPractice, connectionsOf, rowsOf } from '#main/testing/two-sides.server.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
  server.clock.now = new Date('2026-12-01T09:00:00Z')
})
after(async () => server.stop())

async function does(who: Caller, method: string, path: string, input: object = {}): Promise<string> {
  const answer = await who.call(method, `/api/v1/${path}`, input)
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
  return String(answer.body.id)
}

/** A month of a family and a practice in which everything happens that can happen to a record. */
async function aMonth() {
  const asking = await aFamily(server)
  const { family, connection, log } = asking
  const { practice, self } = await aPractice(server, asking.email)
  const student = await does(practice, 'POST', 'students', { name: 'Maya' })
  // Each has logged a lesson by itself, which turns out to be the same.
  const merged = await log({ date: '2026-11-02', duration: 1 })
  const people = { student_id: student, tutor_id: self }
  await does(practice, 'POST', 'sessions', {
    ...people,
    date: '2026-11-02',
    duration: 1.25,
    subject: 'Żółw\n"x"',
  })
  const [asked] = await connectionsOf(practice)
  const [child] = (asked?.people ?? []) as { id: string }[]
  await does(practice, 'PATCH', `connections/${connection}`, {
    state: 'active',
    people: [{ id: child?.id, student_id: student }],
  })
  const [pair] = rowsOf(await family.call('GET', `/api/v1/connections/${connection}/pairs`))
  await does(family, 'POST', `connections/${connection}/pairs`, { same: [pair?.id] })
  await does(practice, 'POST', `sessions/${merged}/confirm`)
  const lesson = await log({ date: '2026-11-03' })
  await does(practice, 'POST', `sessions/${lesson}/confirm`)
  const disputed = await log({ date: '2026-11-04', duration: 2 })
  await does(practice, 'POST', `sessions/${disputed}/dispute`, { note: 'Only “an hour”' })
  await does(family, 'PATCH', `sessions/${disputed}`, { duration: 1, homework: 'Page 12' })
  await does(practice, 'POST', `sessions/${disputed}/confirm`)
  const deleted = await log({ date: '2026-11-05' })
  await does(practice, 'POST', `sessions/${deleted}/confirm`)
  await does(family, 'DELETE', `sessions/${deleted}`)
  await does(practice, 'DELETE', `sessions/${deleted}`)
  const payment = await does(family, 'POST', 'payments', {
    tutor_id: asking.tutor,
    date: '2026-11-20',
    amount: 100,
  })
  await does(practice, 'POST', `payments/${payment}/confirm`)
  const charge = await does(practice, 'POST', 'charges', {
    connection_id: connection,
    date: '2026-11-14',
    amount: 12.5,
    reason: 'materials',
    label: 'Reading book',
  })
  await does(family, 'POST', `charges/${charge}/confirm`)
  await does(practice, 'POST', 'terms', { student_id: student, rules: { fee: { per: 'month', amount: 12 } } })
  const wanted = { connection_id: connection, month: '2026-11' }
  for (const who of [family, practice]) await does(who, 'POST', 'months/close', wanted)
  await does(family, 'POST', 'months/reopen', { ...wanted, reason: 'A lesson was missing' })
  const late = await log({ date: '2026-11-25' })
  await does(practice, 'POST', `sessions/${late}/confirm`)
  for (const who of [practice, family]) await does(who, 'POST', 'months/close', wanted)
  await does(family, 'POST', 'sign-offs', { month: '2026-11', tutor_id: asking.tutor })
  const open = await log({ date: '2026-12-01' })
  return { ...asking, practice, student, merged, lesson, disputed, deleted, payment, charge, late, open }
}

test('P5: both sides can check an export of their month without the server, also after they part', async () => {
  const { family, practice, connection, open } = await aMonth()
  for (const who of [family, practice]) {
    const { code, lines } = checked(await exportOf(who))
    assert.equal(code, 0, lines.join('\n'))
    assert.ok(!lines.some((line) => line.startsWith('note')), lines.join('\n'))
    assert.equal(lines.includes('checked  1 sign-off (1 of them as signed)'), who === family)
    assert.deepEqual(lines.slice(1, 5), [
      'checked  2 closed months',
      'checked  6 sessions (1 of them deleted): 17 history entries, in 7 chains',
      'checked  1 payment: 2 history entries',
      'checked  1 charge: 2 history entries',
    ])
  }
  await does(family, 'DELETE', `connections/${connection}`)
  await does(practice, 'PATCH', `sessions/${open}`, { duration: 2 })
  for (const who of [family, practice]) {
    const { code, lines } = checked(await exportOf(who))
    assert.equal(code, 0, lines.join('\n'))
  }
})

test('what was merged twice, because the two sides parted and connected again, names the end of each history', async () => {
  const { family, practice, connection, tutor, student, merged } = await aMonth()
  await does(family, 'DELETE', `connections/${connection}`)
  const again = await does(family, 'POST', 'connections', { tutor_id: tutor })
  const asked = (await connectionsOf(practice)).find(({ id }) => id === again)
  const people = ((asked?.people ?? []) as { id: string }[]).map(({ id }) => ({ id, student_id: student }))
  await does(practice, 'PATCH', `connections/${again}`, { state: 'active', people })
  const pairs = rowsOf(await family.call('GET', `/api/v1/connections/${again}/pairs`)).map(({ id }) => id)
  assert.ok(pairs.length > 0)
  await does(family, 'POST', `connections/${again}/pairs`, { same: pairs })
  for (const who of [family, practice]) {
    const zip = await exportOf(who)
    const { code, lines } = checked(zip)
    assert.equal(code, 0, lines.join('\n'))
    assert.ok(!lines.some((line) => line.includes('wouldn’t be noticed')), lines.join('\n'))
    const history = JSON.parse(strFromU8(unzipSync(zip)['json/history.json'] ?? new Uint8Array())) as Row[]
    const [record] = history.flatMap((row) => (row.entry_id === merged ? row.record : []))
    const chains = new Set(history.flatMap((row) => (row.record === record ? row.chain : [])))
    assert.deepEqual([...chains], [1, 2, 3, 4])
  }
})

type Row = Record<string, unknown>
type Change = (rows: Row[]) => Row[]
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** An export whose tables somebody changed, in both formats alike. */
function altered(zip: Uint8Array, changes: Record<string, Change>): Uint8Array {
  const files = unzipSync(zip)
  for (const [table, change] of Object.entries(changes)) {
    const rows = change(JSON.parse(strFromU8(files[`json/${table}.json`] ?? new Uint8Array())) as Row[])
    const lines = rows.map((row) => `  ${JSON.stringify(row)}`)
    files[`json/${table}.json`] = strToU8(`[\n${lines.join(',\n')}\n]\n`)
    const csv = [Object.keys(rows[0] ?? {}), ...rows.map((row) => Object.values(row))].map(csvLine).join('')
    files[`csv/${table}.csv`] = strToU8(`\uFEFF${csv}`)
  }
  return zipSync(files)
}
/** Changes the rows that have these values. */
const where =
  (values: Row, change: (row: Row) => object | undefined): Change =>
  (rows) => {
    const isMeant = (row: Row) =>
      Object.entries(values).every(([name, value]) => JSON.stringify(row[name]) === JSON.stringify(value))
    assert.ok(rows.some(isMeant), JSON.stringify(values))
    return rows.flatMap((row) => {
      const changed = isMeant(row) ? change(row) : row
      return changed ? [changed as Row] : []
    })
  }
const also =
  (more: (row: Row) => Row) =>
  (row: Row): Row => ({ ...row, ...more(row) })
const without = () => undefined
/** An entry whose facts and text were changed alike, and its hash computed anew. */
const rewritten = (from: string, to: string) =>
  also(({ hashed_text: text, facts }) => {
    const now = String(text).replace(from, to)
    assert.notEqual(now, text)
    return {
      hashed_text: now,
      hash: sha256(now),
      facts: JSON.parse(JSON.stringify(facts).replace(from.replace(': ', ':'), to.replace(': ', ':'))) as Row,
    }
  })

test('P5: whatever somebody changes in an export, the checker finds it and says where', async () => {
  const { family, lesson, disputed, deleted, merged, payment, charge, open } = await aMonth()
  const zip = await exportOf(family)
  const rows = (table: string) =>
    JSON.parse(strFromU8(unzipSync(zip)[`json/${table}.json`] ?? new Uint8Array())) as Row[]
  const historyOf = (id: string, chain = 1) =>
    rows('history').filter((row) => row.entry_id === id && row.chain === chain)
  const record = (id: string) => rows('sessions').find((row) => row.id === id)?.record
  const [first, second] = historyOf(lesson) as [Row, Row]
  const [code] = rows('closed_months').flatMap((row) => (row.state === 'closed' ? row.code : []))
  const page = (change: (page: MonthContent) => void, isHashed: boolean) =>
    where({ state: 'closed' }, (row) => {
      const content = structuredClone(row.page) as MonthContent
      change(content)
      return { ...row, page: content, ...(isHashed && { hash: sha256(contentText(content)) }) }
    })
  const oneCentMore = (content: MonthContent) => {
    const [line] = content.sessions
    if (line?.total_cents) line.total_cents = (line.total_cents + 1) as typeof line.total_cents
  }
  const isLast = ({ seq }: Row) => seq === historyOf(disputed).length
  const tampering: [what: string, changes: Record<string, Change>, found: string | RegExp][] = [
    [
      'one cent in a session',
      {
        sessions: where(
          { id: lesson },
          also(({ total_amount: total }) => ({ total_amount: Number(total) + 0.01 })),
        ),
      },
      `session ${lesson}: history entry 2 does not match what is there`,
    ],
    [
      'another day of a payment',
      {
        payments: where(
          { id: payment },
          also(() => ({ date: '2026-11-21' })),
        ),
      },
      `payment ${payment}: history entry 2 does not match what is there`,
    ],
    [
      'a quarter of an hour more',
      {
        sessions: where(
          { id: open },
          also(() => ({ duration: 1.75 })),
        ),
      },
      `session ${open}: history entry 1 does not match what is there`,
    ],
    [
      'an answer that nobody gave',
      {
        charges: where(
          { id: charge },
          also(() => ({ other_confirmation: 'none' })),
        ),
      },
      `charge ${charge}: history entry 2 does not match what is there`,
    ],
    [
      'swapped answers',
      {
        sessions: where({ id: open }, (row) => ({
          ...row,
          own_confirmation: row.other_confirmation,
          other_confirmation: row.own_confirmation,
        })),
      },
      `session ${open}: the answer of the family isn’t the one in its history`,
    ],
    [
      'a status that doesn’t fit',
      {
        sessions: where(
          { id: open },
          also(() => ({ verified_by_tutor: true })),
        ),
      },
      `session ${open}: its status doesn’t fit its two answers`,
    ],
    [
      'one cent in a history entry',
      {
        history: where(
          first,
          also((row) => ({ facts: { ...(row.facts as Row), total_cents: 6751 } })),
        ),
      },
      `session ${lesson}: history entry 1 was altered`,
    ],
    [
      'one cent in what was hashed',
      {
        history: where(
          first,
          also((row) => ({ hashed_text: String(row.hashed_text).replace('6750', '6751') })),
        ),
      },
      `session ${lesson}: history entry 1 was altered`,
    ],
    [
      'an entry with a new hash',
      { history: where(first, rewritten('"minutes": 90', '"minutes": 95')) },
      `session ${lesson}: history entry 2 does not follow the entry before it`,
    ],
    [
      'an entry with the hash it had',
      {
        history: where(first, (row) => ({
          ...rewritten('"minutes": 90', '"minutes": 95')(row),
          hash: row.hash,
        })),
      },
      `session ${lesson}: history entry 1 was altered`,
    ],
    [
      'the last entry with a new hash',
      { history: where(second, rewritten('"minutes": 90', '"minutes": 95')) },
      `session ${lesson}: history entry 2 does not match what is there`,
    ],
    ...(['side', 'action', 'note', 'at', 'entry_id'] as const).map(
      (column): [string, Record<string, Change>, string] => [
        `another ${column}`,
        {
          history: where(
            second,
            also(() => ({
              [column]:
                column === 'side'
                  ? 'family'
                  : column === 'at'
                    ? '2026-12-01T09:00:00.001Z'
                    : column === 'entry_id'
                      ? open
                      : 'kept',
            })),
          ),
        },
        `session ${lesson}: history entry 2 was altered`,
      ],
    ),
    [
      'an entry cut from the end',
      { history: (all) => all.filter((row) => row.entry_id !== disputed || !isLast(row)) },
      `session ${disputed}: history entry ${historyOf(disputed).length - 1} does not match what is there`,
    ],
    [
      'an entry cut from the middle',
      { history: where(historyOf(disputed)[1] as Row, without) },
      `session ${disputed}: history entry 2 is missing`,
    ],
    [
      'an entry cut from the beginning',
      { history: where(first, without) },
      `session ${lesson}: history entry 1 is missing`,
    ],
    [
      'a whole history',
      { history: where({ entry_id: lesson }, without) },
      `session ${lesson}: has no history`,
    ],
    [
      'a session',
      { sessions: where({ id: lesson }, without) },
      `session ${lesson}: history entry 3 is missing: it was deleted without an entry`,
    ],
    [
      'a deleted session that’s back',
      {
        sessions: (all) => [
          ...all,
          { ...all.find(({ id }) => id === lesson), id: deleted, record: historyOf(deleted)[0]?.record },
        ],
      },
      `session ${deleted}: history entry ${historyOf(deleted).length} says deleted, but it exists`,
    ],
    [
      'the histories of two sessions, swapped',
      {
        history: (all) =>
          all
            .map((row) => {
              const other =
                row.entry_id === lesson ? disputed : row.entry_id === disputed ? lesson : undefined
              return other === undefined ? row : { ...row, record: record(other) }
            })
            .sort((a, b) => Number(a.record) - Number(b.record)),
      },
      new RegExp(`session ${lesson}: its history is that of session ${disputed}`),
    ],
    [
      'a history twice',
      { history: (all) => [...all, ...historyOf(deleted)] },
      `session ${deleted}: has a second history`,
    ],
    [
      'an entry cut from what was merged',
      { history: (all) => all.filter(({ record: one, chain }) => one !== record(merged) || chain === 1) },
      new RegExp(`session ${merged}: history entry \\d does not match the end of what was merged`),
    ],
    [
      'what is no entry at all',
      {
        history: where(
          second,
          also(() => ({ changed: null })),
        ),
      },
      /export\.zip can’t be read: /,
    ],
    [
      'what was hashed, taken away',
      {
        history: where(
          second,
          also(() => ({ hashed_text: null, facts: {} })),
        ),
      },
      `session ${lesson}: history entry 2 has lost the text that was hashed`,
    ],
    [
      'one cent on a closed page',
      { closed_months: page(oneCentMore, false) },
      `the page of 2026-11 with the code ${String(code)} doesn’t match its hash`,
    ],
    [
      'one cent on a closed page with a new hash',
      { closed_months: page(oneCentMore, true) },
      new RegExp(`session [0-9a-f-]+: isn’t what the page of 2026-11 with the code ${String(code)} says`),
    ],
    [
      'one cent on a closed page with a new hash, besides what was signed',
      { closed_months: page(oneCentMore, true) },
      `the page of 2026-11 with the code ${String(code)} isn’t what the server signed`,
    ],
    [
      'a line cut from a closed page with a new hash',
      { closed_months: page((content) => content.sessions.pop(), true) },
      new RegExp(`session [0-9a-f-]+: isn’t on the page of 2026-11`),
    ],
    [
      'another time of closing on a closed page',
      {
        closed_months: where(
          { state: 'closed' },
          also(() => ({ closed_at: '2026-12-02T09:00:00.000Z' })),
        ),
      },
      `the page of 2026-11 with the code ${String(code)} says another time of closing than the file`,
    ],
    [
      'another code',
      {
        closed_months: where(
          { state: 'closed' },
          also(() => ({ code: '0000000000' })),
        ),
      },
      'the page of 2026-11 with the code 0000000000 says another code than the file',
    ],
  ]
  assert.equal(checked(altered(zip, { sessions: (all) => all })).code, 0, 'what nobody changed')
  for (const [what, changes, found] of tampering) {
    const { code: exit, lines } = checked(altered(zip, changes))
    assert.equal(exit, 1, what)
    const wrong = lines.flatMap((line) => /^WRONG +(.*)$/.exec(line)?.[1] ?? [])
    assert.ok(
      wrong.some((line) => (typeof found === 'string' ? line === found : found.test(line))),
      `${what}:\n${lines.join('\n')}`,
    )
  }
})

test('P5: with the server’s public keys, its signatures of closed pages are checked, too', async () => {
  const { family } = await aMonth()
  const zip = await exportOf(family)
  const keys = (await family.call('GET', KEYS_PATH)).body as unknown as KeysFile
  const { code, lines } = checkedBy(zip, zip, [], keys)
  assert.deepEqual([code, lines[1]], [0, 'checked  2 closed months, with the server’s signatures'])
  const linesOf = (change: (row: Row) => Row, known: object = keys) => {
    const forged = altered(zip, { closed_months: where({ state: 'closed' }, change) })
    return checkedBy(zip, forged, [], known).lines.join('\n')
  }
  // Somebody who makes up a page writes all of it anew, but can't sign it.
  const madeUp = (row: Row) => {
    const content = structuredClone(row.page) as MonthContent
    content.tutor = 'Ingrid Lindquist'
    const signed = JSON.parse(String(row.signed_page)) as object
    const page = JSON.stringify({ ...signed, agreed: agreedText(content) })
    return { ...row, page: content, hash: sha256(contentText(content)), signed_page: page }
  }
  assert.match(
    linesOf(madeUp),
    /^WRONG +the page of 2026-11 .* has a signature by the server that doesn’t hold$/m,
  )
  assert.match(
    linesOf((row) => row, { ...keys, keys: [] }),
    /^WRONG +the page of 2026-11 .* is signed by a key that isn’t in the file of keys$/m,
  )
  assert.match(
    linesOf((row) => row, {}),
    /^WRONG .* isn’t a file of keys$/m,
  )
})

test('a month that was signed and changed afterward is a note, because that may happen', async () => {
  const { family, practice, tutor, connection, lesson } = await aMonth()
  await does(family, 'POST', 'months/reopen', {
    connection_id: connection,
    month: '2026-11',
    reason: 'Too long',
  })
  await does(practice, 'PATCH', `sessions/${lesson}`, { duration: 1 })
  const { code, lines } = checked(await exportOf(family))
  assert.equal(code, 0, lines.join('\n'))
  assert.ok(lines.includes('checked  1 sign-off (0 of them as signed)'))
  assert.match(
    lines.join('\n'),
    /^note +the sign-off of 2026-11 with the code \w+: its sessions aren’t what was signed any more/m,
  )
  await does(family, 'POST', `sessions/${lesson}/confirm`)
  await does(family, 'POST', 'sign-offs', { month: '2026-11', tutor_id: tutor })
  assert.ok(checked(await exportOf(family)).lines.includes('checked  2 sign-offs (1 of them as signed)'))
})

test('P5: a file that was cut, damaged, left out or changed in one format only is found', async () => {
  const { family } = await aMonth()
  const zip = await exportOf(family)
  const files = unzipSync(zip)
  const { 'json/history.json': _history, ...others } = files
  const wrong = (bytes: Uint8Array) => {
    const { code, lines } = checkedBy(zip, bytes)
    assert.equal(code, 1, lines.join('\n'))
    return lines.join('\n')
  }
  assert.match(wrong(zip.subarray(0, zip.length - 30)), /can’t be read: it isn’t a ZIP file/)
  assert.match(wrong(zip.subarray(1000)), /can’t be read|is damaged/)
  assert.match(wrong(zipSync(others)), /json\/history\.json can’t be read: json\/history\.json is missing/)
  const csv = strFromU8(files['csv/payments.csv'] ?? new Uint8Array())
  assert.ok(csv.includes(',100,'))
  assert.match(
    wrong(zipSync({ ...files, 'csv/payments.csv': strToU8(csv.replace(',100,', ',10,')) })),
    /csv\/payments\.csv doesn’t say in row 1 what json\/payments\.json says/,
  )
  // Any byte of the packed files.
  const begin = zip.indexOf('json/sessions.json')
  for (const at of [begin + 60, begin + 200, begin + 400]) {
    const damaged = Buffer.from(zip)
    damaged[at] = (damaged[at] ?? 0) ^ 1
    assert.match(wrong(damaged), /^WRONG .*json\/sessions\.json/m)
  }
})

test('a member who sees no records of the family exports an account, and the checker says that there is nothing more', async () => {
  const owner = await server.aUser()
  const caregiver = await aMember(server, owner, 'caregiver')
  const { code, lines } = checked(await exportOf(caregiver))
  assert.equal(code, 0)
  assert.match(lines.join('\n'), /This export has only an account/)
})

test('a practice’s papers have no gap, and none is there twice', () => {
  const paper = (number: number, more: Row = {}) => ({
    id: `p${number}`,
    year: 2026,
    number,
    voided_at: null,
    replaces: null,
    ...more,
  })
  const papers = [paper(1, { voided_at: '2026-11-01T09:00:00.000Z' }), paper(2, { replaces: 'p1' }), paper(3)]
  const found = (rows: Row[], last = 3) => numberProblems(rows, [{ year: 2026, last }])
  assert.deepEqual(found(papers), [])
  assert.deepEqual(found([...papers, paper(3)]), ['paper 3 of 2026 is there 2 times'])
  assert.deepEqual(found(papers.filter(({ number }) => number !== 2)), ['paper 2 of 2026 is missing'])
  assert.deepEqual(found(papers.slice(0, 2)), ['paper 3 of 2026 is missing'])
  assert.deepEqual(found(papers, 2), ['the papers of 2026 go beyond 2, their last number'])
  assert.deepEqual(found([paper(1), ...papers.slice(1)]), ['paper p2 replaces one that isn’t void'])
  assert.deepEqual(numberProblems(papers, []), ['the papers of 2026 have no last number'])
})
