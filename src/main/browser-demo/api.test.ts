// The demo's API: every call from its screens is either answered or deliberately refused, using the same
// formats and rules as the real server.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { ClosedMonth } from '#features/months/closing.ts'
import type { Balance } from '#features/payments/balance.ts'
import type { SharedPayment } from '#features/payments/confirmation.ts'
import type { SharedSession } from '#features/sessions/confirmation.ts'
import type { Session } from '#features/sessions/session.ts'
import type { Summary } from '#features/summary/summary.ts'
import { addDays, type CalendarDay, monthOf } from '#kernel/calendar-day.ts'
import { type Declaration, declarationOf } from '#features/access/declaration.server.ts'
import type { Problem } from '#kernel/endpoint.ts'
import { dollars, cents } from '#kernel/money.ts'
import { addMonths } from '#kernel/month.ts'
import { figuresOf } from './world.ts'
import { ANSWERED, answer } from './api.ts'
import { CHILDREN, CONNECTION, SIDES, TUTOR } from './cast.ts'
import { exampleRecord } from './example.ts'
import type { DemoRecord, Side } from './record.ts'

const TODAY = '2026-11-22' as CalendarDay

/** Calls that the demo refuses because they need an account, someone else's email address, or a file. */
const REFUSED = new Set(
  `AddPrice AddStudent AddStudents AddTutor AddTutors AnswerConnection AnswerEnding AnswerOccurrence
   AnswerPairs AnswerSchedule AnswerScheduleOffer AskConnection ChangeMember ChangeOccurrence
   CreateSchedules DeletePrice DeleteSchedule DeleteStudent DeleteTutor DownloadCsv
   DownloadMonthPage DownloadPayments DownloadPdf DownloadSigned DownloadSignedAsTutor EndClasses EndConnection
   EndFeed ForgetName ForgetNames InviteMember KeepScheduleApart LearnNames ListLearnedNames ListMembers LogOccurrence LogSessions MakeFeed MakeLink
   OfferSchedule PreviewReprice ProcessSpeech ReadFeed ReadNotices ReadPush
   ReadScheduleHistory RemoveMember RepriceSessions SetPaymentWays SharePayments StartMonthSignature StartWorkspace
   TestPush TurnOffPush TurnOnPush UndoReprice UpdateMe UpdateNotices UpdatePrice UpdatePush
   UpdateSchedule UpdateStudent UpdateTutor WaiveCharge`
    .split(/\s+/)
    .filter(Boolean),
)
/** Features that have no screen in the demo; their pages ask you to sign up. */
const ELSEWHERE = new Set([
  'accounts',
  'admin',
  'billing',
  'imports',
  'papers',
  'passkeys',
  'privacy',
  'referrals',
  'reminders',
  'security',
  'settings',
  'site',
])

const sideOf = (record: DemoRecord, side: Side) => {
  const ask = <Body>(method: string, url: string, body?: unknown, version?: number): Body => {
    const { status, body: answered } = answer(record, side, { method, url, body, version })
    assert.ok(status < 300, `${method} ${url} ${JSON.stringify(answered)}`)
    return answered as Body
  }
  const refusal = (method: string, url: string, body?: unknown, version?: number) => {
    const { status, body: answered } = answer(record, side, { method, url, body, version })
    return [status, (answered as Problem).code]
  }
  return { ask, refusal }
}
const at = (day: CalendarDay) => exampleRecord(() => new Date(`${day}T12:00:00`))

/** All endpoints of the features, by their exported names. */
async function endpoints(): Promise<Map<string, Declaration>> {
  const found = new Map<string, Declaration>()
  for (const path of globSync('src/features/*/[a-z]*.ts').filter(
    (file) => !/\.(server|web|test)\./.test(file),
  ))
    for (const [name, value] of Object.entries((await import(`../../../${path}`)) as object))
      if (typeof value === 'object' && value !== null && 'operation' in value)
        found.set(name, value as Declaration)
  return found
}

test('every call the screens in the demo make is answered, or deliberately refused with "Sign up to use this."', async () => {
  const known = await endpoints()
  const answered = new Set(ANSWERED.map(({ endpoint }) => declarationOf(endpoint).operation))
  const record = await at(TODAY)
  const missing: string[] = []
  const refused = new Set<string>()
  for (const path of globSync('src/features/*/*.{web.ts,tsx}')) {
    if (ELSEWHERE.has(path.split('/')[2] ?? '') || /Emailed|MailedLink/.test(path)) continue
    for (const [, name = ''] of readFileSync(path, 'utf8').matchAll(/\b(?:call|download)\(\s*([A-Z]\w+)/g)) {
      const endpoint = known.get(name)
      assert.ok(endpoint, `${name} in ${path}`)
      if (/^(Open|End|Claim)Link$|^(Give|Confirm)Address$/.test(name)) continue
      if (answered.has(endpoint.operation)) continue
      if (!REFUSED.has(name)) missing.push(name)
      refused.add(name)
      const url = endpoint.path.replace(':id', CONNECTION)
      assert.deepEqual(sideOf(record, 'family').refusal(endpoint.method, url, {}), [403, 'demo'], name)
    }
  }
  assert.deepEqual(missing, [])
  assert.deepEqual([...refused].sort(), [...REFUSED].sort(), 'nothing is named that no screen calls')
})

test('on any day, both sides have something to do, and last month needs one confirmation before it can be closed', async () => {
  // The example data could come out differently around the start and end of a month.
  const first = '2027-12-01' as CalendarDay
  const days = Array.from({ length: 100 }, (_, later) => addDays(first, later))
  for (const day of days.filter((one) => /-(01|02|04|16|28|29|30|31)$/.test(one))) {
    const record = await at(day)
    const [family, practice] = SIDES.map((side) => sideOf(record, side))
    const summary = family?.ask<Summary>('GET', `/api/v1/summary?month=${monthOf(day)}`)
    assert.ok(summary && summary.total_sessions >= 2 && summary.waiting_amount > 0, day)
    assert.ok(summary.by_student.length === 2, day)
    for (const side of [family, practice]) {
      const waiting = side?.ask<{ sessions: unknown[] }>('GET', '/api/v1/confirmations?waiting=true').sessions
      assert.ok((waiting?.length ?? 0) >= 1, day)
    }
    const payments = practice?.ask<{ payments: unknown[] }>('GET', '/api/v1/payments/waiting').payments
    assert.equal(payments?.length, 1, day)
    const before = addMonths(monthOf(day), -1)
    const [month] =
      family?.ask<{ months: ClosedMonth[] }>('GET', `/api/v1/months?month=${before}`).months ?? []
    assert.deepEqual(month?.in_the_way, [{ what: 'session', why: 'waits_for_you', count: 1 }], day)
    assert.equal(family?.ask<{ months: unknown[] }>('GET', '/api/v1/months/closed').months.length, 1, day)
  }
})

test('once the last session is confirmed both sides can close the month, and changing it then asks for a reason', async () => {
  const record = await at(TODAY)
  const [family, tutor] = [sideOf(record, 'family'), sideOf(record, 'practice')]
  const month = addMonths(monthOf(TODAY), -1)
  const wanted = { connection_id: CONNECTION, month }
  assert.deepEqual(family.refusal('POST', '/api/v1/months/close', wanted), [409, 'still_open'])
  const [waiting] = family.ask<{ sessions: SharedSession[] }>(
    'GET',
    `/api/v1/confirmations?waiting=true&month=${month}`,
  ).sessions
  assert.ok(waiting)
  family.ask('POST', `/api/v1/sessions/${waiting.id}/confirm`, {}, waiting.version)
  assert.deepEqual(family.refusal('POST', `/api/v1/sessions/${waiting.id}/dispute`, { note: 'x' }, 1), [
    409,
    'changed',
  ])
  assert.equal(family.ask<ClosedMonth>('POST', '/api/v1/months/close', wanted).state, 'asked_by_you')
  const closed = tutor.ask<ClosedMonth>('POST', '/api/v1/months/close', wanted)
  assert.equal(closed.state, 'closed')
  const page = family.ask<{ code: string; balance: number }>(
    'GET',
    `/api/v1/months/page?connection_id=${CONNECTION}&month=${month}`,
  )
  assert.deepEqual([page.code, page.balance], [closed.code, closed.balance])
  assert.deepEqual(tutor.refusal('PATCH', `/api/v1/sessions/${waiting.id}`, { duration: 2 }), [
    409,
    'month_closed',
  ])
  assert.deepEqual(family.refusal('PATCH', `/api/v1/sessions/${waiting.id}`, { subject: 'Chess' }), [
    409,
    'month_closed',
  ])
  tutor.ask('POST', '/api/v1/months/reopen', { ...wanted, reason: 'One lesson was longer' })
  const changed = tutor.ask<Session>('PATCH', `/api/v1/sessions/${waiting.id}`, { duration: 2 })
  assert.deepEqual([changed.total_amount, changed.other_confirmation], [104, 'none'])
})

test('each side sees what the other does: a dispute with its note, the answer, a payment, a deletion', async () => {
  const record = await at(TODAY)
  const [family, tutor] = [sideOf(record, 'family'), sideOf(record, 'practice')]
  const [own] = CHILDREN
  const session = {
    student_id: own?.child.student,
    tutor_id: TUTOR.id,
    date: '2026-11-10',
    duration: 1.5,
    notes: 'private',
  }
  const logged = tutor.ask<Session>('POST', '/api/v1/sessions', session)
  const again = { ...session, student_id: own?.child.id }
  assert.deepEqual(family.refusal('POST', '/api/v1/sessions', again), [409, 'same_lesson'])
  const seen = family.ask<Session>('GET', `/api/v1/sessions/${logged.id}`)
  assert.deepEqual([seen.total_amount, seen.notes, seen.student_name], [78, null, 'Maya Whitfield'])
  family.ask('POST', `/api/v1/sessions/${logged.id}/dispute`, { note: 'It was one hour' }, seen.version)
  const sentBack = tutor.ask<{ sessions: Session[] }>('GET', '/api/v1/sessions?state=disputed').sessions
  assert.ok(sentBack.some(({ id, dispute_note: note }) => id === logged.id && note === 'It was one hour'))
  tutor.ask('POST', `/api/v1/sessions/${logged.id}/answer`, { note: 'We began at four' })
  const asked = family.ask<{ sessions: SharedSession[] }>(
    'GET',
    '/api/v1/confirmations?waiting=true',
  ).sessions
  assert.ok(asked.some(({ id, answer_note: note }) => id === logged.id && note === 'We began at four'))
  const [payment] = tutor.ask<{ payments: SharedPayment[] }>('GET', '/api/v1/payments/waiting').payments
  assert.ok(payment)
  assert.equal(
    family.ask<Balance[]>('GET', `/api/v1/payments?from=${payment.date}&to=${payment.date}`).length,
    1,
  )
  tutor.ask('POST', `/api/v1/payments/${payment.id}/confirm`, {}, payment.version)
  const read = family.ask<{ total: { on_its_way_amount: number } }>('GET', '/api/v1/balances?month=2026-11')
  assert.equal(read.total.on_its_way_amount, 0)
  assert.deepEqual(family.refusal('GET', '/api/v1/account/export'), [403, 'demo'])
})

test('a charge waits for the other side, keeps the month open, counts once both agree, and another amount is one tap', async () => {
  const record = await at(TODAY)
  const [family, tutor] = [sideOf(record, 'family'), sideOf(record, 'practice')]
  const child = CHILDREN[0]?.child ?? assert.fail()
  const charges = (side: typeof family) =>
    side.ask<{ charges: { id: string; waits_for_you: boolean }[] }>('GET', '/api/v1/charges/waiting').charges
  const balance = (side: typeof family) =>
    side.ask<{ balances: Balance[] }>('GET', `/api/v1/balances?month=${monthOf(TODAY)}`).balances[0]
      ?.balance ?? 0
  const before = balance(family)
  const book = {
    student_id: child.student,
    date: TODAY,
    amount: 12.5,
    reason: 'materials',
    label: 'The book',
  }
  const { id } = tutor.ask<{ id: string }>('POST', '/api/v1/charges', book)
  assert.deepEqual(tutor.refusal('POST', '/api/v1/charges', book), [409, 'same_charge'])
  assert.deepEqual(tutor.refusal('POST', '/api/v1/charges', { ...book, amount: 0 }), [422, 'invalid'])
  assert.deepEqual([charges(family).length, charges(tutor).length], [1, 0])
  assert.equal(balance(family), before, 'it counts once both agree')
  family.ask('POST', `/api/v1/charges/${id}/dispute`, { proposal: { amount: 10 } })
  assert.equal(charges(tutor).length, 1)
  tutor.ask('POST', `/api/v1/charges/${id}/accept`, {})
  for (const side of [family, tutor])
    assert.equal(balance(side).toFixed(2), (before + 10).toFixed(2), 'what both agreed on')
  const { entries } = family.ask<{ entries: { by: string; action: string }[] }>(
    'GET',
    `/api/v1/charges/${id}/history`,
  )
  assert.deepEqual(
    entries.map(({ by, action }) => `${by} ${action}`),
    ['other logged', 'you disputed', 'other accepted'],
  )
  assert.deepEqual(family.ask('DELETE', `/api/v1/charges/${id}`), { code: 'deletion_requested', version: 4 })
  tutor.ask('DELETE', `/api/v1/charges/${id}`)
  assert.equal(balance(family), before)
})

test('a charge of last month has to be answered before both close it, is on its page, and stays as it is', async () => {
  const record = await at(TODAY)
  const [family, tutor] = [sideOf(record, 'family'), sideOf(record, 'practice')]
  const month = addMonths(monthOf(TODAY), -1)
  const wanted = { connection_id: CONNECTION, month }
  const waiting = family.ask<{ sessions: SharedSession[] }>(
    'GET',
    `/api/v1/confirmations?waiting=true&month=${month}`,
  )
  for (const { id } of waiting.sessions) family.ask('POST', `/api/v1/sessions/${id}/confirm`, {})
  const credit = {
    student_id: CHILDREN[0]?.child.student,
    date: `${month}-28`,
    amount: -5,
    reason: 'discount',
  }
  const { id } = tutor.ask<{ id: string }>('POST', '/api/v1/charges', credit)
  assert.deepEqual(family.refusal('POST', '/api/v1/months/close', wanted), [409, 'still_open'])
  family.ask('POST', `/api/v1/charges/${id}/confirm`, {})
  family.ask('POST', '/api/v1/months/close', wanted)
  assert.equal(tutor.ask<ClosedMonth>('POST', '/api/v1/months/close', wanted).state, 'closed')
  const page = family.ask<{ charges: { amount: number }[] }>(
    'GET',
    `/api/v1/months/page?connection_id=${CONNECTION}&month=${month}`,
  )
  assert.deepEqual(
    page.charges.map(({ amount }) => amount),
    [-5],
  )
  assert.deepEqual(tutor.refusal('PATCH', `/api/v1/charges/${id}`, { amount: -6 }), [409, 'month_closed'])
  assert.deepEqual(tutor.refusal('POST', '/api/v1/charges', { ...credit, amount: 7 }), [409, 'month_closed'])
})

test('whatever both do in any order, every answer has its shape and balances and months are those of the plain model', async () => {
  let seed = 7
  const below = (count: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
    return Math.floor((seed / 2 ** 31) * count)
  }
  const pick = <One>(list: readonly One[]): One => list[below(list.length)] ?? assert.fail('nothing to pick')
  const outputs = new Map(
    ANSWERED.map(({ endpoint }) => [declarationOf(endpoint).operation, declarationOf(endpoint)]),
  )
  const record = await at(TODAY)
  const months = [0, -1, -2].map((back) => addMonths(monthOf(TODAY), back))
  let taken = 0
  for (let step = 0; step < 600; step++) {
    const side = pick(SIDES)
    const entry = pick(record.world.seenBy({ side }))
    const what = entry.kind === 'session' ? 'sessions' : 'payments'
    const child = pick(CHILDREN).child
    const student = side === 'family' ? child.id : child.student
    const date = addDays(TODAY, -below(70))
    const wanted = { connection_id: CONNECTION, month: pick(months) }
    const [method, url, body] = pick<[string, string, object]>([
      [
        'POST',
        '/api/v1/sessions',
        { student_id: student, tutor_id: TUTOR.id, date, duration: 1 + below(4) / 4 },
      ],
      [
        'PATCH',
        `/api/v1/${what}/${entry.id}`,
        what === 'sessions' ? { duration: 1.25, hourly_rate: 30 } : { amount: 20 + below(9) },
      ],
      ['DELETE', `/api/v1/${what}/${entry.id}`, {}],
      ['POST', `/api/v1/${what}/${entry.id}/confirm`, {}],
      ['POST', `/api/v1/${what}/${entry.id}/confirm`, {}],
      ['POST', `/api/v1/${what}/${entry.id}/dispute`, { note: 'No' }],
      ['DELETE', `/api/v1/${what}/${entry.id}/confirm`, {}],
      ['POST', `/api/v1/${what}/${entry.id}/keep`, {}],
      [
        'POST',
        '/api/v1/payments',
        {
          tutor_id: side === 'family' ? TUTOR.id : undefined,
          student_id: student,
          date,
          amount: 10 + below(90),
        },
      ],
      ['POST', '/api/v1/months/close', wanted],
      ['POST', '/api/v1/months/reopen', { ...wanted, reason: 'Again' }],
    ])
    const answered = answer(record, side, { method, url, body, version: undefined })
    assert.ok(answered.status < 500 && answered.status !== 403, `${method} ${url}`)
    if (answered.status < 300) taken += 1
    if (step % 10 !== 0) continue
    for (const reader of SIDES) {
      const figures = figuresOf(record.world.accountWith(record.link), wanted.month)
      const { total } = sideOf(record, reader).ask<{ total: Balance }>(
        'GET',
        `/api/v1/balances?month=${wanted.month}`,
      )
      assert.equal(total.balance, dollars(cents(figures.balance)))
      assert.equal(total.paid_amount, dollars(cents(figures.paid)))
      assert.equal(total.on_its_way_amount, dollars(cents(figures.onItsWay)))
      const [month] = sideOf(record, reader).ask<{ months: ClosedMonth[] }>(
        'GET',
        `/api/v1/months?month=${wanted.month}`,
      ).months
      assert.equal(month?.state, record.world.stateOf(record.link, wanted.month, reader))
    }
  }
  assert.ok(taken > 200, `${taken} of the steps were taken`)
  const year = monthOf(TODAY).slice(0, 4)
  const reads: [string, string][] = [
    ['ReadLogin', ''],
    ['ReadDashboard', ''],
    ['ListStudents', ''],
    ['ListTutors', ''],
    ['ListWorkspaces', ''],
    ['ListConnections', ''],
    ['ListSessions', ''],
    ['ListSessions', '?search=maya&standing=verified'],
    ['ListLessonDays', ''],
    ['ListConfirmations', ''],
    ['ReadSummary', `?month=${months[0]}`],
    ['ReadYear', `?year=${year}`],
    ['ReadBalances', `?month=${months[0]}`],
    ['ReadLedger', `?month=${months[0]}&with=${CONNECTION}`],
    ['ListWaitingPayments', ''],
    ['ListPayments', `?from=${year}-01-01&to=${year}-12-31`],
    ['ListMonths', `?month=${months[1]}`],
    ['ListClosedMonths', ''],
    ['ReadMonthPage', `?connection_id=${CONNECTION}&month=${months[2]}`],
  ]
  for (const side of SIDES)
    for (const [operation, query] of reads) {
      const endpoint = outputs.get(operation) ?? assert.fail(operation)
      const read = sideOf(record, side).ask('GET', endpoint.path + query)
      const parsed = endpoint.output.safeParse(read)
      assert.ok(parsed.success, `${operation} ${JSON.stringify(parsed.error?.issues.slice(0, 3))}`)
    }
})
