// Every query over a range of days includes the first and last day, and nothing outside the range.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { isOwedLine } from '#features/payments/owed.ts'
import { readCsv } from '#platform/csv.server.ts'
import { type Answer, type Caller, startTestServer, type TestServer } from './testing.server.ts'
import { textOfPdf } from './testing/paper.server.ts'
import { aFamily, byLink, tokenOf } from './testing/two-sides.server.ts'

/**
 * The days around the start and end of a past month and a past year. Each has a lesson and a payment of 1, 2,
 * 4, ... dollars, so a sum shows which days it includes.
 */
const DAYS = [
  '2024-12-31',
  '2025-01-01',
  '2025-09-30',
  '2025-10-01',
  '2025-10-31',
  '2025-11-01',
  '2025-12-31',
  '2026-01-01',
]
const OCTOBER = ['2025-10-01', '2025-10-31']
const YEAR = DAYS.slice(1, -1)
const FROM_TO = 'from=2025-10-01&to=2025-10-31'

let server: TestServer
let parent: Caller
let tutor: Caller
let facts: { student_id: string; tutor_id: string }
let family: string

before(async () => {
  server = await startTestServer()
  parent = await server.aUser()
  tutor = await server.aUser('tutor')
  const student_id = await made('students', { name: 'Maya' })
  facts = { student_id, tutor_id: await made('tutors', { name: 'Ingrid', email: tutor.email }) }
  family = await made('connections', { tutor_id: facts.tutor_id })
  await tutor.call('PATCH', `/api/v1/connections/${family}`, { state: 'active' })
  for (const [at, date] of DAYS.entries()) {
    const payment = await made('payments', { ...facts, date, amount: 2 ** at })
    assert.equal((await tutor.call('POST', `/api/v1/payments/${payment}/confirm`, {})).status, 200)
    const id = await log(date, { hourly_rate: 2 ** at, subject: `of${date}` })
    assert.equal((await confirm(id)).status, 200)
  }
})
after(async () => server.stop())

/** Adds a row to the family's records and returns its id. */
async function made(path: string, body: object, caller = parent): Promise<string> {
  const answer = await caller.call('POST', `/api/v1/${path}`, body)
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  return String(answer.body.id)
}
const log = (date: string, more: object = {}) => made('sessions', { ...facts, date, duration: 1, ...more })
const confirm = (id: string) =>
  tutor.call('POST', `/api/v1/sessions/${id}/confirm`, {}, { 'if-match': '"1"' })
const read = async (path: string, caller = parent): Promise<Answer['body']> => {
  const answer = await caller.call('GET', `/api/v1/${path}`)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return answer.body
}
const dates = (rows: unknown) => (rows as { date: string }[]).map(({ date }) => date).sort()
/** The days whose amounts add up to a sum. */
const daysIn = (sum: unknown) => DAYS.filter((_day, at) => (Number(sum) & (2 ** at)) !== 0)
/** The days whose subject appears in a PDF. */
async function daysOnPaper(answer: Answer): Promise<string[]> {
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  const text = await textOfPdf(answer.bytes)
  return DAYS.filter((day) => text.includes(`of${day}`))
}
const daysOfCsv = async (query: string) =>
  readCsv((await parent.call('GET', `/api/v1/statements/sessions.csv?${query}`)).bytes.toString())
    .slice(1)
    .map(({ cells }) => cells[0] ?? '')
    .filter((cell) => !isOwedLine(cell))

/** An operation that takes a date range: how to call it, and which days its result has to include. */
interface Range {
  operation: string
  what: string
  days: () => Promise<string[]>
  expected?: string[]
}

const RANGES: Range[] = [
  {
    operation: 'ListSessions',
    what: 'the sessions of a month',
    days: async () => dates((await read('sessions?month=2025-10')).sessions),
  },
  {
    operation: 'ListConfirmations',
    what: "a family's month as its tutor sees it",
    days: async () => dates((await read('confirmations?month=2025-10', tutor)).sessions),
  },
  {
    operation: 'ReadSummary',
    what: 'the totals of a month',
    days: async () => daysIn((await read('summary?month=2025-10')).total_amount),
  },
  {
    operation: 'ReadSummary',
    what: 'the weeks of a month',
    days: async () => {
      const weeks = (await read('summary?month=2025-10')).by_week as { verified_amount: number }[]
      return daysIn(weeks.reduce((sum, week) => sum + week.verified_amount, 0))
    },
  },
  {
    operation: 'ListMonths',
    what: 'what was taught in a month between two sides',
    days: async () => daysIn((await ofTwoSides()).sessions_amount),
  },
  {
    operation: 'ListMonths',
    what: 'what was paid in a month between two sides',
    days: async () => daysIn((await ofTwoSides()).paid_amount),
  },
  {
    operation: 'CloseMonth',
    what: 'what a month holds when it is closed',
    days: async () => dates((await closedOctober(page)).sessions),
  },
  {
    operation: 'ReadMonthPage',
    what: 'what was paid, on the page of a closed month',
    days: async () => dates((await closedOctober(page)).payments),
  },
  {
    operation: 'DownloadMonthPage',
    what: 'the lessons on the PDF of a closed month',
    days: () =>
      closedOctober(async () => daysOnPaper(await parent.call('GET', `/api/v1/months/page.pdf?${wanted()}`))),
  },
  {
    operation: 'ListSessions',
    what: 'the sessions that a search finds between two days',
    days: async () => dates((await read('sessions?from=2025-10-01&to=2025-10-31')).sessions),
  },
  {
    operation: 'ReadTaxPeriod',
    what: 'what a tutor taught between two days',
    days: async () => {
      const { taught } = await read('tax-period?from=2025-10-01&to=2025-10-31', tutor)
      return daysIn((taught as { amounts: { amount: number }[] }).amounts[0]?.amount)
    },
  },
  {
    operation: 'ReadTaxPeriod',
    what: 'what a tutor was paid between two days',
    days: async () => {
      const period = await read('tax-period?from=2025-10-01&to=2025-10-31', tutor)
      return daysIn((period.received as { amount: number }[])[0]?.amount)
    },
  },
  {
    operation: 'DownloadPayments',
    what: 'the CSV of payments between two days',
    days: async () =>
      readCsv(
        (
          await tutor.call('GET', '/api/v1/statements/payments.csv?from=2025-10-01&to=2025-10-31')
        ).bytes.toString(),
      )
        .slice(1)
        .map(({ cells }) => cells[0] ?? ''),
  },
  {
    operation: 'ReadYear',
    what: 'the totals of a year',
    days: async () => daysIn((await read('summary/year?year=2025')).total_amount),
    expected: YEAR,
  },
  {
    operation: 'ReadYear',
    what: 'what was paid in a year',
    days: async () => daysIn((await read('summary/year?year=2025')).paid_amount),
    expected: YEAR,
  },
  {
    operation: 'ReadYear',
    what: 'a month of a year',
    days: async () => daysIn((await october()).verified_amount),
  },
  {
    operation: 'ReadYear',
    what: 'what was paid in a month of a year',
    days: async () => daysIn((await october()).paid_amount),
  },
  {
    operation: 'PreviewPaper',
    what: 'the lessons on a receipt',
    days: async () => {
      const [student] = (await read('students', tutor)) as unknown as { id: string }[]
      const { body } = await tutor.call('POST', '/api/v1/papers/preview', {
        student_id: student?.id,
        kind: 'receipt',
        program: 'free-form',
        from: OCTOBER[0],
        to: OCTOBER[1],
      })
      return dates(body.lessons)
    },
  },
  {
    operation: 'ListPayments',
    what: 'the payments between two days',
    days: async () => dates(await read(`payments?${FROM_TO}`)),
  },
  {
    operation: 'ListCharges',
    what: 'the charges between two days',
    days: async () => {
      const { someone, people } = await aHousehold()
      for (const date of DAYS)
        await made('charges', { ...people, date, amount: 12, reason: 'materials' }, someone)
      return dates(await read(`charges?${FROM_TO}`, someone))
    },
  },
  {
    operation: 'ListMissed',
    what: "the classes between two days that didn't take place",
    days: async () => {
      const { someone, people } = await aHousehold()
      const daily = await schedule('2024-12-31', 1, people, someone)
      for (const date of DAYS) {
        const change = { date, status: 'canceled', outcome: 'no_show' }
        const { status } = await someone.call('PUT', `/api/v1/schedules/${daily}/occurrence`, change)
        assert.equal(status, 200)
      }
      return dates(await read(`missed?${FROM_TO}`, someone))
    },
  },
  {
    operation: 'ReadBalances',
    what: 'the lessons of a balance',
    days: async () => daysIn((await balance()).sessions_amount),
  },
  {
    operation: 'ReadBalances',
    what: 'the payments of a balance',
    days: async () => daysIn((await balance()).paid_amount),
  },
  {
    operation: 'ReadBalances',
    what: 'what is owed today, of this month',
    days: async () => {
      const { owed } = await read('balances?month=2024-12&today=2025-10-31')
      return daysIn((owed as { total: { sessions_amount: number } }[])[0]?.total.sessions_amount)
    },
  },
  {
    operation: 'OpenLink',
    what: 'what an emailed page says is owed today',
    days: async () => daysIn((await (await mailed()).opened('2025-10-31')).balance),
    expected: DAYS.slice(0, 5),
  },
  {
    operation: 'ReadLedger',
    what: 'the lines of a balance',
    days: async () => [...new Set(dates((await read(`balances/lines?month=2025-10&with=${family}`)).lines))],
  },
  {
    operation: 'DownloadCsv',
    what: 'the CSV of a month',
    days: () => daysOfCsv(FROM_TO),
  },
  {
    operation: 'DownloadCsv',
    what: 'the CSV of a year',
    days: () => daysOfCsv('from=2025-01-01&to=2025-12-31'),
    expected: YEAR,
  },
  {
    operation: 'DownloadCsv',
    what: 'the CSV of one day',
    days: () => daysOfCsv('from=2025-10-31&to=2025-10-31'),
    expected: ['2025-10-31'],
  },
  {
    operation: 'DownloadPdf',
    what: 'the statement of a month',
    days: async () => daysOnPaper(await parent.call('GET', `/api/v1/statements/statement.pdf?${FROM_TO}`)),
  },
  {
    operation: 'DownloadPdf',
    what: 'the statement of a year',
    days: async () =>
      daysOnPaper(await parent.call('GET', '/api/v1/statements/statement.pdf?from=2025-01-01&to=2025-12-31')),
    expected: YEAR,
  },
  {
    operation: 'DownloadSigned',
    what: 'the signed statement of a month',
    days: async () =>
      daysOnPaper(
        await parent.call('GET', `/api/v1/statements/signed.pdf?month=2025-10&tutor_id=${facts.tutor_id}`),
      ),
  },
  {
    operation: 'DownloadSignedAsTutor',
    what: 'the signed statement as the tutor gets it',
    days: async () =>
      daysOnPaper(await tutor.call('GET', `/api/v1/connections/${family}/signed.pdf?month=2025-10`)),
  },
  {
    operation: 'DownloadSignedAsTutor',
    what: 'the signed statement from the emailed link',
    days: async () => {
      const { byMail } = await mailed()
      return daysOnPaper(await byMail('signed.pdf'))
    },
  },
  {
    operation: 'CloseMonth',
    what: 'what a month holds when an emailed link closes it',
    days: async () => dates((await closedByMail()).page.sessions),
  },
  {
    operation: 'ReadMonthPage',
    what: 'what a month came to, on the page of an emailed link',
    days: async () => daysIn((await closedByMail()).page.sessions_amount),
  },
  {
    operation: 'DownloadMonthPage',
    what: 'the lessons on the PDF of an emailed link',
    days: async () => daysOnPaper(await (await closedByMail()).byMail('months/page.pdf')),
  },
  {
    operation: 'SignOffMonth',
    what: 'what has to be confirmed before a month is signed',
    days: async () => {
      const found: string[] = []
      for (const date of DAYS) {
        const id = await log(date, { subject: 'not confirmed' })
        const { body } = await parent.call('POST', '/api/v1/sign-offs', {
          month: '2025-10',
          tutor_id: facts.tutor_id,
        })
        if (body.code === 'not_confirmed') found.push(date)
        await parent.call('DELETE', `/api/v1/sessions/${id}`, {})
      }
      return found
    },
  },
  {
    operation: 'ListOccurrences',
    what: 'the classes of a schedule between two days, logged from it or by hand',
    days: async () => {
      const daily = await schedule('2025-10-01')
      await parent.call('POST', `/api/v1/schedules/${daily}/log`, { date: '2025-10-11' })
      await parent.call('POST', `/api/v1/schedules/${daily}/log`, { date: '2025-10-13' })
      const fromIt = await classes()
      // Classes that were moved to another day stay in the log.
      await redate(['2025-10-11', '2025-10-13'], '2025-10-25')
      const elsewhere = await classes()
      await takeOut(['2025-10-25'])
      await log('2025-10-11')
      await log('2025-10-13')
      const byHand = await classes()
      await takeOut(['2025-10-11', '2025-10-13'])
      await parent.call('DELETE', `/api/v1/schedules/${daily}`, {})
      return [...fromIt, ...elsewhere, ...byHand]
    },
    expected: Array.from({ length: 3 }, () => ['11 logged', '12 planned', '13 logged']).flat(),
  },
  {
    operation: 'ListOccurrences',
    what: 'the classes that were moved between two days, and logged there',
    days: async () => {
      const weekly = await schedule('2025-10-01', 7)
      const move = (date: string, moved_to: string) =>
        parent.call('PUT', `/api/v1/schedules/${weekly}/occurrence`, {
          date,
          status: 'moved',
          moved_to,
          start_time: '09:00',
        })
      for (const [date, to] of [
        ['2025-10-01', '2025-10-10'],
        ['2025-10-08', '2025-10-11'],
        ['2025-10-15', '2025-10-13'],
        ['2025-10-22', '2025-10-14'],
      ] as const)
        assert.equal((await move(date, to)).status, 200)
      const moved = await classes()
      for (const date of ['2025-10-08', '2025-10-15'])
        await parent.call('POST', `/api/v1/schedules/${weekly}/log`, { date })
      const logged = await classes()
      await redate(['2025-10-11', '2025-10-13'], '2025-10-25')
      return [...moved, ...logged, ...(await classes())]
    },
    expected: ['11 planned', '13 planned', '11 logged', '13 logged', '11 logged', '13 logged'],
  },
  {
    operation: 'ReadDashboard',
    what: 'the sessions of this month on the dashboard',
    days: () => oneByOne(DAYS, (body) => body.sessions_this_month === 1, '2025-10-15'),
  },
  {
    operation: 'ReadDashboard',
    what: 'recent sessions: within the last 7 days',
    days: () =>
      oneByOne(
        ['2025-10-12', '2025-10-13', '2025-10-20', '2025-10-21'],
        (body) => (body.recent_sessions as object[]).length === 1,
        '2025-10-20',
      ),
    expected: ['2025-10-13', '2025-10-20'],
  },
  {
    operation: 'ReadDashboard',
    what: 'the past classes that are asked about: of the last 14 days and today',
    days: async () => {
      const daily = await schedule('2025-05-01')
      const due = dates((await read('dashboard?today=2025-06-20')).due)
      await parent.call('DELETE', `/api/v1/schedules/${daily}`, {})
      return [due[0] ?? '', due.at(-1) ?? '', String(due.length)]
    },
    expected: ['2025-06-06', '2025-06-20', '15'],
  },
  {
    operation: 'ListLessonDays',
    what: 'the last lesson: within the last 366 days',
    days: () =>
      oneByOne(
        ['2024-10-18', '2024-10-19', '2025-10-20', '2025-10-21'],
        (body) => (body as unknown as object[]).length === 1,
        '2025-10-20',
        'lesson-days',
      ),
    expected: ['2024-10-19', '2025-10-20'],
  },
]

/**
 * A family and a tutor without an account who confirmed everything through the emailed link. `byMail` calls
 * the link's API for October.
 */
async function mailed() {
  const asking = await aFamily(server)
  const token = await tokenOf(server, asking.email)
  const sessions: { id: string; version: number }[] = []
  for (const [at, date] of DAYS.entries())
    sessions.push({
      id: await asking.log({ date, duration: 1, hourly_rate: 2 ** at, subject: `of${date}` }),
      version: 1,
    })
  const stranger = server.aStranger()
  await byLink(stranger, token, 'confirm', { sessions })
  const byMail = (path: string) => byLink(stranger, token, path, { month: '2025-10' })
  const opened = async (today: string) => (await byLink(stranger, token, 'payments', { today })).body
  return { asking, byMail, opened }
}
/** The same, with October closed by both sides. Also returns the closed month's page that the link shows. */
async function closedByMail() {
  const { asking, byMail } = await mailed()
  const month = { connection_id: asking.connection, month: '2025-10' }
  assert.equal((await asking.family.call('POST', '/api/v1/months/close', month)).status, 200)
  assert.equal((await byMail('months/close')).body.state, 'closed')
  return { byMail, page: (await byMail('months/page')).body }
}
const wanted = () => `connection_id=${family}&month=2025-10`
const ofTwoSides = async () =>
  ((await read('months?month=2025-10')).months as Record<string, unknown>[])[0] ?? {}
const page = () => read(`months/page?${wanted()}`)
/** Closes October for both sides, runs `ask`, and reopens October for the tests that follow. */
async function closedOctober<T>(ask: () => Promise<T>): Promise<T> {
  const month = { connection_id: family, month: '2025-10' }
  for (const side of [parent, tutor]) {
    const { status, body } = await side.call('POST', '/api/v1/months/close', month)
    assert.equal(status, 200, JSON.stringify(body))
  }
  const answer = await ask()
  await parent.call('POST', '/api/v1/months/reopen', { ...month, reason: 'More to ask' })
  return answer
}
const october = async () =>
  ((await read('summary/year?year=2025')).by_month as Record<string, unknown>[])[9] ?? {}
const balance = async () =>
  ((await read('balances?month=2025-10')).balances as Record<string, unknown>[])[0] ?? {}
/** The calendar's classes from October 11 to 13. */
const classes = async () =>
  (
    (await read('occurrences?from=2025-10-11&to=2025-10-13')) as unknown as { date: string; status: string }[]
  ).map(({ date, status }) => `${date.slice(8)} ${status}`)
async function idsOn(days: string[]): Promise<string[]> {
  const { sessions } = await read('sessions?month=2025-10')
  return (sessions as { id: string; date: string }[])
    .filter(({ date }) => days.includes(date))
    .map(({ id }) => id)
}
async function takeOut(days: string[]): Promise<void> {
  for (const id of await idsOn(days)) await parent.call('DELETE', `/api/v1/sessions/${id}`, {})
}
async function redate(days: string[], date: string): Promise<void> {
  for (const id of await idsOn(days)) await parent.call('PATCH', `/api/v1/sessions/${id}`, { date })
}
const schedule = (start_date: string, custom_interval_days = 1, people: object = facts, caller = parent) =>
  made(
    'schedules',
    {
      ...people,
      day_of_week: new Date(`${start_date}T12:00:00Z`).getUTCDay(),
      start_time: '16:00',
      duration: 1,
      frequency: 'custom',
      custom_interval_days,
      start_date,
      timezone: 'UTC',
      is_active: true,
    },
    caller,
  )

/** Someone with records of their own: one student and one tutor. */
async function aHousehold() {
  const someone = await server.aUser()
  const [student, other] = [
    await someone.call('POST', '/api/v1/students', { name: 'Theo' }),
    await someone.call('POST', '/api/v1/tutors', { name: 'Samuel' }),
  ]
  return { someone, people: { student_id: String(student.body.id), tutor_id: String(other.body.id) } }
}

/** The days on which a session shows up on the dashboard, or in another answer, when it's the only session. */
async function oneByOne(
  days: string[],
  isIn: (body: Answer['body']) => boolean,
  today: string,
  path = 'dashboard',
) {
  const { someone, people } = await aHousehold()
  const found: string[] = []
  for (const date of days) {
    const { body } = await someone.call('POST', '/api/v1/sessions', {
      ...people,
      date,
      duration: 1,
    })
    if (isIn(await read(`${path}?today=${today}`, someone))) found.push(date)
    await someone.call('DELETE', `/api/v1/sessions/${String(body.id)}`, {})
  }
  return found
}

for (const { operation, what, days, expected = OCTOBER } of RANGES)
  test(`${what}: includes its first and last day, and no other (${operation})`, async () => {
    assert.deepEqual(await days(), expected)
  })

test('every operation with a range of days is tested here', async () => {
  const { paths } = (await server.app.inject('/api/openapi.json')).json() as {
    paths: Record<string, Record<string, Operation>>
  }
  const asked = Object.values(paths)
    .flatMap((operations) => Object.values(operations))
    .filter((one) => namesIn(one).some((name) => ['month', 'year', 'from', 'to', 'today'].includes(name)))
    .map(({ operationId }) => operationId)
  // These operations don't take a range. ProcessSpeech uses 'today' only to interpret "yesterday", a price has a
  // first day (which prices/price.test.ts tests), and the others each name a specific month.
  const isRange = (id: string) =>
    !/^(ProcessSpeech|AddPrice|UpdatePrice|ReopenMonth|StartMonthSignature|WithdrawMonth)/.test(id)
  assert.deepEqual(
    asked.filter(isRange).sort(),
    [...new Set(RANGES.map(({ operation }) => operation))].sort(),
  )
})

interface Operation {
  operationId: string
  parameters?: { name: string }[]
  requestBody?: { content: Record<string, { schema?: { properties?: object } }> }
}

function namesIn({ parameters, requestBody }: Operation): string[] {
  return [
    ...(parameters ?? []).map(({ name }) => name),
    ...Object.values(requestBody?.content ?? {}).flatMap(({ schema }) =>
      Object.keys(schema?.properties ?? {}),
    ),
  ]
}
