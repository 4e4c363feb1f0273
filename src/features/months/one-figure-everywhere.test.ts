// What is owed in all, asked from a real server by both sides, on every surface that says it.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { addDays, type CalendarDay, monthOf } from '#kernel/calendar-day.ts'
import { currencyOf, formatAmount } from '#kernel/money.ts'
import { readCsv } from '#platform/csv.server.ts'
import type { Owed } from '#features/payments/balance.ts'
import { type Caller, startTestServer, type TestServer } from '#main/testing.server.ts'
import { aMember } from '#main/testing/members.server.ts'
import { textOfPdf } from '#main/testing/paper.server.ts'
import { aFamily, aPair, idOf, shownByLink, tokenOf } from '#main/testing/two-sides.server.ts'

const TODAY = '2026-11-27' as CalendarDay

let server: TestServer
before(async () => {
  server = await startTestServer()
  server.clock.now = new Date(`${TODAY}T12:00:00Z`)
})
after(async () => server.stop())

const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      what: fc.constant('lesson' as const),
      ago: fc.integer({ min: -1, max: 80 }),
      quarters: fc.integer({ min: 1, max: 8 }),
      isDisputed: fc.nat(4).map((one) => one === 0),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      what: fc.constant('payment' as const),
      ago: fc.nat(80),
      cents: fc.integer({ min: 1, max: 20_000 }),
      isConfirmed: fc.boolean(),
    }),
  },
)
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never

/** What these steps come to today: $45 an hour, without what's sent back, reported by one side or still to come. */
function comesTo(steps: readonly Step[]): number {
  return steps.reduce((sum, one) => {
    if (one.ago < 0) return sum
    if (one.what === 'lesson') return sum + (one.isDisputed ? 0 : one.quarters * 1125)
    return sum - (one.isConfirmed ? one.cents : 0)
  }, 0)
}

/** The figure that each surface says to somebody, in the currency's words, with its sign. */
const LABEL = /(Owed|Paid ahead|Nothing owed)(?: (?:to|by) [^$€]+?)? as of Nov 27, 2026/

async function saidTo(reader: Caller, about = '') {
  const month = monthOf(TODAY)
  // It's the figure of today, whichever month is asked for.
  const [now, past] = await Promise.all(
    [month, '2026-09'].map(async (asked) => {
      const { body } = await reader.call('GET', `/api/v1/balances?month=${asked}&today=${TODAY}`)
      assert.equal(body.as_of, TODAY)
      return body.owed as Owed[]
    }),
  )
  assert.deepEqual(past, now)
  const range = `from=${month}-01&to=${month}-15${about}`
  const pdf = await reader.call('GET', `/api/v1/statements/statement.pdf?${range}`)
  const text = (await textOfPdf(pdf.bytes)).replaceAll(/\s+/g, ' ')
  const csv = readCsv((await reader.call('GET', `/api/v1/statements/sessions.csv?${range}`)).bytes.toString())
  const inCsv = csv.flatMap(({ cells }) => {
    const [, label, amount] = new RegExp(`^${LABEL.source}: (\\S+)$`).exec(cells[0] ?? '') ?? []
    return label && amount ? [`${label} ${amount}`] : []
  })
  const inPdf = [...text.matchAll(new RegExp(`${LABEL.source} (\\S+)`, 'g'))].map(
    ([, label, amount]) => `${label ?? ''} ${amount ?? ''}`,
  )
  return { owed: now ?? [], inCsv, inPdf, text }
}

const words = (cents: number) => (cents === 0 ? 'Nothing owed' : cents < 0 ? 'Paid ahead' : 'Owed')

for (const currency of ['USD', 'EUR'])
  test(`home, a statement and a spreadsheet say one figure to both sides in ${currency}, after anything they did`, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 7 }), async (steps) => {
        const pair = await aPair(server, undefined, undefined, currency)
        for (const one of steps) {
          const date = addDays(TODAY, -one.ago)
          if (one.what === 'lesson') {
            const id = await pair.log({ date, duration: one.quarters / 4, is_another: true })
            if (one.isDisputed)
              await pair.practice.call('POST', `/api/v1/sessions/${id}/dispute`, { note: 'Nobody came' })
          } else {
            const body = { tutor_id: pair.tutor, date, amount: one.cents / 100, is_another: true }
            const id = idOf(await pair.family.call('POST', '/api/v1/payments', body))
            if (one.isConfirmed) await pair.practice.call('POST', `/api/v1/payments/${id}/confirm`)
          }
        }
        const expected = comesTo(steps)
        const isKnown = steps.some((one) => one.ago >= 0 && !(one.what === 'lesson' && one.isDisputed))
        const amount = formatAmount(Math.abs(expected) / 100, currencyOf(currency))
        for (const reader of [pair.family, pair.practice]) {
          const { owed, inCsv, inPdf } = await saidTo(reader)
          assert.deepEqual(
            owed.map((one) => [one.currency, one.total.balance]),
            isKnown ? [[currency, expected / 100]] : [],
          )
          const said = isKnown ? [`${words(expected)} ${amount}`] : []
          assert.deepEqual([inPdf, inCsv], [said, said])
        }
      }),
      { numRuns: 6, endOnFailure: true },
    )
  })

test('an emailed page says its own share of what the family owes in all, and a file about the tutor does too', async () => {
  const asking = await aFamily(server)
  await asking.log({ date: '2026-10-30' })
  await asking.log({ date: '2026-11-20' })
  await asking.log({ date: addDays(TODAY, 1) })
  const other = idOf(await asking.family.call('POST', '/api/v1/tutors', { name: 'Marcus', hourly_rate: 20 }))
  await asking.family.call('POST', '/api/v1/sessions', {
    student_id: asking.child,
    tutor_id: other,
    date: '2026-11-02',
    duration: 1,
  })
  const { owed, inPdf, text } = await saidTo(asking.family)
  assert.deepEqual(
    owed.map(({ total, accounts }) => [total.balance, accounts.map(({ name, balance }) => [name, balance])]),
    [
      [
        155,
        [
          ['Ingrid', 135],
          ['Marcus', 20],
        ],
      ],
    ],
  )
  assert.deepEqual(inPdf, ['Owed $155.00'])
  assert.match(text, /Owed by \S+/, 'there are two tutors')
  const about = await saidTo(asking.family, `&tutor_id=${asking.tutor}`)
  assert.deepEqual([about.inPdf, about.inCsv], [['Owed $135.00'], ['Owed $135.00']])
  assert.match(about.text, /Owed to Ingrid as of Nov 27, 2026/)

  server.clock.now = new Date(`${TODAY}T23:00:00Z`)
  const page = await shownByLink(server, await tokenOf(server, asking.email))
  assert.equal(page.money.balance, 135)
})

test('a caregiver and a limited member get no figure, on no surface', async () => {
  const { family, child, log } = await aFamily(server)
  await log({ date: '2026-11-20' })
  const caregiver = await aMember(server, family, 'caregiver')
  const limited = await aMember(server, family, 'viewer', [child])
  for (const one of [caregiver, limited]) {
    assert.equal((await one.call('GET', '/api/v1/balances?month=2026-11')).status, 403)
    assert.equal(
      (await one.call('GET', '/api/v1/statements/statement.pdf?from=2026-11-01&to=2026-11-30')).status,
      403,
    )
    assert.doesNotMatch(JSON.stringify((await one.call('GET', '/api/v1/dashboard')).body), /owed/)
  }
  const csv = await limited.call('GET', '/api/v1/statements/sessions.csv?from=2026-11-01&to=2026-11-30')
  assert.equal(csv.status, 200)
  assert.doesNotMatch(csv.bytes.toString(), /Owed/)
})
