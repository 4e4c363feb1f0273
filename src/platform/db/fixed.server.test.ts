import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CompiledQuery } from 'kysely'
import type { Tx } from './db.server.ts'
import { fixed } from './fixed.server.ts'

/** A handle that returns each query instead of running it. */
const asking = { executeQuery: async (query: CompiledQuery) => ({ rows: [query] }) } as unknown as Tx
const compiled = (text: string, ...parameters: unknown[]) =>
  ({ sql: text, parameters }) as unknown as CompiledQuery<CompiledQuery>

test('a fixed query is built once for the values that it is given, and bound to each call’s', async () => {
  let built = 0
  const find = fixed((_tx, { day, id }: { day: string; id?: string | undefined }) => {
    built += 1
    return id === undefined ? compiled('by day', day) : compiled('by id', id, day, 'constant')
  })
  const asked = async (values: { day: string; id?: string | undefined }) =>
    (await find(asking, values)).map(({ sql: text, parameters }) => [text, ...parameters])
  assert.deepEqual(await asked({ day: '2026-11-20', id: 'a' }), [['by id', 'a', '2026-11-20', 'constant']])
  assert.deepEqual(await asked({ day: '2026-11-21', id: 'b' }), [['by id', 'b', '2026-11-21', 'constant']])
  assert.deepEqual(await asked({ day: '2026-11-22' }), [['by day', '2026-11-22']])
  assert.deepEqual(await asked({ day: '2026-11-23', id: undefined }), [['by day', '2026-11-23']])
  assert.equal(built, 2)
})

test('a fixed query that looks at a value or computes with it is refused when it is first asked', async () => {
  const key = fixed((_tx, { id, day }: { id: string; day: string }) => compiled('lock', `${id}:${day}`))
  await assert.rejects(key(asking, { id: 'a', day: 'b' }), /computes with id, day/)
})
