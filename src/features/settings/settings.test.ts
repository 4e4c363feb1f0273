import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toEmailChange, toNameChange, toPasswordChange } from './settings.ts'

test('the account forms send what was typed, and no current password if there is none', () => {
  const password = { current_password: 'old-1', password: 'new-2', confirmation: 'new-2' }
  assert.deepEqual(toPasswordChange(password, true), { current_password: 'old-1', password: 'new-2' })
  assert.deepEqual(toPasswordChange(password, false), { password: 'new-2' })
  const email = { email: 'dana@example.com', current_password: 'old-1' }
  assert.deepEqual(toEmailChange(email, true), email)
  assert.deepEqual(toEmailChange(email, false), { email: 'dana@example.com' })
  assert.deepEqual(toNameChange({ full_name: 'Dana' }), { full_name: 'Dana' })
  assert.deepEqual(toNameChange({ full_name: '' }), { full_name: '' }, 'a cleared name is cleared')
})
