import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseAst } from 'vite'
import { splitModule } from './browser-parts.ts'

const split = (code: string) =>
  splitModule(code, parseAst(code).body as unknown as Parameters<typeof splitModule>[1], 'm.ts?')

test('each declaration becomes a module that imports just what it mentions', () => {
  const { parts, exports } = split(`import * as z from 'zod'
import { b } from './b.ts'
const limit = 3
export const Name = z.string().max(limit)
export function first() { return b }
export { c } from './c.ts'`) ?? { parts: [], exports: '' }
  assert.deepEqual(parts, [
    `const limit = 3\nexport { limit }`,
    `import * as z from 'zod'\nimport { limit } from "m.ts?&part=0"\nconst Name = z.string().max(limit)\nexport { Name }`,
    `import { b } from './b.ts'\nfunction first() { return b }\nexport { first }`,
  ])
  assert.equal(
    exports,
    `export { c } from './c.ts'\nexport { Name } from "m.ts?&part=1"\nexport { first } from "m.ts?&part=2"`,
  )
})

test('what changes a variable stays with it', () => {
  const { parts } = split(`let count = 0
export const step = 2
export function add() { count += step }
export const read = () => count`) ?? { parts: [] }
  assert.equal(parts.length, 2)
  assert.match(
    parts[0] ?? '',
    /let count = 0\nfunction add[^]*\nconst read[^]*export \{ count, add, read \}$/,
  )
})

test('a module that does something stays whole', () => {
  assert.equal(split(`export const a = 1\nstart(a)`), undefined)
  assert.equal(split(`export default function () {}`), undefined)
})
