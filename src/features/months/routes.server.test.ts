import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { getDocumentProxy } from 'unpdf'
import { isOwedLine } from '#features/payments/owed.ts'
import { originalOf, readCsv } from '#platform/csv.server.ts'
import { type Caller, startTestServer, type TestServer } from '#main/testing.server.ts'
import { pagesOf } from '#main/testing/paper.server.ts'
import { aFamily as aFamilyThatShares, aPractice } from '#main/testing/two-sides.server.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(async () => server.stop())

interface Family {
  parent: Caller
  child: string
  other: string
  tutor: string
}

async function aFamily(childName = 'Maya Łukasiewicz', tutorName = 'Şule Đặng'): Promise<Family> {
  const parent = await server.aUser()
  const [child, other] = [
    String((await parent.call('POST', '/api/v1/students', { name: childName })).body.id),
    String((await parent.call('POST', '/api/v1/students', { name: 'Theo' })).body.id),
  ]
  const tutor = String(
    (await parent.call('POST', '/api/v1/tutors', { name: tutorName, hourly_rate: '45.55' })).body.id,
  )
  const log = (student_id: string, date: string, duration: number, more = {}) =>
    parent.call('POST', '/api/v1/sessions', { student_id, tutor_id: tutor, date, duration, ...more })
  await log(child, '2026-10-31', 1)
  await log(child, '2026-11-01', 1.5, {
    subject: 'Algebra II',
    notes: '=SUM(A1)',
    start_time: '16:00',
    summary: 'Completing the square',
  })
  await log(other, '2026-11-15', 0.25)
  await log(child, '2026-11-30', 1.75, { hourly_rate: '33.33' })
  await parent.call('POST', '/api/v1/payments', {
    tutor_id: tutor,
    date: '2026-11-20',
    amount: 50,
    note: 'In an envelope',
  })
  return { parent, child, other, tutor }
}

/** Downloads a file. */
async function file(caller: Caller, path: string) {
  const answer = await caller.call('GET', path)
  return { ...answer, text: answer.bytes.toString() }
}
const NOVEMBER = 'from=2026-11-01&to=2026-11-30'
const CSV = `/api/v1/statements/sessions.csv?${NOVEMBER}`
const SEPTEMBER = '/api/v1/statements/statement.pdf?from=2026-09-01&to=2026-09-30'
const PDF = `/api/v1/statements/statement.pdf?${NOVEMBER}`

test('D2: the CSV of a month adds up to the totals of the screen, to the cent', async () => {
  const { parent } = await aFamily()
  const { text, headers } = await file(parent, CSV)
  assert.equal(headers['content-type'], 'text/csv; charset=utf-8')
  assert.equal(headers['content-disposition'], 'attachment; filename="Tutorlog 2026-11.csv"')
  const [header, ...rows] = readCsv(text).map(({ cells }) => cells)
  assert.deepEqual(header, [
    'Date',
    'Student',
    'Tutor',
    'Duration (hours)',
    'Subject',
    'Rate ($/hour)',
    'Amount ($)',
    'Agreed',
    'Notes',
    'Start time',
    'Summary',
    'Homework',
  ])
  assert.deepEqual(rows[0], [
    '2026-11-01',
    'Maya Łukasiewicz',
    'Şule Đặng',
    '1.5',
    'Algebra II',
    '45.55',
    '68.33',
    '',
    "'=SUM(A1)",
    '16:00',
    'Completing the square',
    '',
  ])
  const { body } = await parent.call('GET', '/api/v1/summary?month=2026-11')
  assert.equal(
    rows.reduce((sum, row) => sum + Math.round(Number(row[6]) * 100), 0),
    Math.round(Number(body.total_amount) * 100),
  )
  assert.equal(
    rows.reduce((sum, row) => sum + Number(row[3]), 0),
    body.total_hours,
  )
})

test('a spreadsheet of chosen sessions has only those, and none that belong to someone else', async () => {
  const [{ parent }, bob] = [await aFamily(), await aFamily()]
  const idsOf = async (caller: Caller) => {
    const { body } = await caller.call('GET', '/api/v1/sessions?month=2026-11')
    return (body as unknown as { sessions: { id: string }[] }).sessions.map(({ id }) => id)
  }
  const [first, , third] = await idsOf(parent)
  const [theirs] = await idsOf(bob.parent)
  const { status, text } = await file(parent, `${CSV}&sessions=${first},${third},${theirs}`)
  assert.equal(status, 200)
  assert.equal(readCsv(text).length - 1, 2)
  assert.equal((await file(parent, `${CSV}&sessions=nonsense`)).status, 422)
  const tooMany = Array.from({ length: 151 }, () => first).join(',')
  assert.equal((await file(parent, `${CSV}&sessions=${tooMany}`)).status, 422)
})

test('the columns of the CSV, the PDF and the import name the currency of the account', async () => {
  const { parent } = await aFamily()
  await parent.call('PATCH', '/api/v1/me', { currency: 'EUR', relabel: true })
  const { text } = await file(parent, CSV)
  assert.deepEqual(readCsv(text)[0]?.cells.slice(5, 7), ['Rate (€/hour)', 'Amount (€)'])
  const pdf = (await pagesOf((await file(parent, PDF)).bytes)).join(' ')
  assert.ok(pdf.includes('€45.55') && !pdf.includes('$'), pdf)
  const preview = async (lines: string) =>
    (await parent.call('POST', '/api/v1/imports/preview', { text: lines, skip_existing: false })).body
  assert.equal((await preview(text)).sessions, 3, 'the file comes back')
  assert.match(
    JSON.stringify((await preview(`${text}2026-11-02,Theo,Ana,1,,45,44,,`)).lines),
    /The amount is €44\.00, but the rate times the duration is €45\.00/,
  )
})

test('D2: the PDF shows the totals, payments and balance of the screen, and names in their own script', async () => {
  const { parent } = await aFamily()
  const { body } = await parent.call('GET', '/api/v1/summary?month=2026-11')
  const balances = (await parent.call('GET', '/api/v1/balances?month=2026-11')).body.total as {
    balance: number
    paid_amount: number
  }
  for (const paper of ['a4', 'letter']) {
    const answer = await file(parent, `${PDF}&paper=${paper}`)
    assert.deepEqual(
      [answer.status, answer.headers['content-type'], answer.bytes.subarray(0, 5).toString()],
      [200, 'application/pdf', '%PDF-'],
    )
    const pdf = await getDocumentProxy(new Uint8Array(answer.bytes))
    assert.deepEqual(
      (await pdf.getPage(1)).view.slice(2).map(Math.round),
      paper === 'a4' ? [595, 842] : [612, 792],
    )
    // A PDF splits its text wherever the font changes.
    const text = (await pagesOf(answer.bytes)).join(' ').replaceAll(/\s+/g, '')
    for (const shown of [
      `$${Number(body.total_amount).toFixed(2)}`,
      `$${balances.balance.toFixed(2)}`,
      `$${balances.paid_amount.toFixed(2)}`,
      'MayaŁukasiewicz',
      'ŞuleĐặng',
      'November2026',
      'Page1of',
      'Inanenvelope',
      '$45.55',
    ])
      assert.ok(text.includes(shown), `${shown} in ${text}`)
  }
})

test('the PDF shows names in their own script, and marks and explains letters it has no font for', async () => {
  const textOf = async (family: Family) =>
    (await pagesOf((await file(family.parent, PDF)).bytes)).join(' ').normalize('NFKC').replaceAll(/\s+/g, '')
  const known = await textOf(await aFamily('王小明 🎓', '김민준 สมชาย'))
  for (const name of ['王小明', '김민준', '🎓', 'สมชาย'])
    assert.ok(known.includes(name), `${name} in ${known}`)
  assert.doesNotMatch(known, /\uFFFD/)
  const unknown = await textOf(await aFamily('ᏣᎳᎩ', 'محمد علي'))
  assert.match(unknown, /\uFFFD{3}/, 'one mark for each letter')
  assert.match(unknown, /\uFFFDstandsforacharactermissingfromthisfile’sfonts/)
})

test('one child or one tutor: only their sessions, and the name in the file', async () => {
  const { parent, child, other, tutor } = await aFamily()
  const rows = async (query: string) =>
    readCsv((await file(parent, `${CSV}&${query}`)).text).filter(({ cells }) => !isOwedLine(cells[0] ?? ''))
      .length - 1
  assert.deepEqual(
    [await rows(`student_id=${child}`), await rows(`student_id=${other}`), await rows(`tutor_id=${tutor}`)],
    [2, 1, 3],
  )
  const { bytes, headers } = await file(parent, `${PDF}&student_id=${other}`)
  assert.equal(headers['content-disposition'], 'attachment; filename="Tutorlog Theo 2026-11.pdf"')
  const text = (await pagesOf(bytes)).join(' ')
  assert.match(text, /\$11\.39/)
  assert.doesNotMatch(text, /Algebra II|Paid and due/)
})

test('I12, I13: a name that looks like a formula or a header stays a name', async () => {
  const name = '=HYPERLINK("http://x";"Maya"); filename=x.html'
  const { parent, child } = await aFamily(name)
  const csv = await file(parent, `${CSV}&student_id=${child}`)
  const cells = readCsv(csv.text)[1]?.cells ?? []
  assert.equal(cells[1], `'${name}`)
  assert.equal(originalOf(cells[1] ?? ''), name)
  assert.equal(
    csv.headers['content-disposition'],
    'attachment; filename="Tutorlog =HYPERLINK( http x ; Maya ); filename=x.html 2026-11.csv"',
  )
})

/** Logs enough sessions in September to fill several pages. */
async function logMany({ parent, child, tutor }: Family, count: number): Promise<void> {
  await server.db.asMember(parent.member, (tx) =>
    tx
      .insertInto('sessions')
      .values(
        Array.from({ length: count }, (_, at) => ({
          workspace_id: parent.member.workspace.id,
          student_id: child,
          tutor_id: tutor,
          day: `2026-09-${String(1 + (at % 30)).padStart(2, '0')}`,
          minutes: 60,
          rate_override_cents: 1001,
          tutor_rate_cents: 4555,
          subject: null,
        })),
      )
      .execute(),
  )
}

test('a long table continues over several pages, each with its number and the header', async () => {
  const family = await aFamily()
  await logMany(family, 120)
  const { parent } = family
  const pages = await pagesOf((await file(parent, SEPTEMBER)).bytes)
  assert.ok(pages.length > 3)
  pages.forEach((text, at) => assert.ok(text.includes(`Page ${at + 1} of ${pages.length}`)))
  assert.match(pages[1] ?? '', /^Date\s+Student/)
  assert.equal(pages.join(' ').match(/\$10\.01\/h\s+\$10\.01/g)?.length, 120)
  assert.match(pages.join(' '), /\$1,201\.20/)
})

test("T1: another family's tutor or child is not found, and the last day can't be before the first", async () => {
  const [ann, bob] = [await aFamily(), await aFamily()]
  for (const path of [CSV, PDF])
    for (const query of [`student_id=${ann.child}`, `tutor_id=${ann.tutor}`])
      assert.equal((await file(bob.parent, `${path}&${query}`)).status, 404)
  assert.equal(
    (await bob.parent.call('GET', '/api/v1/statements/sessions.csv?from=2026-11-02&to=2026-11-01')).body.code,
    'backwards',
  )
  assert.equal(
    (await bob.parent.call('GET', '/api/v1/statements/statement.pdf?from=2026-11-31&to=2026-12-01')).status,
    422,
  )
  assert.equal((await bob.parent.call('GET', `${PDF}&paper=a3`)).status, 422)
  assert.equal((await file(server.aStranger(), CSV)).status, 401)
})

test("a tutor's statement for a student says what the family paid", async () => {
  const tutor = await server.aUser('tutor')
  const [own] = (await tutor.call('GET', '/api/v1/tutors')).body as unknown as { id: string }[]
  const [ada, ben] = await Promise.all(
    ['Ada', 'Ben'].map(async (name) =>
      String((await tutor.call('POST', '/api/v1/students', { name })).body.id),
    ),
  )
  for (const [student_id, hourly_rate] of [
    [ada, 61],
    [ben, 83],
  ] as const)
    await tutor.call('POST', '/api/v1/sessions', {
      student_id,
      tutor_id: own?.id,
      date: '2026-11-10',
      duration: 1,
      hourly_rate,
    })
  await tutor.call('POST', '/api/v1/payments', { student_id: ada, date: '2026-11-11', amount: 20 })
  const text = (await pagesOf((await file(tutor, `${PDF}&student_id=${ada}`)).bytes)).join(' ')
  for (const shown of ['$61.00', '$20.00', '$41.00', 'Ada']) assert.ok(text.includes(shown), shown)
  assert.doesNotMatch(text, /Ben|\$83/)
})

test('the OpenAPI document names the files and their types', async () => {
  const { body } = await server.aStranger().call('GET', '/api/openapi.json')
  const content = (path: string) =>
    Object.keys(
      (body.paths as Record<string, { get: { responses: Record<string, { content: object }> } }>)[path]?.get
        .responses[200]?.content ?? {},
    )
  assert.deepEqual(
    [content('/api/v1/statements/sessions.csv'), content('/api/v1/statements/statement.pdf')],
    [['text/csv'], ['application/pdf']],
  )
})

test('a statement says which currencies its balances leave out', async () => {
  const dollars = await aFamilyThatShares(server)
  const euros = await aFamilyThatShares(server, dollars.email, 'Leo Park', 'EUR')
  const { practice } = await aPractice(server, dollars.email)
  for (const family of [dollars, euros]) {
    await family.log({ date: '2026-11-03', duration: 1 })
    await practice.call('PATCH', `/api/v1/connections/${family.connection}`, { state: 'active' })
  }
  const textOf = async (person: Caller) =>
    (await pagesOf((await file(person, PDF)).bytes)).join(' ').replaceAll(/\s+/g, ' ')
  assert.match(await textOf(practice), /Amounts in EUR aren’t included\./)
  assert.doesNotMatch(await textOf(dollars.family), /included/)
})

test("a statement's first page adds up: carried over and this month, minus what was paid, is what is due", async () => {
  const { parent, tutor } = await aFamily()
  await parent.call('POST', '/api/v1/payments', {
    tutor_id: tutor,
    date: '2026-11-10',
    kind: 'hours',
    amount: '40.10',
    hours: 1,
  })
  const [text = ''] = (await pagesOf((await file(parent, PDF)).bytes)).map((one) =>
    one.replaceAll(/\s+/g, ' '),
  )
  const amountAfter = (label: string) =>
    Math.round(Number(new RegExp(`${label} \\$([\\d.]+)`).exec(text)?.[1]) * 100)
  const shown = {
    carried_over: amountAfter('Carried over'),
    sessions_amount: amountAfter('Sessions'),
    covered_amount: amountAfter('From prepaid'),
    other_amount: amountAfter('Other charges'),
    paid_amount: amountAfter('Paid'),
    balance: amountAfter('Due'),
  }
  const { body } = await parent.call('GET', '/api/v1/balances?month=2026-11')
  const total = body.total as Record<keyof typeof shown, number>
  for (const [name, cents] of Object.entries(shown))
    assert.equal(cents, Math.round(total[name as keyof typeof shown] * 100), name)
  assert.equal(shown.carried_over, 4555, 'October is carried over')
  assert.ok(shown.covered_amount > 0)
  assert.equal(
    shown.carried_over +
      shown.sessions_amount -
      shown.covered_amount +
      shown.other_amount -
      shown.paid_amount,
    shown.balance,
  )
  assert.match(text, /Carried over \+ Sessions − From prepaid \+ Other charges − Paid = Due\./)
})

test('the day a statement was created is the day where its owner lives', async () => {
  const before = server.clock.now
  server.clock.now = new Date('2026-12-03T00:30:00Z')
  const { parent } = await aFamily()
  const created = async () =>
    /Created on (\w+ \d+, \d+)/.exec(
      (await pagesOf((await file(parent, PDF)).bytes)).join(' ').replaceAll(/\s+/g, ' '),
    )?.[1]
  assert.equal(await created(), 'Dec 3, 2026', 'no time zone is known yet')
  await parent.call('PATCH', '/api/v1/me', { browser_time_zone: 'America/Chicago' })
  assert.equal(await created(), 'Dec 2, 2026')
  server.clock.now = before
})

test('a statement has a sum for each currency, and shows each lesson in its own', async () => {
  const dollars = await aFamilyThatShares(server)
  const euros = await aFamilyThatShares(server, dollars.email, 'Leo Park', 'EUR')
  const { practice } = await aPractice(server, dollars.email)
  for (const family of [dollars, euros]) {
    await family.log({ date: '2026-11-03', duration: 1 })
    await practice.call('PATCH', `/api/v1/connections/${family.connection}`, { state: 'active' })
  }
  const text = (await pagesOf((await file(practice, PDF)).bytes)).join(' ').replaceAll(/\s+/g, ' ')
  for (const sign of ['\\$', '€'])
    assert.match(
      text,
      new RegExp(
        `Carried over ${sign}0\\.00 Sessions ${sign}(\\d+\\.\\d\\d) Paid ${sign}0\\.00 Due ${sign}\\1 Carried over \\+ Sessions − Paid = Due`,
      ),
    )
  assert.match(text, /1 h €\d+\.00\/h €\d+\.00/)
  const [header = [], ...rows] = readCsv((await file(practice, CSV)).text).map(({ cells }) => cells)
  assert.deepEqual([header[5], header[6], header.at(-1)], ['Rate', 'Amount', 'Currency'])
  const sessions = rows.filter((row) => !isOwedLine(row[0] ?? ''))
  assert.deepEqual(sessions.map((row) => row.at(-1)).sort(), ['EUR', 'USD'])
})

test('a payment that is only in your records counts in no total of a statement', async () => {
  const { family, tutor, email, connection, log } = await aFamilyThatShares(server)
  const { practice } = await aPractice(server, email)
  await log({ date: '2026-11-03', duration: 1 })
  await family.call('POST', '/api/v1/payments', { tutor_id: tutor, date: '2026-11-04', amount: 20 })
  await practice.call('PATCH', `/api/v1/connections/${connection}`, { state: 'active' })
  const text = (await pagesOf((await file(family, PDF)).bytes)).join(' ').replaceAll(/\s+/g, ' ')
  assert.match(text, /Ingrid, only yours/)
  assert.match(text, /Paid \$0\.00 Due \$45\.00/)
})

test('statements requested at once are made one after the other; someone who requests too many is told to try again, and everyone else is served', async () => {
  const [ann, bob] = [await aFamily(), await aFamily()]
  await logMany(ann, 300)
  const all = Promise.all(Array.from({ length: 12 }, () => file(ann.parent, SEPTEMBER)))
  const others = await file(bob.parent, PDF)
  const answers = await all
  const made = answers.filter(({ status }) => status === 200)
  const told = answers.filter(({ status }) => status === 503)
  assert.equal(others.status, 200)
  // One statement renders while four wait, and the rest are rejected. More than five can get through if some
  // finish before the last request arrives.
  assert.ok(made.length >= 5, `${made.length} were made`)
  assert.equal(made.length + told.length, 12)
  assert.ok(told.length > 0, 'all were drawn at once')
  assert.deepEqual(
    told.map(({ headers, text }) => [headers['retry-after'], (JSON.parse(text) as { code: string }).code]),
    told.map(() => ['5', 'busy']),
  )
  for (const { bytes } of made) assert.equal(bytes.subarray(0, 5).toString(), '%PDF-')
})
