import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { currencyOf } from '#kernel/money.ts'
import type { Session } from '#features/sessions/session.ts'
import { childOf, type Proposed, recognised } from './proposal.ts'

const proposed = fc.record<Proposed>({
  id: fc.uuid(),
  version: fc.constant(1),
  tutor_id: fc.constantFrom('t1', 't2'),
  tutor_name: fc.constant('Ingrid'),
  student_first_name: fc.constantFrom('Maya', 'Theo', null),
  date: fc.constantFrom('2026-11-20', '2026-11-21'),
  duration: fc.nat(8).map((quarters) => quarters / 4),
  rate: fc.constantFrom(45, 50, null),
  total_amount: fc.constant(null),
  currency: fc.constant(currencyOf('EUR')),
  subject: fc.constant(null),
})
const own = fc
  .record({
    id: fc.uuid(),
    tutor_id: fc.constantFrom('t1', 't2', null),
    student_id: fc.constantFrom('c1', 'c2', null),
    date: fc.constantFrom('2026-11-20', '2026-11-21'),
    duration: fc.nat(8).map((quarters) => quarters / 4),
    effective_rate: fc.constantFrom(45, 50, null),
  })
  .map((session) => session as Session)
const children = [
  { id: 'c1', name: 'Maya Whitfield' },
  { id: 'c2', name: 'theo' },
]

test('the child is the one of that first name, else the only one', () => {
  assert.equal(childOf({ student_first_name: 'MAYA' }, children), 'c1')
  assert.equal(childOf({ student_first_name: 'Theo' }, children), 'c2')
  assert.equal(childOf({ student_first_name: 'Aiko' }, children), undefined)
  assert.equal(childOf({ student_first_name: 'Aiko' }, children.slice(0, 1)), 'c1')
  assert.equal(childOf({ student_first_name: 'Maya' }, [...children, { id: 'c3', name: 'Maya' }]), undefined)
})

test('a lesson that both logged is recognised by child, tutor and day, and no session stands for two', () => {
  fc.assert(
    fc.property(
      fc.array(proposed, { maxLength: 5 }),
      fc.uniqueArray(own, { selector: ({ id }) => id, maxLength: 5 }),
      (proposals, sessions) => {
        const found = recognised(proposals, children, sessions)
        const used = found.flatMap(({ same_session: same }) => same?.id ?? [])
        assert.equal(new Set(used).size, used.length)
        for (const one of found) {
          const same = sessions.find(({ id }) => id === one.same_session?.id)
          if (!same) continue
          assert.deepEqual(
            [same.tutor_id, same.student_id, same.date],
            [one.tutor_id, one.child_id, one.date],
          )
          assert.equal(
            one.same_session?.is_equal,
            same.duration === one.duration && same.effective_rate === one.rate,
          )
        }
        for (const one of found.filter(({ same_session: same }) => !same)) {
          const free = sessions.filter(({ id, duration }) => !used.includes(id) && duration > 0)
          assert.ok(
            one.duration === 0 ||
              free.every(
                (session) =>
                  session.tutor_id !== one.tutor_id ||
                  session.student_id !== one.child_id ||
                  session.date !== one.date ||
                  one.child_id === null,
              ),
          )
        }
      },
    ),
  )
})
