import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { extractText, getDocumentProxy } from 'unpdf'
import { type Caller, startTestServer, type TestServer } from '#main/testing.server.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(async () => server.stop())

interface Family {
  parent: Caller
  student_id: string
  tutor_id: string
  token: string
  log: (date: string, duration: number) => Promise<string>
}

async function aFamily(email: string): Promise<Family> {
  const parent = await server.aUser()
  const student_id = String(
    (await parent.call('POST', '/api/v1/students', { name: 'Maya Whitfield' })).body.id,
  )
  const tutor_id = String(
    (await parent.call('POST', '/api/v1/tutors', { name: 'Ingrid Lindqvist', email, hourly_rate: 45 })).body
      .id,
  )
  await parent.call('POST', `/api/v1/tutors/${tutor_id}/link`, {})
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
  server
    .aStranger()
    .call('POST', '/api/confirm/confirm', { token, sessions: ids.map((id) => ({ id, version })) })
const page = async (path: string) => server.app.inject({ method: 'GET', url: path })
const cookie = (caller: Caller) => [...caller.cookies].map(([name, value]) => `${name}=${value}`).join('; ')

test('a month that both confirmed has one code, and anyone who has it learns only that it is genuine', async () => {
  const { parent, tutor_id, token, log } = await aFamily('ingrid@example.com')
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
  assert.doesNotMatch(shown.payload, /Maya|Whitfield|Ingrid|45|67|example\.com|secret/)
  assert.equal((await page(`/verify/${code.toLowerCase().replace('-', '')}`)).statusCode, 200)
  assert.equal((await page('/verify/00000-00000')).statusCode, 404)
  assert.equal((await page('/verify/' + 'A'.repeat(150))).statusCode, 404)

  await parent.call('PATCH', `/api/v1/sessions/${ids[0]}`, { duration: 2 })
  assert.match((await page(`/verify/${code}`)).payload, /has changed since/)
  assert.equal((await ask()).body.code, 'not_confirmed')
  await confirm(token, [ids[0] ?? ''], 3)
  assert.notEqual((await ask()).body.code, code)
  assert.match((await page(`/verify/${code}`)).payload, /has changed since/)
})

test('both sides get the same signed-off statement, and nobody else gets one', async () => {
  const { parent, tutor_id, token, log } = await aFamily('same@example.com')
  await confirm(token, [await log('2026-11-03', 1), await log('2026-11-10', 1.5)])
  const theirs = await server.app.inject({
    method: 'GET',
    url: `/api/v1/statements/signed.pdf?month=2026-11&tutor_id=${tutor_id}`,
    headers: { cookie: cookie(parent) },
  })
  server.clock.now = new Date(server.clock.now.getTime() + 60_000)
  const mailed = await server.app.inject({
    method: 'POST',
    url: '/api/confirm/signed.pdf',
    headers: { origin: 'http://localhost:3000', 'content-type': 'application/json' },
    payload: JSON.stringify({ token, month: '2026-11' }),
  })
  assert.deepEqual([theirs.statusCode, mailed.statusCode], [200, 200])
  assert.ok(theirs.rawPayload.equals(mailed.rawPayload))
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(theirs.rawPayload)), {
    mergePages: true,
  })
  const { body } = await parent.call('POST', '/api/v1/sign-offs', { month: '2026-11', tutor_id })
  assert.match(text, new RegExp(String(body.code)))
  assert.match(text, /\$112\.50/)
  assert.doesNotMatch(text, /Whitfield|secret/)
  const own = await server.app.inject({
    method: 'GET',
    url: `/api/v1/statements/statement.pdf?from=2026-11-01&to=2026-11-30&tutor_id=${tutor_id}`,
    headers: { cookie: cookie(parent) },
  })
  assert.match(
    (await extractText(await getDocumentProxy(new Uint8Array(own.rawPayload)), { mergePages: true })).text,
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
  const [link] = (await parent.call('GET', '/api/v1/links')).body as unknown as { id: string }[]
  assert.equal(
    (await bystander.call('GET', `/api/v1/families/${link?.id}/signed.pdf?month=2026-11`)).status,
    404,
  )
})
