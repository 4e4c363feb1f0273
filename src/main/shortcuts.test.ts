import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Reader } from './page-rights.ts'
import { shortcutOf, shortcutsFor } from './shortcuts.ts'

const PARENT: Reader = {
  role: 'parent',
  canLog: true,
  canWrite: true,
  seesAmounts: true,
  hasAllStudents: true,
}

const parents = shortcutsFor(PARENT)

test('Ctrl K finds, and a plain k does not', () => {
  assert.equal(shortcutOf(['k'], true, parents)?.does, 'find')
  assert.equal(shortcutOf(['k'], false, parents), undefined)
})

test('G then C opens the children, or the students', () => {
  assert.deepEqual(shortcutOf(['g', 'c'], false, parents)?.does, { to: '/children' })
  assert.deepEqual(shortcutOf(['g', 'c'], false, shortcutsFor({ ...PARENT, role: 'tutor' }))?.does, {
    to: '/students',
  })
  assert.equal(shortcutOf(['c'], false, parents), undefined)
  assert.equal(shortcutOf(['c', 'g'], false, parents), undefined)
})

test('N does nothing for someone who cannot log sessions', () => {
  assert.equal(shortcutOf(['n'], false, shortcutsFor({ ...PARENT, canLog: false })), undefined)
})

test('G then P does nothing for a caregiver, and their month is called Sessions', () => {
  const caregivers = shortcutsFor({ ...PARENT, canWrite: false, seesAmounts: false })
  assert.equal(shortcutOf(['g', 'p'], false, caregivers), undefined)
  assert.equal(shortcutOf(['g', 's'], false, caregivers)?.label, 'Go to sessions')
})
