// Receipts that a family makes in a tutor's name, and its own records: who may, what each side keeps, and their numbers.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { unzipSync } from 'fflate'
import { sql } from 'kysely'
import pg from 'pg'
import { purgeAccounts } from '#features/privacy/jobs.server.ts'
import {
  type Caller,
  PASSWORD,
  startTestServer,
  type TestServer,
  withTestRoles,
} from '#main/testing.server.ts'
import { aMember } from '#main/testing/members.server.ts'
import { closed, connected, refusal, verify } from '#main/testing/months.server.ts'
import { textOfPdf } from '#main/testing/paper.server.ts'
import { aFamily, aPractice, byLink, idOf, rowsOf, tokenOf } from '#main/testing/two-sides.server.ts'
import { NO_PROVIDER } from './provider.ts'

let server: TestServer
let database: pg.Client
before(async () => {
  server = await startTestServer()
  server.clock.now = new Date('2026-12-05T15:00:00Z')
  database = new pg.Client({ connectionString: server.superuserUrl })
  await database.connect()
})
after(async () => {
  await database.end()
  await server.stop()
})

const PROVIDER = {
  legal_name: 'Ingrid Lindqvist Tutoring LLC',
  address: '12 Elm Street\nTucson, AZ 85701',
  tax_number: '12-3456789',
  credential: 'Arizona teaching certificate',
}
type Body = Record<string, unknown>
interface Both {
  child: string
  tutor: string
}

const paperFor = ({ child, tutor }: Both, more: Body = {}): Body => ({
  student_id: child,
  tutor_id: tutor,
  kind: 'receipt',
  program: 'free-form',
  from: '2026-11-01',
  to: '2026-11-30',
  payer_name: 'Dana Whitfield',
  child_name: 'Maya Rose Whitfield',
  program_number: 'ESA-0042',
  ...more,
})
const preview = (who: Caller, paper: Body) => who.call('POST', '/api/v1/papers/preview', paper)
const obstaclesOf = async (who: Caller, paper: Body) =>
  ((await preview(who, paper)).body.obstacles as { code: string; message: string }[]).map(
    ({ code, message }) => [code, message],
  )

/** Issues a paper the way the page does: looks at the preview, then accepts what is missing. */
async function issue(who: Caller, paper: Body, more: Body = {}) {
  const seen = await preview(who, paper)
  assert.equal(seen.status, 200, JSON.stringify(seen.body))
  const missing = (seen.body.missing as { field: string }[]).map(({ field }) => field)
  return who.call('POST', '/api/v1/papers', { paper, seen: seen.body.seen, known_missing: missing, ...more })
}
async function issued(who: Caller, paper: Body, more: Body = {}) {
  const answer = await issue(who, paper, more)
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  return answer.body as Body & { id: string; number: string; code: string }
}
const papersOf = async (who: Caller) => rowsOf(await who.call('GET', '/api/v1/papers')) as unknown as Body[]
const numbersOf = async (who: Caller) => (await papersOf(who)).map(({ number }) => String(number))
const upTo = (count: number, series = '') =>
  Array.from({ length: count }, (_, at) => `${series}2026-${String(at + 1).padStart(4, '0')}`)
const allow = (who: Caller, connection: string, is_allowed = true) =>
  who.call('PUT', `/api/v1/connections/${connection}/papers`, { is_allowed })
const voidOf = (who: Caller, id: string, reason: string) =>
  who.call('POST', `/api/v1/papers/${id}/void`, { reason })

/** A family and a practice that allows papers, with two agreed lessons in November. */
async function allowing() {
  const pair = await connected(server)
  assert.equal((await pair.practice.call('PUT', '/api/v1/paper-provider', PROVIDER)).status, 200)
  await pair.agree('2026-11-03')
  await pair.agree('2026-11-10', 1.5)
  assert.equal((await allow(pair.practice, pair.connection)).status, 200)
  const student = String(
    ((await pair.practice.call('GET', '/api/v1/students')).body as unknown as Body[])[0]?.id,
  )
  return { ...pair, student }
}

/** Issues a paper straight in the database, past everything that the server checks. */
async function issueDirectly(
  who: Caller,
  { connection, child }: { connection: string; child: string },
  entries: string[],
  details: Body = {},
  meanwhile?: () => Promise<void>,
): Promise<void> {
  const content = {
    provider: { ...NO_PROVIDER, ...PROVIDER, ...details },
    sums: { total: 4500 },
    currency: 'USD',
  }
  const paper = {
    id: crypto.randomUUID(),
    kind: 'receipt',
    program: 'free-form',
    student_id: child,
    issued_on: '2026-12-05',
    code: 'ABCDEFGHJK',
    content,
    entries,
  }
  await server.db.asMember(who.member, async (tx) => {
    await sql`select issue_family_paper(${connection}::uuid, ${JSON.stringify(paper)}::jsonb, ${JSON.stringify(content)}::jsonb, now())`.execute(
      tx,
    )
    await meanwhile?.()
  })
}

test('a tutor allows it, then a family makes a receipt with the next number of the practice, which is told and keeps nothing that the family typed', async () => {
  const pair = await allowing()
  const { family, practice, student } = pair
  const own = {
    ...paperFor(pair, { from: '2026-11-10', child_name: 'Maya', program_number: 'OWN-1' }),
    student_id: student,
    tutor_id: null,
  }
  const first = await issued(practice, { ...own, kind: 'invoice' })
  const made = await issued(family, paperFor(pair, { program: 'esa-arizona' }))
  assert.deepEqual(
    [first.number, made.number, made.total, made.is_by_family, made.provider],
    ['2026-0001', '2026-0002', 112.5, true, PROVIDER.legal_name],
  )
  const text = await textOfPdf((await family.call('GET', `/api/v1/papers/${made.id}/paper.pdf`)).bytes)
  for (const words of [
    'Receipt 2026-0002',
    'Ingrid Lindqvist Tutoring LLC',
    '12-3456789',
    'Maya Rose Whitfield',
    'ESA-0042',
    'The family made this receipt in the provider’s name',
    made.code,
  ])
    assert.ok(text.includes(words), words)
  assert.match(await verify(server, made.code), /A family issued it[\s\S]*\$112\.50/)
  assert.doesNotMatch(await verify(server, made.code), /Maya|Lindqvist|Whitfield|ESA/)

  // T1: what the family typed reaches the practice by no way: list, files, input, export, and its rows in the database.
  const [listed] = await papersOf(practice)
  assert.deepEqual(
    [listed?.number, listed?.total, listed?.is_by_family, listed?.child_name, listed?.program],
    ['2026-0002', 112.5, true, null, 'free-form'],
  )
  const copy = await practice.call('GET', `/api/v1/papers/${made.id}/paper.pdf`)
  const rows = await server.db.asMember(practice.member, (tx) =>
    tx.selectFrom('papers').selectAll().where('is_by_family', '=', true).execute(),
  )
  const exported = Object.entries(unzipSync((await practice.call('POST', '/api/v1/export', {})).bytes))
    .filter(([name]) => name.includes('papers'))
    .map(([, bytes]) => new TextDecoder().decode(bytes))
    .join()
  const all = [
    await textOfPdf(copy.bytes),
    JSON.stringify((await practice.call('GET', `/api/v1/papers/${made.id}/paper.json`)).body),
    JSON.stringify((await practice.call('GET', `/api/v1/papers/${made.id}/input`)).body),
    JSON.stringify(rows),
    exported,
  ]
  assert.match(String(all[0]), /Receipt 2026-0002[\s\S]*Algebra/)
  const typed = /ESA-0042|esa-arizona|Maya Rose/
  for (const answer of all) assert.doesNotMatch(answer, typed)
  assert.equal(rows.length, 1)
  assert.doesNotMatch(JSON.stringify(rows), /Rose|Dana/)
  await assert.rejects(
    server.db.asMember(practice.member, async (tx) => {
      const found = await tx.selectFrom('family_papers').selectAll().execute()
      assert.notEqual(found.length, 0)
    }),
  )
  const mail = await server.mailTo(practice.email, 'made a receipt in your name')
  assert.match(mail.text, /receipt 2026-0002 over \$112\.50 in your name/)
  assert.doesNotMatch(mail.text, /Rose|ESA/)
})

test('T9: only the practice’s owner allows it, and only the family’s adults who see everyone make and void papers', async () => {
  const pair = await allowing()
  const { family, practice, connection, child } = pair
  const assistant = await aMember(server, practice, 'assistant')
  assert.equal((await allow(assistant, connection, false)).status, 403)
  assert.equal((await allow(family, connection)).status, 403)
  const parent = await aMember(server, family, 'parent')
  const made = await issued(parent, paperFor(pair))
  for (const [role, some] of [
    ['caregiver', []],
    ['viewer', []],
    ['parent', [child]],
  ] as const) {
    const who = await aMember(server, family, role, some.length > 0 ? [...some] : undefined)
    assert.equal((await preview(who, paperFor(pair))).status, 403, role)
    assert.equal((await voidOf(who, made.id, 'x')).status, 403, role)
    assert.equal((await who.call('GET', '/api/v1/papers')).status, role === 'viewer' ? 200 : 403, role)
    // The database refuses it, too.
    const lesson = String((await pair.log('2026-11-20')).body.id)
    await assert.rejects(issueDirectly(who, pair, [lesson]), { constraint: 'papers_not_allowed' }, role)
  }
  const other = await allowing()
  for (const path of ['paper.pdf', 'paper.json', 'input'])
    assert.equal((await other.family.call('GET', `/api/v1/papers/${made.id}/${path}`)).status, 404)
  assert.equal((await voidOf(other.family, made.id, 'x')).status, 404)
  assert.equal((await preview(other.family, paperFor(pair))).status, 404)
  assert.equal((await allow(other.practice, connection, false)).status, 404)
})

test('not allowed, withdrawn between the preview and the button, and details that nobody typed are refused in words; papers from before stay', async () => {
  const pair = await connected(server)
  const { family, practice, connection } = pair
  await pair.agree('2026-11-03')
  const paper = paperFor(pair)
  const [[code] = []] = await obstaclesOf(family, paper)
  assert.equal(code, 'not_allowed')
  assert.deepEqual(refusal(await issue(family, paper)), [409, 'not_allowed'])
  await allow(practice, connection)
  assert.deepEqual(await obstaclesOf(family, paper), [
    ['provider_missing', 'Ingrid Lindqvist hasn’t typed a legal name and address yet. Ask them to.'],
  ])
  await practice.call('PUT', '/api/v1/paper-provider', PROVIDER)
  assert.deepEqual(await obstaclesOf(family, paper), [])
  const { body } = await preview(family, paper)
  const made = await issued(family, paper)
  await voidOf(family, made.id, 'Twice')
  await allow(practice, connection, false)
  const late = await family.call('POST', '/api/v1/papers', {
    paper,
    seen: body.seen,
    known_missing: ['paid_in_full'],
  })
  assert.deepEqual(refusal(late), [409, 'not_allowed'])
  assert.match(String(late.body.title), /doesn’t allow receipts in their name/)
  assert.deepEqual(await numbersOf(family), ['2026-0001'])
  assert.equal((await family.call('GET', `/api/v1/papers/${made.id}/paper.pdf`)).status, 200)
  for (const [more, reason] of [
    [{ kind: 'invoice' }, 'wrong_kind'],
    [{ tutor_id: null }, 'no_tutor'],
  ] as const)
    assert.deepEqual(refusal(await preview(family, { ...paper, ...more })), [422, reason])
})

test('a withdrawal at the same moment as 10 papers: each is issued before it or refused after it, without a gap', async () => {
  const pair = await allowing()
  const { family, practice, connection } = pair
  const days = Array.from({ length: 10 }, (_, at) => `2026-11-${String(at + 11)}`)
  for (const day of days) await pair.log(day)
  const drafts = await Promise.all(
    days.map(async (day) => {
      const paper = paperFor(pair, { from: day, to: day })
      return { paper, seen: (await preview(family, paper)).body.seen, known_missing: ['paid_in_full'] }
    }),
  )
  const [, ...answers] = await Promise.all([
    allow(practice, connection, false),
    ...drafts.map((draft) => family.call('POST', '/api/v1/papers', draft)),
  ])
  for (const answer of answers)
    assert.ok(answer.status === 201 || refusal(answer)[1] === 'not_allowed', JSON.stringify(answer.body))
  const count = answers.filter(({ status }) => status === 201).length
  assert.deepEqual((await numbersOf(practice)).sort(), upTo(count))
})

test('50 papers at once by a practice and its family, some wanted by both, get numbers without a gap or a double', async () => {
  const pair = await allowing()
  const { family, practice, student } = pair
  const days = Array.from({ length: 25 }, (_, at) => `2026-10-${String(at + 1).padStart(2, '0')}`)
  for (const day of days) await pair.log(day)
  const drafts: { who: Caller; input: Body }[] = []
  for (const day of days)
    for (const [who, whose] of [
      [family, {}],
      [practice, { student_id: student, tutor_id: null }],
    ] as const) {
      const paper = paperFor(pair, { from: day, to: day, ...whose })
      const { body } = await preview(who, paper)
      drafts.push({ who, input: { paper, seen: body.seen, known_missing: ['paid_in_full'] } })
    }
  const answers = await Promise.all(drafts.map(({ who, input }) => who.call('POST', '/api/v1/papers', input)))
  const taken = answers.filter(({ status }) => status === 201)
  assert.equal(taken.length, days.length)
  assert.ok(answers.every((one) => one.status === 201 || refusal(one)[1] === 'on_another'))
  assert.ok(
    taken.some(({ body }) => body.is_by_family),
    'the family issued some',
  )
  assert.deepEqual((await numbersOf(practice)).sort(), upTo(days.length))
  const { rows } = await database.query(
    `select p.number from papers p join family_papers f on f.id = p.id where p.workspace_id = '${practice.id}' and f.number = p.number`,
  )
  assert.equal(rows.length, taken.filter(({ body }) => body.is_by_family).length)
})

test('both sides void a family’s paper, only once, and the family issues it again', async () => {
  const pair = await allowing()
  const { family, practice } = pair
  const first = await issued(family, paperFor(pair, { child_name: 'Maja' }))
  assert.deepEqual(refusal(await issue(family, paperFor(pair))), [409, 'on_another'])
  const replaces = { id: first.id, reason: 'A letter was wrong' }
  const second = await issued(family, paperFor(pair), { replaces })
  assert.deepEqual([second.number, second.replaces], ['2026-0002', '2026-0001'])
  for (const who of [family, practice]) {
    const [, old] = await papersOf(who)
    assert.deepEqual([old?.void_reason, old?.replaced_by], ['A letter was wrong', '2026-0002'])
  }
  assert.equal((await voidOf(practice, second.id, 'Not my price')).status, 200)
  assert.equal((await papersOf(family))[0]?.void_reason, 'Not my price')
  assert.deepEqual(refusal(await voidOf(family, second.id, 'x')), [409, 'already_void'])
  assert.match(await verify(server, second.code), /This receipt is void/)
  const told = await server.mailTo(family.email, 'Receipt 2026-0002 is void')
  assert.match(told.text, /Not my price/)
  const third = await issued(family, paperFor(pair), { replaces: { id: second.id, reason: 'x' } })
  assert.deepEqual([third.number, third.replaces], ['2026-0003', '2026-0002'])
})

test('a void by each side while another is issued: one paper replaces it, and the sides agree on what is void', async () => {
  const pair = await allowing()
  const { family, practice } = pair
  const first = await issued(family, paperFor(pair))
  const { body } = await preview(family, paperFor(pair))
  const again = () =>
    family.call('POST', '/api/v1/papers', {
      paper: paperFor(pair),
      seen: body.seen,
      known_missing: ['paid_in_full'],
      replaces: { id: first.id, reason: 'A letter was wrong' },
    })
  const voids = (who: Caller) => voidOf(who, first.id, 'Twice')
  const answers = await Promise.all([
    again(),
    voids(practice),
    again(),
    voids(family),
    again(),
    voids(practice),
  ])
  for (const answer of answers)
    assert.ok([200, 201, 409].includes(answer.status), `${answer.status} ${JSON.stringify(answer.body)}`)
  assert.equal(answers.filter(({ status }) => status === 201).length, 1)
  const shown = async (who: Caller) =>
    (await papersOf(who)).map(({ number, replaces, void_reason }) => [number, replaces, void_reason])
  assert.deepEqual((await numbersOf(family)).sort(), upTo(2))
  assert.deepEqual(await shown(family), await shown(practice))
})

test('D14: nobody changes or deletes a family’s paper, issues one past the function, or puts other lessons on it', async () => {
  const pair = await allowing()
  const { family, connection } = pair
  const { id } = await issued(family, paperFor(pair))
  const fails = async (text: string, code: string) =>
    assert.rejects(database.query(withTestRoles(text)), { code }, text)
  for (const change of ["content = '{}'", 'number = 7', "code = 'ABCDEFGHJK'", "series = 'ABCD'"])
    await fails(`update family_papers set ${change} where id = '${id}'`, '23514')
  await fails(`delete from family_papers where id = '${id}'`, '23514')
  await database.query(withTestRoles('set role tutorlog_family'))
  for (const text of ['update family_papers set number = 9', 'delete from family_papers'])
    await fails(text, '42501')
  await fails(`insert into family_papers (id) values (gen_random_uuid())`, '42501')
  await fails(`select tell_of_paper(null, null, 'practice', 'issued')`, '42501')
  await fails(`select allow_papers('${connection}', true, null, now())`, '42501')
  await database.query('reset role')
  const own = String((await pair.log('2026-11-20')).body.id)
  const stranger = '0199b000-0000-7000-8000-000000000002'
  const changed = { constraint: 'papers_changed' }
  await assert.rejects(issueDirectly(family, pair, [own], { tax_number: '666' }), changed)
  await assert.rejects(issueDirectly(family, pair, [own, stranger]), changed)
  // A withdrawal waits for what is being issued, and nothing is issued after it.
  let withdrawing: ReturnType<typeof allow> | undefined
  let isWithdrawn = false
  await issueDirectly(family, pair, [own], {}, async () => {
    withdrawing = allow(pair.practice, connection, false).finally(() => (isWithdrawn = true))
    await new Promise((resolve) => setTimeout(resolve, 1500))
    assert.equal(isWithdrawn, false)
  })
  assert.equal((await withdrawing)?.status, 200)
  await assert.rejects(issueDirectly(family, pair, [own]), { constraint: 'papers_not_allowed' })
})

test('a month that was reopened goes on no receipt of the family until it is closed again; its own record says what it has', async () => {
  const pair = await closed(server)
  const { family, practice, connection } = pair
  await practice.call('PUT', '/api/v1/paper-provider', PROVIDER)
  await allow(practice, connection)
  const made = await issued(family, paperFor(pair))
  server.clock.now = new Date('2026-12-05T15:10:00Z')
  assert.equal((await pair.reopen(practice)).status, 200)
  const [kept] = await papersOf(family)
  assert.deepEqual(kept?.reopened_since, ['2026-11'])
  await voidOf(family, made.id, 'Reopened')
  assert.deepEqual(await obstaclesOf(family, paperFor(pair)), [
    ['month_reopened', 'November 2026 was reopened. Close it again with the tutor first.'],
  ])
  assert.deepEqual(await obstaclesOf(family, paperFor(pair, { kind: 'record' })), [])
  await pair.close(family)
  await pair.close(practice)
  assert.equal((await issue(family, paperFor(pair))).status, 201)
})

test('D2: a family’s receipt has only this child’s shared entries, the same sums as the practice’s, and marks who confirmed what', async () => {
  const pair = await allowing()
  const { family, practice, student, tutor } = pair
  const leo = idOf(await family.call('POST', '/api/v1/students', { name: 'Leo Whitfield' }))
  await pair.log('2026-11-12', 1, { student_id: leo })
  await pair.log('2026-11-17')
  await family.call('POST', '/api/v1/charges', {
    tutor_id: tutor,
    student_id: pair.child,
    date: '2026-11-11',
    amount: 18.4,
    reason: 'materials',
    label: 'Reading book',
  })
  const paid = { tutor_id: tutor, date: '2026-11-20', amount: 100, method: 'transfer' }
  await family.call('POST', '/api/v1/payments', paid)
  const [ours, theirs] = [
    (await preview(family, paperFor(pair))).body,
    (await preview(practice, { ...paperFor(pair), student_id: student, tutor_id: null })).body,
  ]
  assert.deepEqual([ours.total, ours.paid, ours.due], [theirs.total, theirs.paid, theirs.due])
  assert.deepEqual(
    (ours.lessons as Body[]).map(({ date, confirmed_by }) => [date, confirmed_by]),
    [
      ['2026-11-03', 'both'],
      ['2026-11-10', 'both'],
      ['2026-11-17', 'family'],
    ],
  )
  assert.deepEqual(ours.lessons, theirs.lessons)
  assert.deepEqual(ours.payments, theirs.payments)
})

test('the family’s own record has no number, no code and nothing of the provider’s details, and nothing of it is stored', async () => {
  const pair = await allowing()
  const { family, practice } = pair
  await pair.log('2026-11-17')
  const record = paperFor(pair, { kind: 'record' })
  const seen = await preview(family, record)
  assert.deepEqual([seen.body.obstacles, seen.body.missing, seen.body.total], [[], [], 157.5])
  const made = await family.call('POST', '/api/v1/papers/record.pdf', { record, paper: 'a4' })
  assert.equal(made.status, 200, JSON.stringify(made.body))
  assert.equal(
    decodeURIComponent(String(made.headers['content-disposition'])).includes(
      'own record Maya Rose Whitfield.pdf',
    ),
    true,
  )
  const text = await textOfPdf(made.bytes)
  for (const words of [
    'Family’s own record',
    'It isn’t the tutor’s receipt or invoice',
    'Ingrid Lindqvist',
    'Family only',
    'Both',
    '$157.50',
  ])
    assert.ok(text.includes(words), words)
  assert.doesNotMatch(text, /12-3456789|LLC|Elm Street|Verify this|Receipt|2026-000|Paid in full/)
  assert.deepEqual(await numbersOf(family), [])
  assert.deepEqual(await numbersOf(practice), [])
  assert.deepEqual(refusal(await issue(family, record)), [422, 'wrong_kind'])
  const receipt = { record: paperFor(pair), paper: 'a4' }
  assert.deepEqual(refusal(await family.call('POST', '/api/v1/papers/record.pdf', receipt)), [
    422,
    'wrong_kind',
  ])
  assert.equal((await practice.call('POST', '/api/v1/papers/record.pdf', receipt)).status, 403)
  const empty = { record: paperFor(pair, { kind: 'record', from: '2025-01-01', to: '2025-01-31' }) }
  assert.deepEqual(refusal(await family.call('POST', '/api/v1/papers/record.pdf', empty)), [
    409,
    'nothing_on_it',
  ])
})

/** A family with euros, and its tutor, who answers by email and has no account. */
async function emailed() {
  const asking = await aFamily(server, undefined, undefined, 'EUR')
  const token = await tokenOf(server, asking.email)
  const session = await asking.log()
  const page = (what: string, body: object = {}) => byLink(server.aStranger(), token, what, body)
  await page('confirm', { sessions: [{ id: session, version: 1 }] })
  return { ...asking, page, token }
}

test('T8: a tutor without an account allows it on the emailed page and types the details there; the numbers are the connection’s', async () => {
  const asking = await emailed()
  const { family, page, connection } = asking
  assert.deepEqual((await page('papers')).body, {
    permissions: [
      { connection_id: connection, tutor_id: null, other_name: "Maya's family", is_allowed: false },
    ],
    details: null,
  })
  assert.deepEqual(refusal(await page('papers/allow', { is_allowed: true })), [422, 'details_missing'])
  const allowed = await page('papers/allow', { is_allowed: true, details: PROVIDER })
  assert.deepEqual([allowed.status, allowed.body], [200, { is_allowed: true }])
  assert.equal(((await page('papers')).body.details as Body).tax_number, PROVIDER.tax_number)
  const series = `${connection.slice(-4).toUpperCase()}-`
  const first = await issued(family, paperFor(asking))
  assert.deepEqual(
    [first.number, first.currency, first.total, first.provider],
    [`${series}2026-0001`, 'EUR', 67.5, PROVIDER.legal_name],
  )
  assert.match(await verify(server, first.code), new RegExp(`${series}2026-0001[\\s\\S]*€67\\.50`))
  await server.mailTo(asking.email, 'made a receipt in your name')
  assert.deepEqual(refusal(await issue(family, paperFor(asking))), [409, 'on_another'])

  const days = Array.from({ length: 12 }, (_, at) => `2026-10-${String(at + 10)}`)
  for (const day of days) await asking.log({ date: day })
  const answers = await Promise.all(
    [...days, ...days].map((day) => issue(family, paperFor(asking, { from: day, to: day }))),
  )
  assert.equal(answers.filter(({ status }) => status === 201).length, days.length)
  assert.ok(answers.every((one) => one.status === 201 || refusal(one)[1] === 'on_another'))
  assert.deepEqual((await numbersOf(family)).sort(), upTo(13, series))

  // Withdrawn at once; what was typed stays for the next time, and so do the papers.
  assert.equal((await page('papers/allow', { is_allowed: false })).status, 200)
  assert.equal((await obstaclesOf(family, paperFor(asking)))[0]?.[0], 'not_allowed')
  assert.equal(((await page('papers')).body.details as Body).legal_name, PROVIDER.legal_name)
  assert.equal((await page('papers/allow', { is_allowed: true })).status, 200)

  // With an account, the details come along, and the numbers are the practice's.
  const { practice } = await aPractice(server, asking.email)
  await practice.call('PATCH', `/api/v1/connections/${connection}`, { state: 'active' })
  assert.equal((await practice.call('GET', '/api/v1/paper-provider')).body.tax_number, PROVIDER.tax_number)
  const [student] = (await practice.call('GET', '/api/v1/students')).body as unknown as Body[]
  const own = { ...paperFor(asking), student_id: student?.id, tutor_id: null }
  assert.deepEqual(refusal(await issue(practice, own)), [409, 'on_another'])
  const second = await issued(family, paperFor(asking), { replaces: { id: first.id, reason: 'A letter' } })
  assert.deepEqual([second.number, second.replaces], ['2026-0001', first.number])
})

/** Deletes an account, and erases it as the job does a month later. */
async function erase(who: Caller): Promise<void> {
  assert.equal((await who.call('DELETE', '/api/v1/me', { current_password: PASSWORD })).status, 204)
  await database.query("update users set deletion_asked_at = now() - interval '40 days' where id = $1", [
    who.id,
  ])
  await purgeAccounts(server.db, join(server.dataDir, 'mailbox'), server.clock.now)
}

test('P4: papers outlive the connection and the practice on the family’s side, and the family on the practice’s', async () => {
  const pair = await allowing()
  const { family, practice, connection } = pair
  const made = await issued(family, paperFor(pair))
  await practice.call('DELETE', `/api/v1/connections/${connection}`)
  assert.equal((await obstaclesOf(family, paperFor(pair)))[0]?.[0], 'not_allowed')
  const [row] = (await database.query(`select * from connections where id = '${connection}'`)).rows as Body[]
  assert.deepEqual([row?.papers_allowed_at, row?.paper_details], [null, null])
  assert.deepEqual(await numbersOf(family), ['2026-0001'])
  await erase(practice)
  assert.equal((await family.call('GET', `/api/v1/papers/${made.id}/paper.pdf`)).status, 200)
  assert.match(await verify(server, made.code), /This receipt is genuine/)
  const { bytes } = await family.call('POST', '/api/v1/export', {})
  const file = Object.entries(unzipSync(bytes)).find(([name]) => name.endsWith('family_papers.json'))
  assert.match(new TextDecoder().decode(file?.[1]), /Maya Rose Whitfield/)
  assert.equal((await voidOf(family, made.id, 'Wrong')).status, 200)

  const other = await allowing()
  const kept = await issued(other.family, paperFor(other))
  await erase(other.family)
  assert.deepEqual(await numbersOf(other.practice), ['2026-0001'])
  const { rows } = await database.query(`select from family_papers where id = '${kept.id}'`)
  assert.equal(rows.length, 0)
  assert.match(await verify(server, kept.code), /This receipt is genuine/)
})
