import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { promises, silentPromises, testsByPromise, testSources } from './promises.ts'

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

test('docs/promises.md names no test that is gone', () => {
  const names = new Set([...testsByPromise(testSources()).values()].flat())
  const written = [
    ...readFileSync('docs/promises.md', 'utf8').matchAll(/`([A-Z]\d+(?:, [A-Z]\d+)*: [^`]+)`/g),
  ].map(([, name = '']) => name.replaceAll('\\|', '|'))
  assert.ok(written.length > 50)
  assert.deepEqual(
    written.filter((name) => !names.has(name)),
    [],
  )
})
