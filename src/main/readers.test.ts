// What the server writes follows the region of whoever reads it.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { REGION_HEADER } from '#kernel/reader.ts'
import { startTestServer, type TestServer } from './testing.server.ts'
import { closed, connected } from './testing/months.server.ts'
import { textOfPdf } from './testing/paper.server.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
  server.clock.now = new Date('2026-12-02T12:00:00Z')
})
after(async () => server.stop())

const GERMAN = { [REGION_HEADER]: 'DE' }

test('an email is written the way its reader writes; without an account, the way the other side does', async () => {
  for (const [region, date] of [
    ['DE', 'Fri 20 Nov'],
    ['US', 'Fri, Nov 20'],
  ] as const) {
    const family = await server.aUser()
    await family.call('PATCH', '/api/v1/me', { browser_region: region })
    const [child, email] = [
      await family.call('POST', '/api/v1/students', { name: 'Maya' }),
      `tutor-${region}@example.com`,
    ]
    const tutor = await family.call('POST', '/api/v1/tutors', { name: 'Ingrid', email, hourly_rate: 45 })
    const [student_id, tutor_id] = [child.body.id, tutor.body.id]
    await family.call('POST', '/api/v1/sessions', { student_id, tutor_id, date: '2026-11-20', duration: 1 })
    await family.call('POST', '/api/v1/connections', { tutor_id })
    const mail = await server.mailTo(email, 'asks you to confirm')
    assert.ok(mail.text.includes(date), mail.text)
  }
})

test('a statement is written for whoever asks for it', async () => {
  const { family, agree } = await connected(server)
  await agree('2026-11-03')
  const path = '/api/v1/statements/statement.pdf?from=2026-11-01&to=2026-11-30&paper=a4'
  const text = async (headers = {}) =>
    textOfPdf((await family.call('GET', path, undefined, headers)).bytes ?? assert.fail('no file'))
  assert.match(await text(), /Nov 3, 2026/)
  assert.match(await text(GERMAN), /3 Nov 2026/)
  assert.match(await text({ [REGION_HEADER]: 'nowhere' }), /Nov 3, 2026/)
})

test('a closed month is the same file for both sides, in the region of the family', async () => {
  const american = await closed(server)
  assert.match(await textOfPdf((await american.pdf(american.family)).bytes ?? assert.fail()), /Nov 3\b/)

  const pair = await connected(server)
  await pair.family.call('PATCH', '/api/v1/me', { region: 'GB' })
  await pair.agree('2026-11-03')
  await pair.close(pair.family)
  await pair.close(pair.practice)
  const files = [await pair.pdf(pair.family), await pair.pdf(pair.practice)].map(
    ({ bytes }) => bytes ?? assert.fail('no file'),
  )
  assert.deepEqual(files[0], files[1])
  assert.match(await textOfPdf(files[0] ?? assert.fail()), /\b3 Nov\b/)
})

test('the browser tells its region until someone chooses one', async () => {
  const person = await server.aUser()
  const regionOf = async () => {
    const { body } = await person.call('GET', '/api/v1/me')
    return [body.region, body.has_chosen_region]
  }
  assert.deepEqual(await regionOf(), [null, false])
  await person.call('PATCH', '/api/v1/me', { browser_region: 'DE' })
  assert.deepEqual(await regionOf(), ['DE', false])
  await person.call('PATCH', '/api/v1/me', { region: 'IN' })
  await person.call('PATCH', '/api/v1/me', { browser_region: 'DE' })
  assert.deepEqual(await regionOf(), ['IN', true])
  for (const region of ['de', 'DEU', '', '49'])
    assert.equal((await person.call('PATCH', '/api/v1/me', { region })).status, 422, region)
})

test('the first workspace gets the currency of the region that signed up', async () => {
  const currencyOf = async (headers: Record<string, string>) => {
    const person = server.aStranger()
    const email = `new-${Math.random().toString(36).slice(2)}@example.com`
    const asked = { email, password: 'greenhouse-41', role: 'parent' }
    await person.call('POST', '/api/auth/sign-up', asked, headers)
    await server.confirm(person, email)
    return (await person.call('GET', '/api/v1/me')).body.currency
  }
  assert.deepEqual([await currencyOf({}), await currencyOf(GERMAN)], ['USD', 'EUR'])
})
