import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { CHECKER, exportChecker } from './export-checker.ts'

test('src/features/privacy/verify.mjs is what `node scripts/export-checker.ts` writes, and imports only Node’s own modules', async () => {
  const made = await exportChecker()
  assert.equal(readFileSync(CHECKER, 'utf8'), made)
  const imported = [...made.matchAll(/(?:from|import|import\()\s*'([^']+)'/g)].map(([, name]) => name)
  assert.deepEqual(imported.sort(), ['node:crypto', 'node:fs', 'node:zlib'])
})
