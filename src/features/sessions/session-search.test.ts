import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Caller, startTestServer, type TestServer } from '#main/testing.server.ts'
import { aFamily, aMember, post } from '#main/testing/members.server.ts'
import { matchesWords, searchedWords } from './session-search.ts'
import type { Session } from './session.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(async () => server.stop())

interface Page {
  sessions: Session[]
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
    const inDemo = all.filter((session) => matchesWords(session, searchedWords(search)))
    assert.deepEqual(
      inDemo.map(({ date }) => date),
      days,
      `in the demo: ${search}`,
    )
  }
  const asked = await owner.call('GET', `/api/v1/sessions?search=${'x'.repeat(101)}`)
  assert.deepEqual([asked.status, asked.body.errors?.[0]?.field], [422, 'search'])
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
})
