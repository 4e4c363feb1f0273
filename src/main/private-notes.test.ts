// One side's private notes must never reach the other side through any operation, file, email or stream.
import assert from 'node:assert/strict'
import { linkCaller } from '#features/access/admission.server.ts'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { unzipSync } from 'fflate'
import { readMonth } from '#features/months/queries.server.ts'
import { listShared } from '#features/payments/queries.server.ts'
import { readMailbox } from '#platform/mail/mailer.server.ts'
import { type Answer, type Caller, startTestServer, type TestServer } from './testing.server.ts'
import { textOfPdf } from './testing/paper.server.ts'
import {
  aFamily,
  aPractice,
  byLink,
  connectionsOf,
  idOf,
  type Row,
  rowsOf,
  tokenOf,
} from './testing/two-sides.server.ts'

let server: TestServer
let address: string
before(async () => {
  server = await startTestServer()
  server.clock.now = new Date('2026-12-01T12:00:00Z')
  address = await server.app.listen({ port: 0, host: '127.0.0.1' })
})
after(async () => server.stop())

/** A made-up word for each side's private notes that appears nowhere else. */
const WORDS = { family: 'quokkaberry', practice: 'zebrafinch' } as const
type Side = keyof typeof WORDS
const THEIRS = { family: /zebrafinch/i, practice: /quokkaberry/i } as const
const OURS = { family: THEIRS.practice, practice: THEIRS.family } as const
const notesOf = (side: Side) => `Between us: ${WORDS[side]}`

interface Operation {
  operationId: string
  'x-roles': string | string[]
  parameters: { name: string; in: string; required?: boolean }[]
}

/** A file's text: archives are unpacked, and PDF text is extracted. */
async function textOf(bytes: Buffer): Promise<string> {
  const kind = bytes.subarray(0, 4).toString('latin1')
  if (kind === '%PDF') {
    return `${await textOfPdf(bytes)} ${bytes.toString('latin1')}`
  }
  if (!kind.startsWith('PK')) return bytes.toString()
  return Object.values(unzipSync(bytes))
    .map((file) => Buffer.from(file).toString())
    .join('\n')
}

const ok = (answer: Answer) => {
  assert.ok(answer.status < 300, JSON.stringify(answer.body))
  return answer
}

/**
 * A family and two tutors, one with an account and one without. Every field that can contain private notes
 * has some, and there are rows in every state.
 */
async function aMonthOfWork() {
  const asking = await aFamily(server)
  const { family, child, tutor, connection, email } = asking
  const { practice, self } = await aPractice(server, email)
  const [ours, theirs] = [{ notes: notesOf('family') }, { notes: notesOf('practice') }]
  const patch = async (who: Caller, path: string, body: object) =>
    ok(await who.call('PATCH', `/api/v1/${path}`, body))
  await patch(family, `students/${child}`, ours)
  await patch(family, `tutors/${tutor}`, ours)
  await patch(practice, `tutors/${self}`, theirs)
  const student = idOf(await practice.call('POST', '/api/v1/students', { name: 'maya W.', ...theirs }))
  const pay = async (who: Caller, more: object = {}) => {
    const whom = who === family ? { tutor_id: tutor } : { student_id: student }
    const note = notesOf(who === family ? 'family' : 'practice')
    return idOf(
      await who.call('POST', '/api/v1/payments', { ...whom, date: '2026-11-14', amount: 60, note, ...more }),
    )
  }
  // Payments from before the connection: one that both sides recorded, and one more on each side.
  const both = await pay(family)
  await pay(practice)
  const payments = [both, await pay(family, { amount: 7 }), await pay(practice, { amount: 8 })]
  await asking.log({ date: '2026-11-02', ...ours })
  const [asked] = await connectionsOf(practice)
  const people = ((asked?.people ?? []) as Row[]).map(({ id }) => ({ id, student_id: student }))
  await patch(practice, `connections/${connection}`, { state: 'active', people })
  ok(await family.call('POST', '/api/v1/payments/share', { payments: [both] }))

  const log = async (who: Caller, more: object) =>
    idOf(
      await who.call('POST', '/api/v1/sessions', {
        ...(who === family
          ? { student_id: child, tutor_id: tutor, ...ours }
          : { student_id: student, tutor_id: self, ...theirs }),
        duration: 1,
        subject: 'Algebra II',
        is_another: true,
        ...more,
      }),
    )
  const annotate = async (what: 'sessions' | 'payments', ids: string[]) => {
    for (const id of ids)
      for (const side of ['family', 'practice'] as const)
        await (side === 'family' ? family : practice).call('PATCH', `/api/v1/${what}/${id}`, {
          [what === 'sessions' ? 'notes' : 'note']: notesOf(side),
        })
  }
  const say = async (who: Caller, path: string, body: object = {}) =>
    ok(await who.call('POST', `/api/v1/${path}`, body))
  // Everything in October is agreed on, and the month is closed.
  const october = await log(family, { date: '2026-10-05' })
  const paid = await pay(practice, { date: '2026-10-06', amount: 45 })
  await annotate('sessions', [october])
  await annotate('payments', [paid])
  await say(practice, `sessions/${october}/confirm`)
  await say(family, `payments/${paid}/confirm`)
  for (const who of [family, practice])
    await say(who, 'months/close', { connection_id: connection, month: '2026-10' })
  // November has one session in each state: waiting, sent back and answered, confirmed, waiting to be
  // deleted, and logged by both sides.
  const [waits, back, done, leaves, twice] = [
    await log(practice, { date: '2026-11-03' }),
    await log(family, { date: '2026-11-04' }),
    await log(practice, { date: '2026-11-05' }),
    await log(family, { date: '2026-11-06' }),
    await log(practice, { date: '2026-11-07', start_time: '16:00' }),
  ]
  const sessions = [waits, back, done, leaves, twice, october]
  await annotate('sessions', sessions)
  await say(practice, `sessions/${back}/dispute`, { note: 'It was shorter' })
  await say(family, `sessions/${back}/answer`, { note: 'It was an hour' })
  await say(family, `sessions/${done}/confirm`)
  await say(practice, `sessions/${leaves}/confirm`)
  ok(await family.call('DELETE', `/api/v1/sessions/${leaves}`))
  const text = `Date,Student,Tutor,Duration,Notes\n2026-11-07,Maya Whitfield,Ingrid,1.5,${notesOf('family')}\n`
  await say(family, 'imports', { text })
  const [sent, denied, going] = [
    await pay(family, { amount: 20 }),
    await pay(practice, { amount: 21 }),
    await pay(family, { amount: 22 }),
  ]
  payments.push(sent, denied, going, paid)
  await annotate('payments', payments)
  await say(family, `payments/${denied}/dispute`, { note: 'Not yet' })
  await say(practice, `payments/${going}/confirm`)
  ok(await family.call('DELETE', `/api/v1/payments/${going}`))

  const agreed = idOf(
    await practice.call('POST', '/api/v1/terms', { student_id: student, rules: { due_day: 5 } }),
  )

  const schedules: string[] = []
  for (const [who, whose] of [
    [family, { student_id: child, tutor_id: tutor, ...ours }],
    [practice, { student_id: student, tutor_id: self, ...theirs }],
  ] as const)
    schedules.push(
      idOf(
        await who.call('POST', '/api/v1/schedules', {
          ...whose,
          day_of_week: who === family ? 2 : 3,
          start_time: '16:00',
          duration: 1,
          start_date: '2026-11-03',
        }),
      ),
    )

  // The tutor who answers by email.
  const emailed = 'edgar@example.com'
  const edgar = idOf(
    await family.call('POST', '/api/v1/tutors', { name: 'Edgar', email: emailed, hourly_rate: 30, ...ours }),
  )
  const link = idOf(await family.call('POST', '/api/v1/connections', { tutor_id: edgar }))
  const mailed = [
    await log(family, { tutor_id: edgar, date: '2026-11-08' }),
    await log(family, { tutor_id: edgar, date: '2026-11-09' }),
  ]
  const book = { connection_id: connection, date: '2026-11-14', amount: 12.5, tutor_id: tutor }
  const charges = [idOf(await family.call('POST', '/api/v1/charges', book))]
  const token = await tokenOf(server, emailed)
  const address = { legal_name: 'Ingrid Lindqvist', address: '12 Elm Street' }
  ok(await practice.call('PUT', '/api/v1/paper-provider', address))
  ok(await practice.call('PUT', `/api/v1/connections/${connection}/papers`, { is_allowed: true }))
  const issue = async (who: Caller, paper: object) => {
    const { seen, missing } = (await who.call('POST', '/api/v1/papers/preview', paper)).body
    const known_missing = (missing as { field: string }[]).map(({ field }) => field)
    return idOf(await who.call('POST', '/api/v1/papers', { paper, seen, known_missing }))
  }
  const papers = [
    await issue(practice, { ...paperOf(student), kind: 'invoice' }),
    await issue(family, { ...paperOf(child), tutor_id: tutor }),
  ]
  return {
    callers: { family, practice },
    ids: {
      sessions,
      payments,
      charges,
      schedules,
      papers,
      terms: [agreed],
      students: [child, student],
      tutors: [tutor, self, edgar],
      people: [child, student, tutor, self, edgar],
      connections: [connection, link],
    },
    mailed,
    emailed,
    token,
    link,
    edgar,
    connection,
    pay,
    say,
  }
}
type Work = Awaited<ReturnType<typeof aMonthOfWork>>

/** A receipt over all lessons of a student. */
const paperOf = (student: unknown) => ({
  student_id: student,
  kind: 'receipt',
  program: 'free-form',
  from: '2026-01-01',
  to: '2026-12-31',
})

/** The input for operations that need more than an empty body. */
function inputOf(name: string, side: Side, { ids, connection, callers }: Work): Record<string, unknown> {
  const [own, tutor] = side === 'family' ? [ids.students[0], ids.tutors[0]] : [ids.students[1], ids.tutors[1]]
  const about = { connection_id: connection, month: '2026-10' }
  const lesson = { student_id: own, tutor_id: tutor, date: '2026-11-21', duration: 1 }
  const inputs: Record<string, Record<string, unknown>> = {
    ReadPersonMonths: { until: '2026-11' },
    ReadLedger: { month: '2026-11', with: connection },
    ListCharges: { from: '2026-01-01', to: '2026-12-31' },
    ListPayments: { from: '2026-01-01', to: '2026-12-31' },
    ReadMonthPage: about,
    DownloadMonthPage: about,
    DownloadSigned: { month: '2026-10', tutor_id: ids.tutors[0] },
    DownloadSignedAsTutor: { month: '2026-10' },
    DownloadPdf: { from: '2026-11-01', to: '2026-11-30' },
    SignOffMonth: { month: '2026-10', tutor_id: ids.tutors[0] },
    CloseMonth: { connection_id: connection, month: '2026-11' },
    ReopenMonth: { ...about, reason: 'A lesson was missing' },
    DisputeSession: { note: 'Not so' },
    AnswerDispute: { note: 'It was so' },
    DisputePayment: { note: 'Not so' },
    DisputeCharge: { note: 'Not so' },
    UpdateSession: { duration: 2 },
    UpdatePayment: { method: 'cash' },
    UpdateCharge: { label: 'Atlas' },
    LogSession: lesson,
    AddPayment: { connection_id: connection, date: '2026-11-21', amount: 5, tutor_id: ids.tutors[0] },
    AddCharge: { connection_id: connection, date: '2026-11-21', amount: 5, tutor_id: ids.tutors[0] },
    ConfirmSessions: { sessions: ids.sessions.map((id) => ({ id, version: 1 })) },
    ProposeTerms: {
      connection_id: connection,
      tutor_id: ids.tutors[0],
      student_id: own,
      rules: { due_day: 7 },
    },
    UpdateTerms: { rules: { due_day: 6 } },
    DisputeTerms: { note: 'Not so' },
    SharePayments: { payments: [ids.payments[side === 'family' ? 1 : 2]] },
    PreviewImport: { text: 'Date,Student,Tutor,Duration\n2026-11-05,maya W.,Ingrid,1\n' },
    ProcessSpeech: { transcript: 'Maya had an hour of math with Ingrid', today: '2026-11-22' },
    LearnNames: { names: [{ words: 'Mimi', student_id: own }] },
    LogOccurrence: { date: '2026-11-24' },
    ChangeOccurrence: { date: '2026-11-17', status: 'canceled', outcome: 'canceled_late' },
    UpdateMe: { full_name: side === 'family' ? 'Ana Whitfield' : 'Ingrid Lindqvist' },
    SetPaymentWays: { ways: [] },
    PreviewPaper: { ...paperOf(own), ...(side === 'family' && { tutor_id: tutor }) },
    MakeRecord: { record: { ...paperOf(own), tutor_id: tutor, kind: 'record' } },
    AllowPapers: { is_allowed: true },
    VoidPaper: { reason: 'A letter was wrong' },
    SetPaperProvider: { legal_name: 'Ingrid Lindqvist', address: '12 Elm Street' },
    InviteMember: { email: `aunt-of-${callers[side].id}@example.com`, role: 'viewer' },
  }
  return inputs[name] ?? {}
}
/** Required query parameters, by name. */
const QUERY: Record<string, unknown> = {
  month: '2026-11',
  year: '2026',
  from: '2026-11-01',
  to: '2026-11-30',
  until: '2026-11-30',
}
/**
 * Left out, because they would end the login, the account or the connection. The event stream has a separate
 * test.
 */
const LEFT =
  /^(SignOut|DeleteAccount|RemoveMember|StreamEvents|EndDevice|EndOtherDevices|RenewLogin|RefreshSession|EndConnection|EndLink)$/
const ORDER = ['get', 'post', 'put', 'patch', 'delete']

/** Calls every operation that a side may call, with the ids of both sides, and checks each response. */
async function walk(side: Side, work: Work, methods: string[]): Promise<Map<string, number>> {
  const who = work.callers[side]
  const { paths } = (await who.call('GET', '/api/openapi.json')).body as unknown as {
    paths: Record<string, Record<string, Operation>>
  }
  const operations = Object.entries(paths)
    .flatMap(([path, all]) => Object.entries(all).map(([method, one]) => ({ path, method, ...one })))
    .filter(({ operationId: name, method }) => methods.includes(method) && !LEFT.test(name))
    .sort((a, b) => ORDER.indexOf(a.method) - ORDER.indexOf(b.method))
  const answered = new Map<string, number>()
  for (const { path, method, operationId: name, parameters, ...operation } of operations) {
    const roles = operation['x-roles']
    if (path.startsWith('/api/v1/admin') || path.startsWith('/calendar')) continue
    if (Array.isArray(roles) && !roles.includes(side === 'family' ? 'parent' : 'tutor')) continue
    await server.db.asSystem((tx) => tx.deleteFrom('rate_limits').execute())
    const known = work.ids[path.split('/')[3] as keyof Work['ids']] ?? [who.id]
    for (const id of path.includes('{id}') ? known : ['']) {
      const input = inputOf(name, side, work)
      const needed = parameters.filter(({ in: place, required }) => place === 'query' && required)
      const query = new URLSearchParams(
        Object.fromEntries([
          ...needed.map(({ name: field }) => [field, String(QUERY[field] ?? '')]),
          ...Object.entries(input).map(([field, value]) => [field, String(value)]),
        ]),
      )
      const url = path.replace('{id}', id)
      const answer =
        method === 'get'
          ? await who.call('GET', `${url}?${query}`)
          : await who.call(method.toUpperCase(), url, input)
      const text = `${await textOf(answer.bytes)} ${JSON.stringify(answer.headers)}`
      assert.doesNotMatch(text, THEIRS[side], `${name} ${url} tells the ${side}`)
      assert.notEqual(answer.status, 500, `${name} ${url}`)
      if (answer.status < 300) answered.set(name, (answered.get(name) ?? 0) + (OURS[side].test(text) ? 1 : 0))
      else if (!answered.has(name) && method === 'get' && id === known.at(-1)) answered.set(name, -1)
    }
  }
  return answered
}

/** Records a side's event stream. Returns a function that stops it and returns the recording. */
async function listen(who: Caller): Promise<() => Promise<string>> {
  const ended = new AbortController()
  const response = await fetch(`${address}/api/v1/events`, {
    signal: ended.signal,
    headers: { cookie: [...who.cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
  })
  assert.equal(response.status, 200)
  let told = ''
  const reading = (async () => {
    const decoder = new TextDecoder()
    for await (const chunk of response.body ?? []) told += decoder.decode(chunk as Uint8Array)
  })().catch(() => undefined)
  return async () => {
    ended.abort()
    await reading
    return told
  }
}

/** Checks everything that the emailed page returns, and everything that its database role can read. */
async function walkEmailed({ token, link, mailed, pay, edgar, callers }: Work): Promise<void> {
  const stranger = server.aStranger()
  const ask = async (what: string, body: object = {}) => {
    const answer = await byLink(stranger, token, what, body)
    assert.doesNotMatch(await textOf(answer.bytes), OURS.family, `the emailed page: ${what}`)
    return answer
  }
  const seen = async (id?: string) => {
    const { id: found, version } =
      rowsOf(await ask('open')).find((one) => one.id === id) ?? assert.fail('no session')
    return { id: found, version }
  }
  const [first, second] = mailed
  for (const id of [first, second]) await ok(await ask('confirm', { sessions: [await seen(id)] }))
  ok(await ask('signed.pdf', { month: '2026-11' }))
  ok(await ask('withdraw', await seen(first)))
  ok(await ask('dispute', { ...(await seen(first)), note: 'It was shorter' }))
  await callers.family.call('DELETE', `/api/v1/sessions/${second}`)
  ok(await ask('keep', await seen(second)))
  await callers.family.call('DELETE', `/api/v1/sessions/${second}`)
  ok(await ask('delete', await seen(second)))
  // From here on, the page also shows payments and the month.
  await pay(callers.family, { tutor_id: edgar, amount: 33 })
  const shown = await server.db.asLink({ id: link, side: 'practice' }, async (tx) => [
    await listShared(tx, linkCaller(tx, { id: link, side: 'practice' }, server.clock.now).workspace),
    await readMonth(tx, link, '2026-11'),
  ])
  assert.match(JSON.stringify(shown), /"amount":33.*3300/)
  assert.doesNotMatch(JSON.stringify(shown), OURS.family)
}

/** Checks that no email so far contains the other side's made-up word. */
async function checkEmails({ callers, emailed }: Work): Promise<number> {
  await server.allJobsDone()
  let seen = 0
  for (const [to, words] of [
    [callers.family.email, THEIRS.family],
    [callers.practice.email, THEIRS.practice],
    [emailed, THEIRS.practice],
  ] as const)
    for (const mail of await readMailbox(join(server.dataDir, 'mailbox'), to)) {
      assert.doesNotMatch(JSON.stringify(mail), words, `"${mail.subject}" to ${to}`)
      seen += 1
    }
  return seen
}

test('T8: a private note reaches the other side by no operation, file, export, email, emailed page or stream', async () => {
  const work = await aMonthOfWork()
  const { family, practice } = work.callers
  const streams = { family: await listen(family), practice: await listen(practice) }
  const read = {
    family: await walk('family', work, ['get']),
    practice: await walk('practice', work, ['get']),
  }
  for (const side of ['family', 'practice'] as const) {
    const silent = [...read[side]].filter(([, count]) => count < 0).map(([name]) => name)
    assert.deepEqual(silent, [], `reads that the ${side} got nothing of`)
    const own = [...read[side]].filter(([, count]) => count > 0).map(([name]) => name)
    for (const name of ['ListSessions', 'ReadSession', 'ListPayments', 'ReadPayment', 'DownloadCsv'])
      assert.ok(own.includes(name), `${name} shows the ${side} its own notes: ${own}`)
  }
  await walkEmailed(work)
  await server.runTask('daily_digest')
  const wrote = {
    family: await walk('family', work, ['post', 'put', 'patch']),
    practice: await walk('practice', work, ['post', 'put', 'patch', 'delete']),
  }
  for (const side of ['family', 'practice'] as const)
    for (const name of ['ConfirmSession', 'DisputePayment', 'UpdateSession', 'ExportData', 'ConfirmPayment'])
      assert.ok(wrote[side].has(name), `${name} by the ${side}: ${[...wrote[side].keys()]}`)
  assert.ok((wrote.family.get('ExportData') ?? 0) > 0 && (wrote.practice.get('ExportData') ?? 0) > 0)
  // After the connection has ended, each side has a copy with its own notes.
  ok(await practice.call('DELETE', `/api/v1/connections/${work.connection}`))
  for (const side of ['family', 'practice'] as const) await walk(side, work, ['get', 'post'])
  ok(await byLink(server.aStranger(), work.token, 'end', { forget: false }))
  await server.runTask('daily_digest')
  assert.ok((await checkEmails(work)) > 8)
  for (const side of ['family', 'practice'] as const) {
    const told = await streams[side]()
    assert.match(told, /event: changed/)
    assert.doesNotMatch(told, THEIRS[side])
  }
})
