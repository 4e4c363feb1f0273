import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as z from 'zod/mini'
import { declarationOf } from './declaration.server.ts'
import { endpoint } from './endpoint.ts'

const Ping = endpoint({
  operation: 'Ping',
  summary: 'Answers',
  method: 'GET',
  path: '/api/v1/ping',
  access: 'anyone',
  input: z.object({}),
  output: z.object({ at: z.string() }),
})

test('what browser builds leave out of an operation can be read only with declarationOf', () => {
  // @ts-expect-error -- in a browser, the output would be missing
  assert.ok(Ping.output)
  // @ts-expect-error -- and so would the roles
  assert.equal(Ping.access, 'anyone')
  assert.deepEqual(
    [declarationOf(Ping).operation, declarationOf(Ping).access, Ping.path],
    ['Ping', 'anyone', '/api/v1/ping'],
  )
  assert.deepEqual(declarationOf(Ping).output.parse({ at: 'noon' }), { at: 'noon' })
})
