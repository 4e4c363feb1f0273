import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addDays, type CalendarDay, daysOfMonth } from '#kernel/calendar-day.ts'
import { type AgreedVersion, feeCovering, feesUpTo, rulesOn } from './fees.ts'
import { Rules } from './rules.ts'

const version = (from: string, rules: object, ended_on: string | null = null): AgreedVersion => ({
  rules: Rules.parse(rules),
  applies_from: from as CalendarDay,
  ended_on: ended_on as CalendarDay | null,
})
const monthly = (amount: number, more: object = {}) => ({ fee: { per: 'month', amount, ...more } })
const asked = (versions: AgreedVersion[], today: string) =>
  feesUpTo(versions, today as CalendarDay).map(({ period, day, amount }) => `${period} ${day} ${amount}`)

test('a monthly fee is asked for on the last day of each month, or on its first if it is paid in advance', () => {
  const later = [version('2026-10-01', monthly(180))]
  assert.deepEqual(asked(later, '2026-10-30'), [])
  assert.deepEqual(asked(later, '2026-10-31'), ['2026-10 2026-10-31 18000'])
  assert.deepEqual(asked(later, '2027-02-28'), [
    '2026-10 2026-10-31 18000',
    '2026-11 2026-11-30 18000',
    '2026-12 2026-12-31 18000',
    '2027-01 2027-01-31 18000',
    '2027-02 2027-02-28 18000',
  ])
  const ahead = [version('2026-12-02', monthly(220, { is_in_advance: true }))]
  assert.deepEqual(asked(ahead, '2026-12-31'), [])
  assert.deepEqual(asked(ahead, '2027-01-01'), ['2027-01 2027-01-01 22000'])
  assert.deepEqual(
    feesUpTo(ahead, '2027-01-01' as CalendarDay).map(({ because }) => because),
    ['Fee for January 2027, by the terms of Dec 2, 2026.'],
  )
})

test('terms that change in the middle of a month ask for the new fee from the next one', () => {
  const versions = [version('2026-09-01', monthly(180)), version('2026-11-15', monthly(200))]
  const all = ['2026-09 2026-09-30 18000', '2026-10 2026-10-31 18000', '2026-11 2026-11-30 18000']
  assert.deepEqual(asked(versions, '2026-12-31'), [...all, '2026-12 2026-12-31 20000'])
  assert.deepEqual(asked([...versions].reverse(), '2026-12-30'), all)
  assert.deepEqual(
    asked([version('2026-09-01', monthly(180)), version('2026-11-15', { due_day: 3 })], '2027-03-01'),
    all,
  )
  assert.deepEqual(
    asked(
      [
        version('2026-09-01', monthly(180), '2026-11-01'),
        version('2026-10-15', { due_day: 3 }, '2026-11-01'),
      ],
      '2027-03-01',
    ),
    all.slice(0, 2),
    'terms that ended ask for nothing more',
  )
  assert.deepEqual(asked([], '2026-11-30'), [])
})

const termly = (amount: number, more: object = {}, months?: number[]) => ({
  fee: { per: 'term', amount, ...more },
  ...(months ? { term_months: months } : {}),
})

test('a term fee is asked for on the last day of each term, or on its first if it is paid in advance, and names the term', () => {
  const later = [version('2026-08-20', termly(560, {}, [9, 2]))]
  assert.deepEqual(asked(later, '2027-01-30'), [])
  assert.deepEqual(asked(later, '2027-01-31'), ['term 2026-09-01 2027-01-31 56000'])
  const ahead = [version('2026-08-20', termly(560, { is_in_advance: true }, [9, 2]))]
  assert.deepEqual(asked(ahead, '2026-08-31'), [])
  assert.deepEqual(asked(ahead, '2027-02-01'), [
    'term 2026-09-01 2026-09-01 56000',
    'term 2027-02-01 2027-02-01 56000',
  ])
  assert.deepEqual(
    feesUpTo(ahead, '2026-09-01' as CalendarDay).map(({ because }) => because),
    ['Fee for the term Sep 1, 2026 to Jan 31, 2027, by the terms of Aug 20, 2026.'],
  )
  assert.deepEqual(
    asked([version('2026-09-02', termly(560, { is_in_advance: true }, [9, 2]))], '2027-02-01'),
    ['term 2027-02-01 2027-02-01 56000'],
    'whoever agrees in the middle of a term pays from the next one on',
  )
  assert.deepEqual(asked([version('2026-11-02', termly(300))], '2027-06-30'), [
    'term 2027-01-01 2027-06-30 30000',
  ])
})

test('terms that change in the middle of a term ask for nothing more until it is over', () => {
  const first = version('2026-09-01', termly(560, { is_in_advance: true }, [9, 2]))
  const upTo = (rules: object) => asked([first, version('2026-11-15', rules)], '2027-03-01').slice(1)
  assert.deepEqual(upTo(monthly(180)), ['2027-02 2027-02-28 18000'])
  assert.deepEqual(upTo(termly(600, { is_in_advance: true }, [9, 2])), ['term 2027-02-01 2027-02-01 60000'])
  assert.deepEqual(
    upTo(termly(600, { is_in_advance: true }, [1, 7])),
    [],
    'the next term that is not paid yet',
  )
  assert.deepEqual(upTo({ due_day: 3 }), [])
  assert.deepEqual(
    asked([version('2026-10-01', monthly(180)), version('2026-12-15', termly(500))], '2027-06-30'),
    [
      '2026-10 2026-10-31 18000',
      '2026-11 2026-11-30 18000',
      '2026-12 2026-12-31 18000',
      'term 2027-01-01 2027-06-30 50000',
    ],
  )
})

test('a fee covers the lessons of its month or its term, from its first day to its last', () => {
  const versions = [
    version('2026-08-20', termly(560, {}, [9, 2])),
    version('2027-01-10', monthly(180)),
    version('2027-03-05', { due_day: 3 }),
  ]
  const covering = (day: string) => feeCovering(versions, day as CalendarDay)
  assert.equal(covering('2026-08-31'), undefined)
  assert.equal(covering('2026-09-01'), 'term')
  assert.equal(covering('2027-01-31'), 'term')
  assert.equal(covering('2027-02-01'), 'month')
  assert.equal(covering('2027-03-31'), 'month')
  assert.equal(covering('2027-04-01'), undefined)
})

test('a class has the fee of its month, also if other terms begin in the middle of it', () => {
  const agreed = { connection_id: 'c', own_confirmation: 'confirmed', other_confirmation: 'confirmed' }
  const half = { bands: [{ until_hours: 0, percent: 50 }] }
  const on = (day: string, ...versions: AgreedVersion[]) => {
    const rules = rulesOn(
      versions.map((one) => ({ ...agreed, ...one })),
      day as CalendarDay,
    )
    return rules && [rules.fee?.amount, rules.bands.length]
  }
  const begins = [version('2026-09-01', half), version('2026-10-12', monthly(180))]
  assert.deepEqual(on('2026-10-11', ...begins), [undefined, 1])
  assert.deepEqual(on('2026-10-20', ...begins), [undefined, 0], 'no fee is asked for October')
  assert.deepEqual(on('2026-11-01', ...begins), [18000, 0])
  const ends = [version('2026-09-01', monthly(180)), version('2026-10-12', half)]
  assert.deepEqual(on('2026-10-20', ...ends), [18000, 1], "October's fee is asked for")
  assert.deepEqual(on('2026-11-01', ...ends), [undefined, 1])
  assert.equal(on('2026-08-31', ...ends), undefined)
  assert.equal(
    rulesOn(
      [{ ...agreed, other_confirmation: 'none', ...version('2026-09-01', half) }],
      '2026-09-02' as CalendarDay,
    ),
    undefined,
  )
})

test('in 5,000 random lives of terms, every month has the fee that a day by day reading finds', () => {
  const random = seeded()
  const upTo = (count: number) => Math.floor(random() * count)
  let found = 0
  let changes = 0
  for (let run = 0; run < 5000; run++) {
    const start = addDays('2026-10-20' as CalendarDay, upTo(450))
    const versions: AgreedVersion[] = []
    for (let nth = 1 + upTo(4), from = start; nth > 0; nth--, from = addDays(from, 1 + upTo(70)))
      versions.push(
        version(
          from,
          random() < 0.2
            ? { due_day: 3 }
            : monthly(1 + upTo(400), {
                is_in_advance: random() < 0.5,
                ...(random() < 0.5 ? { lessons: 4 } : {}),
              }),
        ),
      )
    const end = addDays(start, upTo(300))
    if (random() < 0.2) for (const one of versions.slice(0, -1)) one.ended_on = end
    const today = addDays(start, upTo(200))
    const expected = model(versions, start, today)
    assert.deepEqual(
      asked(
        versions.toSorted(() => random() - 0.5),
        today,
      ),
      expected,
      JSON.stringify(versions),
    )
    found += expected.length
    if (new Set(expected.map((line) => line.split(' ')[2])).size > 1) changes++
  }
  assert.ok(found > 8000 && changes > 500, `${found} fees, ${changes} runs with several amounts`)
})

/** Goes through the days one by one, and writes down what's in force on each first of a month. */
function model(versions: readonly AgreedVersion[], start: CalendarDay, today: CalendarDay): string[] {
  const lines: string[] = []
  let holds: { fee: Rules['fee']; month: string } | undefined
  for (let day = start; day <= today; day = addDays(day, 1)) {
    const month = day.slice(0, 7)
    if (day.endsWith('-01')) {
      let latest: AgreedVersion | undefined
      for (const one of versions)
        if (one.applies_from <= day && !(one.ended_on && one.ended_on <= day))
          if (!latest || one.applies_from > latest.applies_from) latest = one
      holds = { fee: latest?.rules.fee, month }
    }
    const isLast = addDays(day, 1).endsWith('-01')
    if (holds?.fee && (holds.fee.is_in_advance ? day.endsWith('-01') : isLast))
      lines.push(`${month} ${day} ${holds.fee.amount}`)
  }
  assert.ok(lines.every((line) => line.slice(8, 18) <= daysOfMonth(line.slice(0, 7)).to))
  return lines
}

function seeded(): () => number {
  let state = 20_261_128
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}
