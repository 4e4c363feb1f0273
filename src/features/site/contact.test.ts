import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toMessage } from './contact.ts'

test('the contact form sends name, email, subject and message as typed', () => {
  const typed = { name: 'Dana', email: 'dana@example.com', subject: 'Hello', message: 'Thank you' }
  assert.deepEqual(toMessage(typed), typed)
})
