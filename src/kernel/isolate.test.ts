import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inOneLine, isolated } from './isolate.ts'

test('right-to-left text is isolated, any other text stays as it is', () => {
  for (const text of ['محمد علي', 'שרה כהן', 'Sarah שרה', 'ﷺ'])
    assert.equal(isolated(text), `\u2068${text}\u2069`)
  for (const text of ['', 'Maya', 'Łukasz', 'Анна', '王小明', '김민준', 'अनन्या', '🎓'])
    assert.equal(isolated(text), text)
})

test('empty parts are left out of a line', () => {
  assert.equal(inOneLine(['Algebra', null, '1.5 h', '', undefined]), 'Algebra, 1.5 h')
  assert.equal(inOneLine(['جبر', '1.5 h']), '\u2068جبر\u2069, 1.5 h')
})
