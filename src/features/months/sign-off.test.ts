import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { readCsv } from '#platform/csv.server.ts'
import { type Caller, startTestServer, type TestServer } from '#main/testing.server.ts'
import { pagesOf, textOfPdf } from '#main/testing/paper.server.ts'
import { byLink } from '#main/testing/two-sides.server.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(async () => server.stop())

const NOVEMBER = 'from=2026-11-01&to=2026-11-30'
const CSV = `/api/v1/statements/sessions.csv?${NOVEMBER}`
const PDF = `/api/v1/statements/statement.pdf?${NOVEMBER}`

/** A family that asked its tutor to confirm, and the token in the emailed link. */
interface AskingFamily {
  parent: Caller
  student_id: string
  tutor_id: string
  token: string
  log: (date: string, duration: number) => Promise<string>
}

async function aFamilyThatAsks(email: string): Promise<AskingFamily> {
  const parent = await server.aUser()
  const student_id = String(
    (await parent.call('POST', '/api/v1/students', { name: 'Maya Whitfield' })).body.id,
  )
  const tutor_id = String(
    (await parent.call('POST', '/api/v1/tutors', { name: 'Ingrid Lindqvist', email, hourly_rate: 45 })).body
      .id,
  )
  await parent.call('POST', '/api/v1/connections', { tutor_id })
  const token = /\/confirm#(\S+)/.exec((await server.mailTo(email, 'asks you to confirm')).text)?.[1] ?? ''
  const log = async (date: string, duration: number) =>
    String(
      (
        await parent.call('POST', '/api/v1/sessions', {
          student_id,
          tutor_id,
          date,
          duration,
          subject: 'Algebra',
          notes: 'a secret',
        })
      ).body.id,
    )
  return { parent, student_id, tutor_id, token, log }
}

const confirm = (token: string, ids: string[], version = 1) =>
  byLink(server.aStranger(), token, 'confirm', { sessions: ids.map((id) => ({ id, version })) })
/** A figure on the page that checks a code. */
const figureOf = (html: string, label: string) =>
  new RegExp(`<dt[^>]*>${label}</dt><dd[^>]*>([^<]*)</dd>`).exec(html)?.[1]
const page = async (path: string) => server.app.inject({ method: 'GET', url: path })

test('a month that both confirmed has one code, which tells anyone who has it the figures but no names', async () => {
  const { parent, tutor_id, token, log } = await aFamilyThatAsks('ingrid@example.com')
  const ids = [await log('2026-11-03', 1), await log('2026-11-10', 1.5)]
  await log('2026-10-30', 1)
  const ask = () => parent.call('POST', '/api/v1/sign-offs', { month: '2026-11', tutor_id })
  assert.equal((await ask()).body.code, 'not_confirmed')
  await confirm(token, [ids[0] ?? ''])
  assert.equal((await ask()).body.code, 'not_confirmed')
  await confirm(token, [ids[1] ?? ''])
  const made = await ask()
  assert.match(String(made.body.code), /^[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}$/)
  assert.equal((await ask()).body.code, made.body.code)

  const code = String(made.body.code)
  const shown = await page(`/verify/${code}`)
  assert.deepEqual(
    [shown.statusCode, /This statement is genuine/.test(shown.payload), /November 2026/.test(shown.payload)],
    [200, true, true],
  )
  assert.doesNotMatch(shown.payload, /Maya|Whitfield|Ingrid|example\.com|secret/)
  for (const [label, figure] of [
    ['Number of sessions', '2'],
    ['Hours', '2.5 h'],
    ['Total', '$112.50'],
  ] as const)
    assert.equal(figureOf(shown.payload, label), figure)
  assert.equal(figureOf(shown.payload, 'Paid'), undefined, 'a sign-off is only about sessions')
  assert.equal((await page(`/verify/${code.toLowerCase().replace('-', '')}`)).statusCode, 200)
  assert.equal((await page('/verify/00000-00000')).statusCode, 404)
  assert.equal((await page('/verify/' + 'A'.repeat(150))).statusCode, 404)

  await parent.call('PATCH', `/api/v1/sessions/${ids[0]}`, { duration: 2 })
  assert.match((await page(`/verify/${code}`)).payload, /has changed since/)
  assert.equal(figureOf((await page(`/verify/${code}`)).payload, 'Total'), undefined)
  assert.equal((await ask()).body.code, 'not_confirmed')
  await confirm(token, [ids[0] ?? ''], 3)
  assert.notEqual((await ask()).body.code, code)
  assert.match((await page(`/verify/${code}`)).payload, /has changed since/)
})

test('a typed code leads to its page, however it was typed, and anything else says that no statement has it', async () => {
  const { parent, tutor_id, token, log } = await aFamilyThatAsks('typed@example.com')
  await confirm(token, [await log('2026-11-03', 1)])
  const code = String(
    (await parent.call('POST', '/api/v1/sign-offs', { month: '2026-11', tutor_id })).body.code,
  )
  const typed = async (text: string) => {
    const sent = await page(`/verify/code?${new URLSearchParams({ code: text }).toString()}`)
    assert.equal(sent.statusCode, 303)
    return String(sent.headers.location)
  }
  for (const text of [code, ` ${code.toLowerCase()} `, code.replace('-', ' – '), [...code].join(' ')])
    assert.equal(await typed(text), `/verify/${code}`, text)
  for (const text of ['12345', 'https://example.com', '../admin', '<b>']) {
    const shown = await page(await typed(text))
    assert.deepEqual(
      [shown.statusCode, shown.payload.includes('No statement has this code')],
      [404, true],
      text,
    )
    assert.match(shown.payload, /href="\/verify"/)
  }
  assert.equal(await typed('  '), '/verify')
})

test('both sides get the same signed-off statement, and nobody else gets one', async () => {
  const { parent, tutor_id, token, log } = await aFamilyThatAsks('same@example.com')
  await confirm(token, [await log('2026-11-03', 1), await log('2026-11-10', 1.5)])
  const theirs = await parent.call('GET', `/api/v1/statements/signed.pdf?month=2026-11&tutor_id=${tutor_id}`)
  server.clock.now = new Date(server.clock.now.getTime() + 60_000)
  const mailed = await byLink(server.aStranger(), token, 'signed.pdf', { month: '2026-11' })
  assert.deepEqual([theirs.status, mailed.status], [200, 200])
  assert.ok(theirs.bytes.equals(mailed.bytes))
  const text = await textOfPdf(theirs.bytes)
  const { body } = await parent.call('POST', '/api/v1/sign-offs', { month: '2026-11', tutor_id })
  assert.match(text, new RegExp(String(body.code)))
  assert.match(text, /\$112\.50/)
  assert.doesNotMatch(text, /Whitfield|secret/)
  const own = await parent.call('GET', `${PDF}&tutor_id=${tutor_id}`)
  assert.match(
    await textOfPdf(own.bytes),
    new RegExp(String(body.code)),
    "the family's own statement carries the code too",
  )
  const stranger = await server.aUser()
  assert.equal(
    (await stranger.call('GET', `/api/v1/statements/signed.pdf?month=2026-11&tutor_id=${tutor_id}`)).status,
    404,
  )
  assert.equal(
    (await stranger.call('POST', '/api/v1/sign-offs', { month: '2026-11', tutor_id })).body.code,
    'not_confirmed',
  )
  const bystander = await server.aUser('tutor')
  const [connection] = (await parent.call('GET', '/api/v1/connections')).body as unknown as { id: string }[]
  assert.equal(
    (await bystander.call('GET', `/api/v1/connections/${connection?.id}/signed.pdf?month=2026-11`)).status,
    404,
  )
})

test('a month is signed off whichever side logged its sessions, and a connected tutor gets the same file as the family', async () => {
  const tutor = await server.aUser('tutor')
  const { parent, tutor_id, log } = await aFamilyThatAsks(tutor.email)
  const [first, second] = [await log('2026-11-03', 1), await log('2026-11-10', 1.5)]
  const [connection] = (await tutor.call('GET', '/api/v1/connections')).body as unknown as { id: string }[]
  const SIGNED = `/api/v1/connections/${connection?.id}/signed.pdf?month=2026-11`
  assert.equal((await tutor.call('GET', SIGNED)).status, 404, 'what only asks is nobody else to sign with')
  await tutor.call('PATCH', `/api/v1/connections/${connection?.id}`, { state: 'active' })
  for (const id of [first, second]) await tutor.call('POST', `/api/v1/sessions/${id}/confirm`, {})
  const [student] = (await tutor.call('GET', '/api/v1/students')).body as unknown as { id: string }[]
  const [self] = (await tutor.call('GET', '/api/v1/tutors')).body as unknown as { id: string }[]
  const own = await tutor.call('POST', '/api/v1/sessions', {
    student_id: student?.id,
    tutor_id: self?.id,
    date: '2026-11-17',
    duration: 2,
    hourly_rate: 50,
  })
  const ask = async () =>
    (await parent.call('POST', '/api/v1/sign-offs', { month: '2026-11', tutor_id })).body.code
  assert.equal(await ask(), 'not_confirmed', "the tutor's session waits for the family")
  assert.equal((await tutor.call('GET', SIGNED)).body.code, 'not_confirmed')
  await parent.call('POST', `/api/v1/sessions/${String(own.body.id)}/confirm`, {})
  const code = await ask()
  const theirs = await parent.call('GET', `/api/v1/statements/signed.pdf?month=2026-11&tutor_id=${tutor_id}`)
  const ours = await tutor.call('GET', SIGNED)
  assert.ok(theirs.status === 200 && theirs.bytes.equals(ours.bytes))
  assert.match((await pagesOf(ours.bytes)).join(' '), new RegExp(String(code)))
  assert.match((await pagesOf(ours.bytes)).join(' '), /\$212\.50/)

  // While one side wants to delete a session, the two sides don't agree on it. Once the other side declines,
  // they do again.
  assert.equal((await tutor.call('DELETE', `/api/v1/sessions/${second}`)).status, 202)
  assert.match((await page(`/verify/${String(code)}`)).payload, /has changed since/)
  assert.equal(await ask(), 'not_confirmed')
  await parent.call('POST', `/api/v1/sessions/${second}/keep`, {})
  assert.match((await page(`/verify/${String(code)}`)).payload, /This statement is genuine/)
  assert.equal(await ask(), code)

  // After the connection has ended, the family's records are still the way they were when confirmed.
  await tutor.call('DELETE', `/api/v1/connections/${connection?.id}`)
  assert.equal(await ask(), code)
  assert.equal((await tutor.call('GET', SIGNED)).status, 404)
})

test('a session that one side asked to delete is marked in the files and counts in no total', async () => {
  const tutor = await server.aUser('tutor')
  const { parent, log } = await aFamilyThatAsks(tutor.email)
  const ids = [await log('2026-11-03', 1), await log('2026-11-10', 1.5), await log('2026-11-17', 2)]
  const [connection] = (await tutor.call('GET', '/api/v1/connections')).body as unknown as { id: string }[]
  await tutor.call('PATCH', `/api/v1/connections/${connection?.id}`, { state: 'active' })
  await tutor.call('POST', `/api/v1/sessions/${ids[0]}/confirm`, {})
  await tutor.call('POST', `/api/v1/sessions/${ids[1]}/dispute`, { note: 'One hour' })
  await parent.call('DELETE', `/api/v1/sessions/${ids[0]}`)
  for (const person of [parent, tutor]) {
    const rows = readCsv((await person.call('GET', CSV)).bytes.toString()).map(({ cells }) => cells)
    assert.deepEqual(
      rows.slice(1, -1).map((cells) => [cells[0], cells[7]]),
      [
        ['2026-11-03', 'Deletion requested'],
        ['2026-11-10', 'Not right'],
        ['2026-11-17', 'No'],
      ],
    )
    const text = (await pagesOf((await person.call('GET', PDF)).bytes)).join(' ')
    assert.match(text, /Total\s+2 h\s+\$90\.00/)
    assert.match(text, /\$67\.50 not right/)
    const { body } = await person.call('GET', '/api/v1/summary?month=2026-11')
    assert.deepEqual([body.total_sessions, body.total_amount, body.disputed_amount], [1, 90, 67.5])
    const balances = (await person.call('GET', '/api/v1/balances?month=2026-11')).body.total
    assert.equal((balances as { balance: number }).balance, 90)
  }
})

test('lessons that both sides logged are signed off once they are merged, and their code survives disconnecting and reconnecting', async () => {
  const tutor = await server.aUser('tutor')
  const { parent, tutor_id, log } = await aFamilyThatAsks(tutor.email)
  await log('2026-11-03', 1)
  const own = String((await tutor.call('POST', '/api/v1/students', { name: 'Maya' })).body.id)
  const [self] = (await tutor.call('GET', '/api/v1/tutors')).body as unknown as { id: string }[]
  await tutor.call('POST', '/api/v1/sessions', {
    student_id: own,
    tutor_id: self?.id,
    date: '2026-11-03',
    duration: 1,
    hourly_rate: 45,
  })
  const accept = async () => {
    const [asks] = (await tutor.call('GET', '/api/v1/connections')).body as unknown as {
      id: string
      people: { id: string }[]
    }[]
    const people = asks?.people.map(({ id }) => ({ id, student_id: own }))
    const answer = await tutor.call('PATCH', `/api/v1/connections/${asks?.id}`, { state: 'active', people })
    assert.equal(answer.status, 200)
    return asks?.id
  }
  const merge = async (id: string | undefined) => {
    const { pairs } = (await parent.call('GET', `/api/v1/connections/${id}/pairs`)).body as {
      pairs: { id: string }[]
    }
    await parent.call('POST', `/api/v1/connections/${id}/pairs`, { same: pairs.map((pair) => pair.id) })
    return pairs.length
  }
  const ask = async () =>
    (await parent.call('POST', '/api/v1/sign-offs', { month: '2026-11', tutor_id })).body.code
  const first = await accept()
  assert.equal(await ask(), 'not_confirmed')
  assert.equal(await merge(first), 1)
  const code = await ask()
  assert.match(String(code), /-/)

  await parent.call('DELETE', `/api/v1/connections/${first}`)
  assert.equal(await ask(), code)
  await parent.call('POST', '/api/v1/connections', { tutor_id })
  assert.equal(await merge(await accept()), 1)
  assert.equal(await ask(), code, 'nothing that was confirmed changed')
})
