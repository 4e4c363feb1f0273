import assert from 'node:assert/strict'
import { test } from 'node:test'
import { unusedExports } from './exports.ts'

const told = (path: string, name: string) =>
  `${path}: exports ${name}, which no other file uses. Drop the export, or the code.`

test('an export that only its own file uses is reported', () => {
  const files = [
    {
      path: 'src/kernel/a.ts',
      text: 'export function one() {}\nexport const two = 2\nexport interface Three {}\nexport type Four = Three\nconst own = 1',
    },
    { path: 'src/features/b/b.ts', text: "import { one, type Four } from '#kernel/a.ts'" },
  ]
  assert.deepEqual(unusedExports(files), [told('src/kernel/a.ts', 'two'), told('src/kernel/a.ts', 'Three')])
})

test('renamed, passed on, loaded and destructured names count as used', () => {
  const files = [
    { path: 'scripts/a.ts', text: 'export const one = 1\nexport const { first: two, three } = all' },
    { path: 'scripts/b.ts', text: "import { one as uno } from './a.ts'\nexport { two } from './a.ts'" },
    { path: 'scripts/c.ts', text: "const { three } = await import('./a.ts')" },
  ]
  assert.deepEqual(unusedExports(files), [])
})

test('a name that is imported from the model counts as used', () => {
  const files = [
    { path: 'model/a.ts', text: 'export const one = 1' },
    { path: 'src/main/b.ts', text: "import { one } from '#model/a.ts'" },
  ]
  assert.deepEqual(unusedExports(files), [])
})

test('a name that another file exports too is still reported', () => {
  const files = [
    { path: 'src/kernel/a.ts', text: 'export const one = 1' },
    { path: 'src/kernel/b.ts', text: 'export const one = 2' },
    { path: 'src/kernel/c.ts', text: "import { one } from './b.ts'" },
  ]
  assert.deepEqual(unusedExports(files), [told('src/kernel/a.ts', 'one')])
})
