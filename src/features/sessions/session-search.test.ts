import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Caller, startTestServer, type TestServer } from '#main/testing.server.ts'
import { aFamily, aMember, post } from '#main/testing/members.server.ts'
import { connected } from '#main/testing/months.server.ts'
import { matchesSearch, meantDays, searchedWords } from './session-search.ts'
import type { FoundSessions, Session } from './session.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(async () => server.stop())

interface Page {
  sessions: Session[]
  found?: FoundSessions
  next_cursor: string | null
}
const ask = async (caller: Caller, query: Record<string, string>) =>
  (await caller.call('GET', `/api/v1/sessions?${new URLSearchParams(query).toString()}`))
    .body as unknown as Page
const daysFound = async (caller: Caller, query: Record<string, string>) =>
  (await ask(caller, query)).sessions.map(({ date }) => date)

test('what is typed is split into plain words, each once', () => {
  assert.deepEqual(searchedWords('  José,  MÜLLER josé '), ['jose', 'muller'])
  assert.deepEqual(searchedWords(' , '), [])
  assert.deepEqual(searchedWords(), [])
})

/** Lessons with everything that's easy to search for wrong. */
const LESSONS = [
  { date: '2026-11-03', subject: 'Bruchrechnen', summary: '100% right', notes: 'Café, 2_3 pages' },
  { date: '2026-11-13', subject: 'Reading', homework: 'Page 1003', notes: 'crème brûlée' },
  { date: '2026-11-30', subject: 'Łódź in history', summary: 'Straße' },
  { date: '2025-11-03', subject: '读书', notes: String.raw`back\slash and 'quotes'` },
  { date: '2026-01-31', subject: 'قراءة' },
]
const SEARCHES: [string, string[]][] = [
  ['rechnen', ['2026-11-03']],
  ['cafe', ['2026-11-03']],
  ['CRÈME brulee', ['2026-11-13']],
  ['lodz', ['2026-11-30']],
  ['strasse', ['2026-11-30']],
  ['读', ['2025-11-03']],
  ['قراءة', ['2026-01-31']],
  ['%', ['2026-11-03']],
  ['_', ['2026-11-03']],
  ['100%', ['2026-11-03']],
  ['1_0', []],
  ['back\\slash', ['2025-11-03']],
  ["'quotes'", ['2025-11-03']],
  ['nov 30', ['2026-11-30']],
  ['Nov 3, 2026', ['2026-11-03']],
  ['november 2026', ['2026-11-30', '2026-11-13', '2026-11-03']],
  ['tuesday', ['2026-11-03']],
  ['2026-11-1', ['2026-11-13']],
  ['11/3/2026', ['2026-11-03']],
  ['3.11.2026', ['2026-11-03']],
  ['2025', ['2025-11-03']],
  ['31', ['2026-01-31']],
  ['page 1003', ['2026-11-13']],
  ['page 10', []],
  ['13', ['2026-11-13']],
  ['1', []],
  ['maya reading', ['2026-11-13']],
  ['theo', []],
  ['nothing like it', []],
]

test("a person's sessions are searched by texts, notes, people and day, on the server as in the demo", async () => {
  const { owner, maya, ingrid, noor } = await aFamily(server)
  for (const lesson of LESSONS)
    await post(owner, 'sessions', { student_id: maya, tutor_id: noor, duration: 1, ...lesson })
  await post(owner, 'sessions', { student_id: maya, tutor_id: ingrid, duration: 1, date: '2026-11-04' })
  const all = (await ask(owner, { tutor_id: noor, student_id: maya })).sessions
  assert.equal(all.length, LESSONS.length)
  for (const [search, days] of SEARCHES) {
    assert.deepEqual(await daysFound(owner, { tutor_id: noor, student_id: maya, search }), days, search)
    const inDemo = all.filter((session) => matchesSearch(session, { words: searchedWords(search) }))
    assert.deepEqual(
      inDemo.map(({ date }) => date),
      days,
      `in the demo: ${search}`,
    )
  }
  const asked = await owner.call('GET', `/api/v1/sessions?search=${'x'.repeat(101)}`)
  assert.deepEqual([asked.status, asked.body.errors?.[0]?.field], [422, 'search'])
})

test('a word means a day only if it is long enough to be one', () => {
  assert.deepEqual(meantDays('2026'), { year: 2026 })
  assert.deepEqual(meantDays('31'), { dayOfMonth: 31 })
  assert.deepEqual(meantDays('11/3'), { date: '11/3' })
  assert.deepEqual(meantDays('nov'), { months: [11], weekdays: [] })
  assert.deepEqual(meantDays('sat'), { months: [], weekdays: [6] })
  for (const word of ['ma', '1003', '123', 'maya']) assert.equal(meantDays(word), undefined, word)
})

test('a search over all sessions combines words, people, standing and days, and counts what it finds', async () => {
  const { owner, maya, theo, ingrid, noor } = await aFamily(server)
  const add = (session: object) =>
    post(owner, 'sessions', { student_id: maya, tutor_id: ingrid, duration: 1, is_another: true, ...session })
  await add({ date: '2026-03-02', subject: 'Essay', hourly_rate: 40 })
  await add({ date: '2026-03-09', subject: 'essays', hourly_rate: 60, duration: 1.5 })
  await add({ date: '2026-04-06', notes: 'Read her ESSAY' })
  await add({ date: '2026-04-07', student_id: theo, tutor_id: noor, summary: 'An essay' })
  const found = async (query: Record<string, string>) => {
    const page = await ask(owner, { search: 'essay', ...query })
    return [page.found?.sessions, page.sessions.map(({ date }) => date.slice(5))]
  }
  assert.deepEqual(await found({}), [4, ['04-07', '04-06', '03-09', '03-02']])
  assert.deepEqual(await found({ limit: '1' }), [4, ['04-07']])
  assert.deepEqual(await found({ to: '2026-03-31' }), [2, ['03-09', '03-02']])
  assert.deepEqual(await found({ from: '2026-04-07' }), [1, ['04-07']])
  assert.deepEqual(await found({ student_id: theo }), [1, ['04-07']])
  assert.deepEqual(await found({ standing: 'own' }), [4, ['04-07', '04-06', '03-09', '03-02']])
  assert.deepEqual(await found({ standing: 'verified' }), [0, []])
  const { found: all } = await ask(owner, { search: 'essay', to: '2026-03-31' })
  assert.deepEqual(all, {
    sessions: 2,
    waiting: 0,
    left_out: 0,
    hours: 2.5,
    amounts: [{ currency: 'USD', amount: 130 }],
  })
  assert.equal((await ask(owner, { search: 'essay', cursor: `2026-04-07_${maya}` })).found, undefined)
})

test("T8: a search never finds the other side's private notes, and finds your own", async () => {
  const { family, practice, agree } = await connected(server)
  const id = await agree('2026-11-03')
  const write = async (who: Caller, texts: object) =>
    assert.equal((await who.call('PATCH', `/api/v1/sessions/${id}`, texts)).status, 200)
  await write(family, { notes: 'Told us about the zeppelin', summary: 'Long division' })
  await write(practice, { notes: 'Seems to need a dirigible' })
  const finds = async (caller: Caller, search: string) => {
    const page = await ask(caller, { search })
    return [page.sessions.length, page.found?.sessions]
  }
  assert.deepEqual(await finds(family, 'zeppelin'), [1, 1])
  assert.deepEqual(await finds(practice, 'zeppelin'), [0, 0])
  assert.deepEqual(await finds(practice, 'dirigible'), [1, 1])
  assert.deepEqual(await finds(family, 'dirigible'), [0, 0])
  assert.deepEqual(await finds(practice, 'division'), [1, 1])
  const states = async (who: Caller, standing: string) =>
    (await ask(who, { standing, search: 'algebra' })).found?.sessions
  assert.deepEqual([await states(family, 'verified'), await states(practice, 'waiting')], [1, 0])
})

test('a text too long for the index is found like any other', async () => {
  const { owner, maya, ingrid } = await aFamily(server)
  const long = `${'Ünder '.repeat(80)}needle`
  const { id } = await post(owner, 'sessions', {
    student_id: maya,
    tutor_id: ingrid,
    date: '2026-02-02',
    duration: 1,
    subject: 'Hay',
    summary: long.slice(0, 490),
    homework: long.slice(0, 490),
    notes: `${'ж'.repeat(3000)} thimble`,
  })
  for (const search of ['needle', 'hay under needle', 'thimble'])
    assert.deepEqual(
      (await ask(owner, { search })).sessions.map((one) => one.id),
      [id],
      search,
    )
})

test('pages of a search follow one another without a gap, newest first', async () => {
  const { owner, maya, theo, ingrid } = await aFamily(server)
  const days = Array.from({ length: 12 }, (_, at) => `2026-05-${String(28 - Math.floor(at / 2))}`)
  for (const [at, date] of days.entries())
    await post(owner, 'sessions', {
      student_id: at % 3 === 0 ? theo : maya,
      tutor_id: ingrid,
      date,
      duration: 1,
      subject: at % 2 === 0 ? 'Fractions' : 'Chess',
      is_another: true,
    })
  const wanted = days.filter((_, at) => at % 3 !== 0 && at % 2 === 0)
  const seen: string[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const page: Page = await ask(owner, {
      student_id: maya,
      search: 'fraction',
      limit: '1',
      ...(cursor ? { cursor } : {}),
    })
    assert.ok(page.sessions.length <= 1)
    seen.push(...page.sessions.map(({ date }) => date))
    cursor = page.next_cursor
  }
  assert.deepEqual(seen, wanted)
})

test("T1: nobody finds another family's sessions, and a limited member only those of their own students", async () => {
  const { owner, maya, theo, ingrid, noor } = await aFamily(server)
  const stranger = await server.aUser()
  for (const query of [{ student_id: maya }, { tutor_id: ingrid }] as Record<string, string>[])
    assert.deepEqual((await ask(stranger, query)).sessions, [])
  const limited = await aMember(server, owner, 'parent', [theo])
  assert.equal((await ask(limited, { tutor_id: noor })).sessions.length, 1)
  assert.deepEqual((await ask(limited, { student_id: maya })).sessions, [])
  assert.deepEqual((await ask(limited, { search: 'maya' })).sessions, [])
  const [seen] = (await ask(await aMember(server, owner, 'caregiver'), { tutor_id: ingrid })).sessions
  assert.deepEqual([seen?.total_amount, seen?.effective_rate], [null, null])
  const { found } = await ask(await aMember(server, owner, 'caregiver'), { search: 'ingrid' })
  assert.deepEqual([found?.sessions, found?.amounts], [1, []])
})
