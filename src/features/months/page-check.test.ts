import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { answerOf, checkPage, readKeys } from './page-check.ts'

const VECTORS = join(import.meta.dirname, '../../../docs/page-format')
const read = (name: string) => readFileSync(join(VECTORS, name))

test('D16: each test vector of the format gets its answer', async () => {
  const keys = await readKeys(read('keys.json').toString())
  const expected = JSON.parse(read('expected.json').toString()) as Record<string, string>
  const files = readdirSync(VECTORS).filter((name) => !['keys.json', 'expected.json'].includes(name))
  const answers = await Promise.all(
    files.map(async (name) => [name, answerOf(await checkPage(read(name), keys?.keys ?? []))]),
  )
  assert.deepEqual(Object.fromEntries(answers), expected)
  assert.deepEqual(
    new Set(Object.values(expected)),
    new Set(['genuine', 'changed', 'unknown_key', 'passkey', 'no_page']),
  )
})

test('a file of keys counts only if each id is the one of its key', async () => {
  const text = read('keys.json').toString()
  assert.ok(await readKeys(text))
  for (const changed of [
    text.replace(/("public_key": "[0-9a-f]{63})[0-9a-f]/, '$1x'),
    text.replace(/("public_key": ")[0-9a-f]{4}/, '$10000'),
    text.replace(/("id": ")[0-9a-f]{4}/, '$10000'),
    text.replace('tutorlog-page-keys-1', 'tutorlog-page-keys-2'),
    '{',
    'null',
  ])
    assert.equal(await readKeys(changed), undefined, changed)
})
