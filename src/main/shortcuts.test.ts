import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shortcutOf, shortcutsFor } from './shortcuts.ts'

const parents = shortcutsFor('parent', true)

test('Ctrl K finds, and a plain k does not', () => {
  assert.equal(shortcutOf(['k'], true, parents)?.does, 'find')
  assert.equal(shortcutOf(['k'], false, parents), undefined)
})

test('G then C opens the children, or the students', () => {
  assert.deepEqual(shortcutOf(['g', 'c'], false, parents)?.does, { to: '/children' })
  assert.deepEqual(shortcutOf(['g', 'c'], false, shortcutsFor('tutor', true))?.does, { to: '/students' })
  assert.equal(shortcutOf(['c'], false, parents), undefined)
  assert.equal(shortcutOf(['c', 'g'], false, parents), undefined)
})

test('N does nothing for someone who cannot log sessions', () => {
  assert.equal(shortcutOf(['n'], false, shortcutsFor('parent', false)), undefined)
})
