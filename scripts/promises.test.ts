import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
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

/** What docs/security.md names that isn't there: promises that no test shows, tests by how their names begin or read, and files. */
function missingIn(document: string, sources: string[]): string[] {
  const tests = testsByPromise(sources)
  const rows = document.split('\n').filter((line) => line.startsWith('| '))
  const isThere = (path: string) => ['', 'src/', 'src/features/'].some((folder) => existsSync(folder + path))
  return rows.flatMap((row) => [
    ...[...row.matchAll(/(?<![\w-])((?:[A-Z]\d+, )*[A-Z]\d+)(?: ([^A-Z\d|.,:;()][^|.,:;()]*))?/g)].flatMap(
      ([, ids = '', words = '']) =>
        ids
          .split(', ')
          .filter((id) => !tests.get(id)?.some((name) => !ids.endsWith(id) || name.includes(words.trim()))),
    ),
    ...[...row.matchAll(/(?<=^|[\s(])'((?:[^'|]+ ){2,}[^'|]+)'/g)].flatMap(([, name = '']) =>
      sources.some((source) => source.includes(`test('${name}'`)) ? [] : [name],
    ),
    ...[...row.matchAll(/\b[\w/-]+\.(?:server\.|e2e\.|test\.)*(?:tsx?|sql)\b/g)].flatMap(([path]) =>
      path.includes('/') && !isThere(path) ? [path] : [],
    ),
  ])
}

test('every test and file that docs/security.md names is there', () => {
  const document = readFileSync('docs/security.md', 'utf8')
  const sources = testSources()
  assert.deepEqual(missingIn(document, sources), [])
  for (const wrong of [
    '| 1.1.1 | asked | Holds: A99 |',
    '| 1.1.1 | asked | Holds: A4, A23 a reset link does a lot |',
    "| 1.1.1 | asked | Holds: A5, 'a copied token ends nothing' |",
    '| 1.1.1 | asked | Holds: `accounts/gone.server.ts` |',
  ])
    assert.equal(missingIn(wrong, sources).length, 1, wrong)
})
