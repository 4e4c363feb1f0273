import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { promises, promisesText, silentPromises, testsByPromise, testSources } from './promises.ts'

test('every promise is shown by a test, or says why it is not', () => {
  assert.deepEqual(silentPromises(testsByPromise(testSources())), [])
})

test('every promise that a test names is listed, and one that a test shows has no other reason', () => {
  const listed = new Map(promises())
  const shown = [...testsByPromise(testSources()).keys()]
  assert.deepEqual(
    shown.filter((id) => !listed.has(id)),
    [],
  )
  assert.deepEqual(
    shown.filter((id) => listed.get(id)),
    [],
  )
})

test('docs/promises.md is what `node scripts/promises.ts` writes', () => {
  assert.equal(readFileSync('docs/promises.md', 'utf8'), promisesText(testsByPromise(testSources())))
})
