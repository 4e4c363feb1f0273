import assert from 'node:assert/strict'
import { test } from 'node:test'
import { namesIn } from './name-list.ts'

const shown = (text: string, known: string[] = []) => namesIn(text, known, 20).names.map(({ name }) => name)

test('a pasted list of names is read by lines, commas, semicolons and tabs, without bullets and numbers', () => {
  assert.deepEqual(shown('Maya Whitfield\nTheo\r\n\n Ada,  Ben ;Cleo\tDan,'), [
    'Maya Whitfield',
    'Theo',
    'Ada',
    'Ben',
    'Cleo',
    'Dan',
  ])
  assert.deepEqual(shown('1. Maya\n2) Theo\n- Ada\n• Ben O\u2019Neil\n3rd Baron'), [
    'Maya',
    'Theo',
    'Ada',
    'Ben O\u2019Neil',
    '3rd Baron',
  ])
  assert.deepEqual(shown(' \n,;\n'), [])
})

test('a name that is already on the list, is repeated, or is too long is flagged', () => {
  const { names, repeated } = namesIn(
    'maya  whitfield\nTheo\nAda\nTHEO\nTheo\n' + 'x'.repeat(21),
    ['Maya Whitfield'],
    20,
  )
  assert.deepEqual(
    names.map(({ name, isKnown, isTooLong }) => [name.slice(0, 15), isKnown, isTooLong]),
    [
      ['maya whitfield', true, false],
      ['Theo', false, false],
      ['Ada', false, false],
      ['x'.repeat(15), false, true],
    ],
  )
  assert.deepEqual(repeated, ['Theo'])
})

test('a name that looks like one on the list is known, whatever nobody can see in it', () => {
  const { names } = namesIn('Maya\u200b\n\u3164Theo\n\u2060\n1. \u00adAda', ['maya', 'Theo\u200e'], 20)
  assert.deepEqual(
    names.map(({ name, isKnown }) => [name, isKnown]),
    [
      ['Maya', true],
      ['Theo', true],
      ['Ada', false],
    ],
  )
})
