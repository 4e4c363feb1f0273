import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addMonths, monthLabel, monthsBack } from './month.ts'

test('adding and subtracting months works across the end of a year', () => {
  assert.equal(addMonths('2025-12', 1), '2026-01')
  assert.equal(addMonths('2026-01', -13), '2024-12')
  assert.deepEqual(monthsBack('2026-02', 4), ['2026-02', '2026-01', '2025-12', '2025-11'])
  assert.equal(monthLabel('2025-06'), 'June 2025')
})
