// Start time, lesson summary and homework: either side can write them, and both can read them.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Caller, startTestServer, type TestServer } from '#main/testing.server.ts'
import {
  actionsOf,
  aFamily,
  aPair,
  aPractice,
  byLink,
  idOf,
  read,
  rowsOf,
  sessionsOf,
  tokenOf,
  waitingFor,
} from '#main/testing/two-sides.server.ts'
import { verifyHistory } from '#features/agreements/jobs.server.ts'
import { queueMail } from '#platform/mail/outbox.server.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(async () => server.stop())

const WORDS = { start_time: '16:00', summary: 'Adding fractions', homework: 'Page 84, 3 to 9' }
const wordsOf = ({ start_time, summary, homework }: Record<string, unknown>) => ({
  start_time,
  summary,
  homework,
})
const patch = (who: Caller, id: string, changes: object, version?: number) =>
  who.call('PATCH', `/api/v1/sessions/${id}`, changes, version ? { 'if-match': `"${version}"` } : {})
const confirm = (who: Caller, id: string, words: object = {}) =>
  who.call('POST', `/api/v1/sessions/${id}/confirm`, words)

test('the tutor writes homework and the family reads it, and both confirmations still count', async () => {
  const { family, practice, logByPractice } = await aPair(server)
  const id = idOf(await logByPractice(WORDS))
  assert.deepEqual(wordsOf(await read(family, id)), WORDS)
  assert.deepEqual(wordsOf((await waitingFor(family))[0] ?? {}), WORDS)
  const confirmed = await confirm(family, id, { summary: 'Adding fractions. She got it!' })
  assert.equal(confirmed.body.verified_by_tutor, true)
  const changed = await patch(practice, id, { homework: 'Page 85', start_time: '16:30' })
  assert.deepEqual(
    [wordsOf(changed.body), changed.body.verified_by_tutor],
    [{ start_time: '16:30', summary: 'Adding fractions. She got it!', homework: 'Page 85' }, true],
  )
  assert.deepEqual(wordsOf(await read(family, id)), wordsOf(changed.body))
  assert.deepEqual(await actionsOf(family, id), [
    'other logged',
    'you changed',
    'you confirmed',
    'other changed',
  ])
  const [, , , last] = rowsOf(await family.call('GET', `/api/v1/sessions/${id}/history`))
  assert.deepEqual(last?.changed, ['start time', 'homework'])
  assert.equal((await verifyHistory(server.db)).broken, undefined)
})

test("what one side writes doesn't overwrite what the other wrote in the meantime", async () => {
  const { family, practice, logByPractice } = await aPair(server)
  const id = idOf(await logByPractice())
  const seen = await read(family, id)
  await patch(practice, id, { homework: 'Page 84' })
  const late = await patch(family, id, { homework: 'Nothing' }, seen.version)
  assert.deepEqual([late.status, late.body.code], [409, 'changed'])
  const confirmed = await family.call(
    'POST',
    `/api/v1/sessions/${id}/confirm`,
    { homework: 'Nothing' },
    { 'if-match': `"${seen.version}"` },
  )
  assert.deepEqual([confirmed.status, confirmed.body.code], [409, 'changed'])
  assert.equal((await read(family, id)).homework, 'Page 84')
})

test('a summary has at most 500 characters, and a start time is a local time without a time zone', async () => {
  const { family, child, tutor } = await aFamily(server)
  const log = (more: object) =>
    family.call('POST', '/api/v1/sessions', {
      student_id: child,
      tutor_id: tutor,
      date: '2026-11-20',
      duration: 1,
      ...more,
    })
  for (const [field, value] of [
    ['summary', 'x'.repeat(501)],
    ['homework', 'x'.repeat(501)],
    ['start_time', '4pm'],
    ['start_time', '24:00'],
  ])
    assert.equal((await log({ [String(field)]: value })).status, 422, `${field} ${value}`)
  const { body } = await log({ summary: 'x'.repeat(500), start_time: '' })
  assert.deepEqual([String(body.summary).length, body.start_time, body.homework], [500, null, null])
  assert.equal((await patch(family, String(body.id), { summary: ' ' })).body.summary, null)
})

test('lessons that both log with the same start time become one without a question, and nothing written is lost', async () => {
  const { family, practice, log, logByPractice } = await aPair(server)
  const id = await log({ start_time: '16:00', summary: 'Fractions', notes: 'ours' })
  const other = await logByPractice({ start_time: '17:30' })
  assert.deepEqual([other.status, other.body.code], [409, 'same_lesson'], 'another time is a question')
  assert.equal((await logByPractice({})).body.code, 'same_lesson', 'and so is none')
  const same = await logByPractice({ start_time: '16:00', summary: 'Decimals', homework: 'Page 84' })
  assert.deepEqual(
    [same.status, same.body.id, same.body.verified_by_tutor, wordsOf(same.body)],
    [201, id, true, { start_time: '16:00', summary: 'Fractions\nDecimals', homework: 'Page 84' }],
    JSON.stringify(same.body),
  )
  assert.equal((await sessionsOf(family)).length, 1)
  assert.equal((await sessionsOf(practice)).length, 1)
  await log({ date: '2026-11-19', start_time: '16:00', summary: 'x'.repeat(300) })
  const long = await logByPractice({ date: '2026-11-19', start_time: '16:00', summary: 'y'.repeat(300) })
  assert.equal(long.body.code, 'same_lesson', 'what does not fit together is asked about, not cut')
  assert.equal((await verifyHistory(server.db)).broken, undefined)
})

test('if there are several lessons on a day, the one with the same start time is chosen', async () => {
  const { log, logByPractice } = await aPair(server)
  await log({ start_time: '10:00' })
  await log({})
  const afternoon = await log({ start_time: '16:00' })
  assert.equal((await logByPractice({ start_time: '16:00' })).body.id, afternoon)
})

test('a logged class starts at its planned time, or where it was moved, and is not matched with one at another time', async () => {
  const { family, practice, child, tutor, logByPractice } = await aPair(server)
  const { body: schedule } = await family.call('POST', '/api/v1/schedules', {
    student_id: child,
    tutor_id: tutor,
    day_of_week: 4,
    start_time: '16:00',
    duration: 1.5,
    frequency: 'weekly',
    start_date: '2026-10-01',
  })
  const path = `/api/v1/schedules/${String(schedule.id)}`
  const happened = (date: string) => family.call('POST', `${path}/log`, { date })
  assert.equal((await happened('2026-11-05')).body.start_time, '16:00')
  await family.call('PUT', `${path}/occurrence`, {
    date: '2026-11-12',
    status: 'moved',
    moved_to: '2026-11-13',
    start_time: '09:15',
  })
  await practice.call('POST', `${path}/occurrence/answer`, { date: '2026-11-12', answer: 'accept' })
  assert.equal((await happened('2026-11-12')).body.start_time, '09:15')
  const taken = idOf(await logByPractice({ date: '2026-11-19' }))
  const yes = await happened('2026-11-19')
  assert.deepEqual([yes.body.id, yes.body.start_time], [taken, '16:00'], 'one without a time is the class')
  await logByPractice({ date: '2026-10-29', start_time: '10:00' })
  assert.equal((await happened('2026-10-29')).body.code, 'same_lesson')
})

test('before the next class both see the last summary and homework', async () => {
  const { family, practice, child, tutor, student, self, logByPractice } = await aPair(server)
  for (const [who, student_id, tutor_id] of [
    [family, child, tutor],
    [practice, student, self],
  ] as const)
    await who.call('POST', '/api/v1/schedules', {
      student_id,
      tutor_id,
      day_of_week: 4,
      start_time: '16:00',
      duration: 1.5,
      frequency: 'weekly',
      start_date: '2026-11-05',
    })
  await logByPractice({ date: '2026-11-05', homework: 'Page 12' })
  await logByPractice({ date: '2026-11-12', homework: 'Page 84', summary: 'Fractions', notes: 'private' })
  for (const who of [family, practice]) {
    const { body } = await who.call('GET', '/api/v1/dashboard?today=2026-11-18&time=12:00')
    assert.deepEqual(
      (body.upcoming as { date: string; last: unknown }[]).map(({ date, last }) => [date, last]),
      [['2026-11-19', { date: '2026-11-12', summary: 'Fractions', homework: 'Page 84' }]],
    )
    const classes = rowsOf(await who.call('GET', '/api/v1/occurrences?from=2026-11-01&to=2026-11-30'))
    assert.deepEqual(
      classes.map(({ date, last }) => [date, (last as { homework: string } | null)?.homework]),
      [
        ['2026-11-05', undefined],
        ['2026-11-12', undefined],
        ['2026-11-19', 'Page 84'],
        ['2026-11-26', 'Page 84'],
      ],
    )
  }
})

test('when a connection ends, each side keeps the summary, the homework and the start time', async () => {
  const { family, practice, connection, logByPractice } = await aPair(server)
  const id = idOf(await logByPractice(WORDS))
  await confirm(family, id)
  await family.call('DELETE', `/api/v1/connections/${connection}`)
  await patch(family, id, { homework: 'Ours alone' })
  assert.deepEqual(wordsOf(await read(practice, id)), WORDS)
  assert.equal((await read(family, id)).homework, 'Ours alone')
})

test('lessons both logged before connecting are paired by start time first, and the merged one keeps what each side wrote', async () => {
  const asking = await aFamily(server)
  const { practice, self } = await aPractice(server, asking.email)
  const student = idOf(await practice.call('POST', '/api/v1/students', { name: 'Maya' }))
  const longer = await asking.log({ start_time: '16:00', duration: 2, summary: 'Fractions' })
  const nearest = await asking.log({ start_time: '10:00', duration: 1 })
  await practice.call('POST', '/api/v1/sessions', {
    student_id: student,
    tutor_id: self,
    date: '2026-11-20',
    duration: 1,
    start_time: '16:00',
    summary: 'Decimals',
    homework: 'Page 84',
  })
  const path = `/api/v1/connections/${asking.connection}`
  const [asked] = rowsOf(await practice.call('GET', '/api/v1/connections'))
  const people = (asked?.people as { id: string }[] | undefined)?.map(({ id }) => ({
    id,
    student_id: student,
  }))
  assert.equal((await practice.call('PATCH', path, { state: 'active', people })).body.pairs, 1)
  const [pair] = rowsOf(await asking.family.call('GET', `${path}/pairs`))
  assert.deepEqual(
    [pair?.yours, pair?.theirs].map((side) => (side as { start_time: string }).start_time),
    ['16:00', '16:00'],
  )
  await asking.family.call('POST', `${path}/pairs`, { same: [pair?.id] })
  const words = { start_time: '16:00', summary: 'Fractions', homework: 'Page 84' }
  assert.deepEqual(wordsOf(await read(asking.family, longer)), words, "the family's, else the tutor's")
  assert.deepEqual(wordsOf(await read(practice, longer)), words)
  assert.equal((await read(asking.family, nearest)).homework, null)
})

test('a tutor without an account reads summary and homework on the emailed page, and no notes', async () => {
  const { email, log } = await aFamily(server)
  await log({ ...WORDS, notes: 'private' })
  const { body } = await byLink(server.aStranger(), await tokenOf(server, email), 'open')
  assert.deepEqual((body.sessions as Record<string, unknown>[]).map(wordsOf), [WORDS])
  assert.doesNotMatch(JSON.stringify(body), /private/)
})

/** Confirms a session and writes its summary from an emailed page, for either side. */
const writeByMail = (token: string, id: string, version: number, words: object) =>
  byLink(server.aStranger(), token, 'write', { id, version, ...words })

test('a tutor without an account confirms with homework on the emailed page, and the family reads it', async () => {
  const { family, email, log } = await aFamily(server)
  const id = await log({ summary: 'Adding fractions' })
  const token = await tokenOf(server, email)
  const written = await writeByMail(token, id, 1, { homework: ' Page 84 ' })
  assert.deepEqual(
    [written.status, written.body.verified_by_tutor, written.body.homework, written.body.summary],
    [200, true, 'Page 84', 'Adding fractions'],
    'what is left out stays',
  )
  assert.deepEqual(
    [(await read(family, id)).homework, (await read(family, id)).verified_by_tutor],
    ['Page 84', true],
  )
  assert.deepEqual(await actionsOf(family, id), ['you logged', 'other changed', 'other confirmed'])
  const again = await writeByMail(token, id, 1, { homework: 'Page 84' })
  assert.deepEqual(
    [again.status, again.body.version],
    [200, written.body.version],
    'a double tap writes once',
  )
  await patch(family, id, { homework: 'Page 85' })
  assert.equal((await writeByMail(token, id, 2, { homework: 'None' })).body.code, 'changed')
  assert.equal((await writeByMail(token, id, 3, { summary: 'x'.repeat(501) })).status, 422)
  assert.equal((await read(family, id)).homework, 'Page 85')
  assert.equal((await writeByMail(token, id, 3, { homework: '' })).body.homework, null)
  assert.equal((await verifyHistory(server.db)).broken, undefined)
})

test('a family without an account confirms with a summary on the emailed page, and the tutor reads it, but no notes', async () => {
  const practice = await server.aUser('tutor')
  const [self] = rowsOf(await practice.call('GET', '/api/v1/tutors'))
  const student = idOf(await practice.call('POST', '/api/v1/students', { name: 'Maya' }))
  const id = idOf(
    await practice.call('POST', '/api/v1/sessions', {
      student_id: student,
      tutor_id: self?.id,
      date: '2026-11-20',
      duration: 1,
      homework: 'Page 84',
      notes: 'private',
    }),
  )
  const email = `family-${Math.random().toString(36).slice(2)}@example.com`
  await practice.call('POST', '/api/v1/connections', { email, student_ids: [student] })
  const token = await tokenOf(server, email)
  const written = await writeByMail(token, id, 1, { summary: 'She got it!' })
  assert.deepEqual(
    [written.status, wordsOf(written.body)],
    [200, { start_time: null, summary: 'She got it!', homework: 'Page 84' }],
  )
  assert.doesNotMatch(JSON.stringify(written.body), /private/)
  assert.equal((await read(practice, id)).summary, 'She got it!')
  const other = await aFamily(server)
  const foreign = await other.log()
  assert.equal((await writeByMail(token, foreign, 1, { summary: 'x' })).status, 404)
  assert.equal((await writeByMail('x'.repeat(43), id, 2, { summary: 'x' })).body.code, 'link_gone')
})

test('the email about waiting sessions includes summary and homework, and nothing in them becomes a link', async () => {
  const { family, logByPractice } = await aPair(server)
  await logByPractice({
    homework: 'See <b>http://evil.test/a</b> or pay@evil.test\nPage 84 at 5:30',
    summary: 'Call 555-123-4567 & ask',
    notes: 'private',
  })
  await server.db.asSystem((tx) =>
    queueMail(tx, { userId: family.member.accountId, recipient: '', kind: 'waiting_sessions', data: {} }),
  )
  const mail = await server.mailTo(family.email, 'to confirm')
  assert.match(
    mail.text,
    /Maya, Nov 20\nSummary: Call 555, 123, 4567 & ask\nHomework: See b http: evil\. test/,
  )
  assert.match(mail.text, /Page 84 at 5:30/)
  assert.doesNotMatch(mail.text + mail.html, /evil\.test|http:\/\/evil|pay@|<b>|private/)
  assert.match(mail.html, /&#38; ask/)
})
