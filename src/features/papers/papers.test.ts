// Receipts and invoices over the API: what they say, their numbers, and what can't be done with them.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { unzipSync } from 'fflate'
import pg from 'pg'
import { openDb } from '#features/access/db.server.ts'
import { loadBackup, readBackup, writeBackup } from '#platform/db/backup.server.ts'
import { migrate } from '#platform/db/migrate.server.ts'
import { type Caller, startTestServer, type TestServer, withTestRoles } from '#main/testing.server.ts'
import { aMember } from '#main/testing/members.server.ts'
import { closed, refusal, verify } from '#main/testing/months.server.ts'
import { textOfPdf } from '#main/testing/paper.server.ts'
import { aPair, aPractice, idOf } from '#main/testing/two-sides.server.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
  server.clock.now = new Date('2026-12-05T15:00:00Z')
})
after(async () => server.stop())

const PROVIDER = {
  legal_name: 'Ingrid Lindqvist Tutoring LLC',
  address: '12 Elm Street\nTucson, AZ 85701',
  credential: 'Arizona teaching certificate',
}
type Body = Record<string, unknown>

let people = 0
/** A tutor on their own with one student and their details typed in. */
async function aTutor(currency?: string) {
  const { practice, self } = await aPractice(server, `papers-${++people}@example.com`)
  if (currency) assert.equal((await practice.call('PATCH', '/api/v1/me', { currency })).status, 200)
  const student = idOf(await practice.call('POST', '/api/v1/students', { name: 'Maya Whitfield' }))
  assert.equal((await practice.call('PUT', '/api/v1/paper-provider', PROVIDER)).status, 200)
  const log = async (date: string, more: Body = {}) =>
    idOf(
      await practice.call('POST', '/api/v1/sessions', {
        student_id: student,
        tutor_id: self,
        date,
        duration: 1,
        subject: 'Algebra',
        start_time: '16:30',
        ...more,
      }),
    )
  const pay = async (date: string, amount: number, more: Body = {}) =>
    idOf(
      await practice.call('POST', '/api/v1/payments', {
        student_id: student,
        date,
        amount,
        method: 'transfer',
        ...more,
      }),
    )
  return { practice, self, student, log, pay }
}

const paperFor = (student: string, more: Body = {}): Body => ({
  student_id: student,
  kind: 'receipt',
  program: 'free-form',
  from: '2026-11-01',
  to: '2026-11-30',
  payer_name: 'Dana Whitfield',
  child_name: 'Maya Rose Whitfield',
  ...more,
})
const preview = (who: Caller, paper: Body) => who.call('POST', '/api/v1/papers/preview', paper)
const missingIn = ({ body }: { body: Body }) =>
  (body.missing as { field: string }[]).map(({ field }) => field)

/** Issues a paper the way the page does: looks at the preview, then accepts what is missing. */
async function issue(who: Caller, paper: Body, more: Body = {}) {
  const seen = await preview(who, paper)
  assert.equal(seen.status, 200, JSON.stringify(seen.body))
  return who.call('POST', '/api/v1/papers', {
    paper,
    seen: seen.body.seen,
    known_missing: missingIn(seen),
    ...more,
  })
}

const numbersOf = async (who: Caller) =>
  ((await who.call('GET', '/api/v1/papers')).body.papers as { number: string }[]).map(({ number }) => number)
const upTo = (count: number) =>
  Array.from({ length: count }, (_, at) => `2026-${String(at + 1).padStart(4, '0')}`)

test('a receipt says each lesson, charge and payment, and its sums are the same on screen, in the PDF and in the JSON file', async () => {
  const { practice, student, log, pay } = await aTutor()
  await log('2026-10-27')
  await log('2026-11-03')
  await log('2026-11-10', { duration: 1.5 })
  await practice.call('POST', '/api/v1/charges', {
    student_id: student,
    date: '2026-11-11',
    amount: 18.4,
    reason: 'materials',
    label: 'Reading book',
  })
  // The first 45.00 pay for October.
  await pay('2026-11-12', 100)
  await pay('2026-11-20', 75.9, { method: 'cash' })
  const seen = await preview(practice, paperFor(student))
  assert.deepEqual([seen.body.total, seen.body.paid, seen.body.due], [130.9, 130.9, 0])
  assert.deepEqual(
    (seen.body.payments as Body[]).map(({ date, amount, method }) => [date, amount, method]),
    [
      ['2026-11-12', 55, 'transfer'],
      ['2026-11-20', 75.9, 'cash'],
    ],
  )
  const issued = await issue(practice, paperFor(student))
  assert.equal(issued.status, 201, JSON.stringify(issued.body))
  assert.equal(issued.body.number, '2026-0001')
  const pdf = await practice.call('GET', `/api/v1/papers/${String(issued.body.id)}/paper.pdf`)
  assert.equal(
    pdf.headers['content-disposition'],
    'attachment; filename="Receipt 2026-0001 Maya Rose Whitfield.pdf"',
  )
  const text = await textOfPdf(pdf.bytes)
  for (const words of [
    'Receipt 2026-0001',
    'Ingrid Lindqvist Tutoring LLC',
    'Maya Rose Whitfield',
    'Nov 3, 2026',
    '4:30 – 5:30 PM',
    'Reading book',
    'Payment, cash',
    'Paid in full.',
    'Tutor only',
    String(issued.body.code),
  ])
    assert.ok(text.includes(words), words)
  const amounts = (label: string) =>
    Number(new RegExp(`${label}\\s+\\$([\\d,.]+)`).exec(text)?.[1]?.replaceAll(',', ''))
  assert.deepEqual([amounts('Total'), amounts('Due')], [130.9, 0])
  const data = JSON.parse(
    (await practice.call('GET', `/api/v1/papers/${String(issued.body.id)}/paper.json`)).bytes.toString(),
  ) as { sums: Body; number: string }
  assert.deepEqual(data.sums, { lessons: 112.5, charges: 18.4, total: 130.9, paid: 130.9, due: 0 })
  const page = await verify(server, String(issued.body.code))
  assert.match(page, /This receipt is genuine/)
  assert.match(page, /\$130\.90/)
  assert.doesNotMatch(page, /Maya|Lindqvist|Whitfield/)
})

test('a paper is void once, its reissue names it, and neither ever changes', async () => {
  const { practice, student, log } = await aTutor()
  await log('2026-11-03')
  const first = await issue(practice, paperFor(student, { child_name: 'Maja' }))
  const id = String(first.body.id)
  const twice = await issue(practice, paperFor(student))
  assert.deepEqual(refusal(twice), [409, 'on_another'])
  assert.equal((await issue(practice, paperFor(student, { kind: 'invoice' }))).body.number, '2026-0002')
  const replaces = { id, reason: 'A letter was wrong' }
  const again = await issue(practice, paperFor(student), { replaces })
  assert.deepEqual([again.status, again.body.number, again.body.replaces], [201, '2026-0003', '2026-0001'])
  assert.deepEqual(refusal(await practice.call('POST', `/api/v1/papers/${id}/void`, { reason: 'x' })), [
    409,
    'already_void',
  ])
  assert.deepEqual(refusal(await issue(practice, paperFor(student), { replaces })), [409, 'on_another'])
  await practice.call('POST', `/api/v1/papers/${String(again.body.id)}/void`, { reason: 'Twice' })
  assert.deepEqual(refusal(await issue(practice, paperFor(student), { replaces })), [409, 'already_replaced'])
  const listed = (await practice.call('GET', '/api/v1/papers')).body.papers as Body[]
  assert.deepEqual(
    listed.map(({ number, replaced_by, void_reason }) => [number, replaced_by, void_reason]),
    [
      ['2026-0003', null, 'Twice'],
      ['2026-0002', null, null],
      ['2026-0001', '2026-0003', 'A letter was wrong'],
    ],
  )
  const pdf = await practice.call('GET', `/api/v1/papers/${id}/paper.pdf`)
  assert.match(await textOfPdf(pdf.bytes), /VOID[\s\S]*A letter was wrong/)
  assert.match(await verify(server, String(first.body.code)), /This receipt is void/)
})

test('D14: no role changes or deletes an issued paper, takes a number, or makes a void paper valid again', async () => {
  const { practice, student, log } = await aTutor()
  await log('2026-11-03')
  const id = String((await issue(practice, paperFor(student))).body.id)
  const client = new pg.Client({ connectionString: server.superuserUrl })
  await client.connect()
  try {
    const fails = async (text: string, code: string) =>
      assert.rejects(client.query(withTestRoles(text)), { code }, text)
    for (const change of [
      "content = '{}'",
      'number = 7',
      'year = 2025',
      "code = 'ABCDEFGHJK'",
      "kind = 'invoice'",
    ])
      await fails(`update papers set ${change} where id = '${id}'`, '23514')
    await fails(`delete from papers where id = '${id}'`, '23514')
    await client.query(`update papers set voided_at = now(), void_reason = 'x' where id = '${id}'`)
    await fails(`update papers set voided_at = null, void_reason = null where id = '${id}'`, '23514')
    await client.query(withTestRoles('set role tutorlog_practice'))
    for (const text of [
      'update paper_numbers set last = 9',
      'delete from paper_numbers',
      `insert into paper_numbers (workspace_id, year, last) values (gen_random_uuid(), 2026, 1)`,
      `update papers set number = 9`,
      `delete from papers`,
    ])
      await fails(text, '42501')
  } finally {
    await client.end()
  }
  // A deleted student's papers stay.
  assert.equal((await practice.call('DELETE', `/api/v1/students/${student}`)).status, 204)
  const [kept] = (await practice.call('GET', '/api/v1/papers')).body.papers as Body[]
  assert.deepEqual(
    [kept?.number, kept?.student_id, kept?.child_name],
    ['2026-0001', null, 'Maya Rose Whitfield'],
  )
})

test('missing provider fields, no lessons, letters without a font, two currencies and unseen gaps are refused in words', async () => {
  const { practice, student, log } = await aTutor()
  const obstacles = async (paper: Body) =>
    ((await preview(practice, paper)).body.obstacles as { code: string; message: string }[]).map(
      ({ code, message }) => [code, message],
    )
  const empty = paperFor(student)
  assert.deepEqual(await obstacles(empty), [
    ['nothing_on_it', 'There are no lessons or charges on these days'],
  ])
  await log('2026-11-03', { subject: null })
  await practice.call('PUT', '/api/v1/paper-provider', { ...PROVIDER, address: ' ' })
  assert.deepEqual(await obstacles(empty), [['provider_missing', 'Add your legal name and address first']])
  assert.deepEqual(refusal(await issue(practice, empty)), [409, 'provider_missing'])
  await practice.call('PUT', '/api/v1/paper-provider', PROVIDER)
  // Cuneiform, which no font has; Arabic, Chinese and Vietnamese are fine.
  const unprintable = paperFor(student, { child_name: '𒀀𒁀 Maya' })
  assert.deepEqual(await obstacles(unprintable), [
    ['no_font', '“𒀀𒁀 Maya” has letters that can’t be printed. Write it in other letters, as on a passport.'],
  ])
  assert.deepEqual(refusal(await issue(practice, unprintable)), [422, 'no_font'])
  assert.deepEqual(await obstacles(paperFor(student, { child_name: 'مايا 王小明 Đặng' })), [])
  const seen = (await preview(practice, empty)).body.seen
  assert.deepEqual(
    refusal(
      await practice.call('POST', '/api/v1/papers', { paper: empty, seen, known_missing: ['payment_way'] }),
    ),
    [409, 'fields_missing'],
  )
  assert.deepEqual(refusal(await preview(practice, paperFor(student, { program: 'esa-nowhere' }))), [
    422,
    'unknown_program',
  ])
  const changed = { paper: empty, seen, known_missing: ['lesson_subject', 'paid_in_full'] }
  await log('2026-11-04')
  assert.deepEqual(refusal(await practice.call('POST', '/api/v1/papers', changed)), [409, 'changed'])
  assert.deepEqual(await numbersOf(practice), [], 'what was refused took no number')
})

test('lessons of two currencies are never on one paper', async () => {
  const pair = await aPair(server, undefined, undefined, 'EUR')
  server.clock.now = new Date('2026-12-05T15:00:00Z')
  await pair.practice.call('PUT', '/api/v1/paper-provider', PROVIDER)
  await pair.logByPractice({ date: '2026-11-20' })
  const paper = paperFor(pair.student)
  const alone = await preview(pair.practice, paper)
  assert.deepEqual([alone.body.currency, alone.body.obstacles], ['EUR', []], 'the family pays in euros')
  // What the practice logged before it was connected is in its own currency.
  await server.db.asMember(pair.practice.member, (tx) =>
    tx
      .insertInto('sessions')
      .values({
        workspace_id: pair.practice.member.workspaceId,
        student_id: null,
        tutor_id: pair.self,
        day: '2026-11-21',
        minutes: 60,
        subject: 'Algebra',
      })
      .execute(),
  )
  const client = new pg.Client({ connectionString: server.superuserUrl })
  await client.connect()
  await client.query(
    `update sessions set student_id = '${pair.student}' where practice_id = '${pair.practice.id}' and day = '2026-11-21'`,
  )
  await client.end()
  const both = await preview(pair.practice, paper)
  assert.deepEqual(both.body.obstacles, [
    {
      code: 'mixed_currencies',
      message: 'The lessons and charges on these days are in EUR and USD. Choose days with one currency.',
    },
  ])
})

test('a month that was reopened goes on no paper until it is closed again, and papers from before say so', async () => {
  const pair = await closed(server)
  const { practice, family } = pair
  await practice.call('PUT', '/api/v1/paper-provider', PROVIDER)
  const student = String(((await practice.call('GET', '/api/v1/students')).body as unknown as Body[])[0]?.id)
  const paper = paperFor(student)
  const seen = await preview(practice, paper)
  assert.deepEqual(
    (seen.body.lessons as Body[]).map(({ confirmed_by }) => confirmed_by),
    ['both', 'both'],
  )
  const issued = await issue(practice, paper)
  assert.equal(issued.status, 201, JSON.stringify(issued.body))
  server.clock.now = new Date('2026-12-05T15:10:00Z')
  assert.equal((await pair.reopen(family)).status, 200)
  const [kept] = (await practice.call('GET', '/api/v1/papers')).body.papers as Body[]
  assert.deepEqual(kept?.reopened_since, ['2026-11'])
  const invoice = paperFor(student, { kind: 'invoice' })
  assert.deepEqual(refusal(await issue(practice, invoice)), [409, 'month_reopened'])
  await pair.close(family)
  await pair.close(practice)
  assert.equal((await issue(practice, invoice)).status, 201)
})

test('D5: the same call twice issues one paper', async () => {
  const { practice, student, log } = await aTutor()
  await log('2026-11-03')
  const paper = paperFor(student)
  const { body } = await preview(practice, paper)
  const input = { paper, seen: body.seen, known_missing: ['paid_in_full'] }
  const send = () => practice.call('POST', '/api/v1/papers', input, { 'idempotency-key': 'paper-1' })
  const answers = await Promise.all([send(), send(), send()])
  assert.deepEqual(new Set(answers.map((one) => `${one.status} ${String(one.body.id)}`)).size, 1)
  assert.deepEqual(await numbersOf(practice), upTo(1))
})

test('50 papers at once, some refused, get numbers without a gap or a double', async () => {
  const { practice, student, log } = await aTutor()
  const days = Array.from({ length: 25 }, (_, at) => `2026-11-${String(at + 1).padStart(2, '0')}`)
  for (const day of days) await log(day)
  // Each lesson is wanted twice at the same time.
  const answers = await Promise.all(
    [...days, ...days].map((day) => issue(practice, paperFor(student, { from: day, to: day }))),
  )
  const taken = answers.filter(({ status }) => status === 201)
  assert.equal(taken.length, days.length)
  assert.ok(answers.every((one) => one.status === 201 || refusal(one)[1] === 'on_another'))
  assert.deepEqual((await numbersOf(practice)).sort(), upTo(days.length))
})

test('a void while another is issued: one paper replaces it, and the numbers have no gap', async () => {
  const { practice, student, log } = await aTutor()
  await log('2026-11-03')
  const first = await issue(practice, paperFor(student))
  const id = String(first.body.id)
  const { body } = await preview(practice, paperFor(student))
  const again = () =>
    practice.call('POST', '/api/v1/papers', {
      paper: paperFor(student),
      seen: body.seen,
      known_missing: ['paid_in_full'],
      replaces: { id, reason: 'A letter was wrong' },
    })
  const voids = () => practice.call('POST', `/api/v1/papers/${id}/void`, { reason: 'Twice' })
  const answers = await Promise.all([again(), voids(), again(), voids(), again()])
  assert.deepEqual(
    answers.filter(({ status }) => status === 201).map(({ body: { number } }) => number),
    ['2026-0002'],
  )
  for (const answer of answers) assert.ok([200, 201, 409].includes(answer.status), String(answer.status))
  const listed = (await practice.call('GET', '/api/v1/papers')).body.papers as Body[]
  assert.deepEqual(
    listed.map(({ number, replaces, voided_at }) => [number, replaces, voided_at !== null]),
    [
      ['2026-0002', '2026-0001', false],
      ['2026-0001', null, true],
    ],
  )
})

test('T19: assistants who see all students issue and void, one limited to a student does not, and only the owner types the details', async () => {
  const { practice, student, log } = await aTutor()
  await log('2026-11-03')
  const [assistant, limited] = [
    await aMember(server, practice, 'assistant'),
    await aMember(server, practice, 'assistant', [student]),
  ]
  const issued = await issue(assistant, paperFor(student))
  assert.equal(issued.status, 201, JSON.stringify(issued.body))
  assert.equal((await assistant.call('PUT', '/api/v1/paper-provider', PROVIDER)).status, 403)
  for (const [method, path] of [
    ['GET', 'papers'],
    ['GET', 'paper-provider'],
    ['GET', `papers/${String(issued.body.id)}/paper.pdf`],
  ] as const)
    assert.equal((await limited.call(method, `/api/v1/${path}`)).status, 403, path)
  assert.equal((await preview(limited, paperFor(student))).status, 403)
  const id = String(issued.body.id)
  assert.equal((await assistant.call('POST', `/api/v1/papers/${id}/void`, { reason: 'x' })).status, 200)
})

test('D6: details typed in two tabs are never lost without a word', async () => {
  const { practice } = await aTutor()
  const put = (legal_name: string, version: string) =>
    practice.call('PUT', '/api/v1/paper-provider', { ...PROVIDER, legal_name }, { 'if-match': version })
  assert.equal((await put('Ingrid One', '"1"')).status, 200)
  assert.deepEqual(refusal(await put('Ingrid Two', '"1"')), [409, 'changed'])
  assert.equal((await practice.call('GET', '/api/v1/paper-provider')).body.legal_name, 'Ingrid One')
})

test('P5: the export has the papers, their numbers, the details and the remembered places', async () => {
  const { practice, student, log } = await aTutor()
  await log('2026-11-03')
  await issue(practice, paperFor(student))
  const { bytes } = await practice.call('POST', '/api/v1/export', {})
  const files = unzipSync(bytes)
  const text = (name: string) => new TextDecoder().decode(files[name])
  const names = Object.keys(files).filter((name) => /paper|places/.test(name))
  assert.deepEqual(names.filter((name) => name.endsWith('.csv')).length, 5, names.join())
  assert.match(text(names.find((name) => name.endsWith('papers.json')) ?? ''), /Maya Rose Whitfield/)
})

/** Issues a paper straight in the database, so that its transaction can be held open or killed. */
async function issueIn(db: TestServer['db'], who: Caller, at: number, meanwhile?: () => Promise<unknown>) {
  await db.asMember(who.member, async (tx) => {
    await tx
      .insertInto('papers')
      .values({
        workspace_id: who.member.workspaceId,
        kind: 'invoice',
        student_id: null,
        program: 'free-form',
        issued_on: '2026-12-05',
        code: `T${String(at).padStart(9, '0')}`,
        content: '{}',
        entries: [`00000000-0000-4000-8000-${String(at).padStart(12, '0')}`],
        replaces: null,
        issued_at: new Date(),
      })
      .execute()
    await meanwhile?.()
  })
}

test('F2: killed connections take no number, and a restored backup goes on with the next one', async () => {
  const { practice } = await aTutor()
  const client = new pg.Client({ connectionString: server.superuserUrl })
  await client.connect()
  const kill = () =>
    client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where query ilike '%papers%' and state <> 'idle' and pid <> pg_backend_pid()`,
    )
  const outcomes = await Promise.allSettled(
    Array.from({ length: 50 }, (_, at) => issueIn(server.db, practice, at, at % 3 === 0 ? kill : undefined)),
  )
  const issued = outcomes.filter(({ status }) => status === 'fulfilled').length
  assert.ok(issued > 0 && issued < 50, `${issued} issued`)
  const numbers = async (of: pg.Client) =>
    (
      await of.query<{ number: number }>(
        `select number from papers where workspace_id = '${practice.id}' order by number`,
      )
    ).rows.map(({ number }) => number)
  const given = await numbers(client)
  assert.deepEqual(
    given,
    Array.from({ length: issued }, (_, at) => at + 1),
  )

  const file = join(server.dataDir, 'papers.gz')
  await writeBackup(server.superuserUrl, file, new Date())
  const url = new URL(server.superuserUrl)
  await client.query('create database restored_papers')
  await client.end()
  url.pathname = '/restored_papers'
  await migrate(url.href, { only: (await readBackup(file)).migrations })
  await loadBackup(url.href, file)
  const restored = new pg.Client({ connectionString: url.href })
  await restored.connect()
  const db = openDb(await migrate(url.href), 4)
  try {
    await Promise.all(Array.from({ length: 10 }, (_, at) => issueIn(db, practice, 100 + at)))
    assert.deepEqual(
      await numbers(restored),
      Array.from({ length: issued + 10 }, (_, at) => at + 1),
    )
  } finally {
    await db.close()
    await restored.end()
  }
})

test('the place of a lesson is remembered for its schedule, and each lesson can differ', async () => {
  const { practice, student, self } = await aTutor()
  const schedule = idOf(
    await practice.call('POST', '/api/v1/schedules', {
      student_id: student,
      tutor_id: self,
      day_of_week: 2,
      start_time: '16:30',
      duration: 1,
      start_date: '2026-11-03',
    }),
  )
  for (const date of ['2026-11-03', '2026-11-10', '2026-11-17'])
    assert.equal((await practice.call('POST', `/api/v1/schedules/${schedule}/log`, { date })).status, 201)
  const places = async (paper: Body) =>
    ((await preview(practice, paper)).body.lessons as Body[]).map(({ place, start }) => [place, start])
  const paper = paperFor(student, { to: '2026-11-10' })
  assert.deepEqual(await places(paper), [
    [null, '16:30'],
    [null, '16:30'],
  ])
  const [first] = (await preview(practice, paper)).body.lessons as Body[]
  const typed = { ...paper, place: 'library', places: [{ session_id: first?.id, place: 'online' }] }
  assert.deepEqual(await places(typed), [
    ['online', '16:30'],
    ['library', '16:30'],
  ])
  assert.equal((await issue(practice, typed)).status, 201)
  assert.deepEqual(await places(paperFor(student, { from: '2026-11-17' })), [['library', '16:30']])
})

test('T1: papers, students and details of another practice are out of reach', async () => {
  const [mine, other] = [await aTutor(), await aTutor()]
  await mine.log('2026-11-03')
  const id = String((await issue(mine.practice, paperFor(mine.student))).body.id)
  for (const path of ['paper.pdf', 'paper.json', 'input'])
    assert.equal((await other.practice.call('GET', `/api/v1/papers/${id}/${path}`)).status, 404)
  assert.equal((await other.practice.call('POST', `/api/v1/papers/${id}/void`, { reason: 'x' })).status, 404)
  assert.equal((await preview(other.practice, paperFor(mine.student))).status, 404)
  const replaces = { id, reason: 'x' }
  await other.log('2026-11-03')
  assert.equal((await issue(other.practice, paperFor(other.student), { replaces })).status, 404)
  assert.deepEqual(await numbersOf(other.practice), [])
  const family = await server.aUser()
  assert.deepEqual(await numbersOf(family), [])
  assert.equal((await family.call('GET', `/api/v1/papers/${id}/paper.pdf`)).status, 404)
  assert.equal((await family.call('GET', '/api/v1/paper-provider')).status, 403)
})

test('an invoice is due on the day of the agreed terms, unless another day is typed; a receipt never is', async () => {
  const { family, practice, student, log } = await aPair(server)
  assert.equal((await practice.call('PUT', '/api/v1/paper-provider', PROVIDER)).status, 200)
  await log({ date: '2026-11-06' })
  const invoice = paperFor(student, { kind: 'invoice' })
  assert.equal((await preview(practice, invoice)).body.due_on, null)
  const terms = idOf(
    await practice.call('POST', '/api/v1/terms', { student_id: student, rules: { due_day: 9 } }),
  )
  assert.equal((await preview(practice, invoice)).body.due_on, null, 'only one side wants these terms')
  assert.equal((await family.call('POST', `/api/v1/terms/${terms}/confirm`, {})).status, 200)
  // As if they had been agreed earlier.
  const superuser = new pg.Client({ connectionString: server.superuserUrl })
  await superuser.connect()
  await superuser.query('update terms set applies_from = $2 where id = $1', [terms, '2026-10-01'])
  await superuser.end()
  assert.equal((await preview(practice, invoice)).body.due_on, '2026-12-09')
  assert.equal((await preview(practice, { ...invoice, due_on: '2026-12-24' })).body.due_on, '2026-12-24')
  assert.equal((await preview(practice, paperFor(student))).body.due_on, null)
  const issued = await issue(practice, invoice)
  assert.equal(issued.status, 201, JSON.stringify(issued.body))
  const { bytes } = await practice.call('GET', `/api/v1/papers/${idOf(issued)}/paper.pdf`)
  assert.match(await textOfPdf(bytes), /Due\s+Dec 9, 2026/)
})
