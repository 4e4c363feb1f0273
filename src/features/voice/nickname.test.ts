import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isNickname } from './nickname.ts'

test('short names match their full names, both ways and among themselves', () => {
  for (const pair of [
    'kate katherine',
    'bill william',
    'liz elizabeth',
    'bob robert',
    'william will',
    'billy will',
    'sasha alexander',
    'prissy priscilla',
  ]) {
    const [said = '', name = ''] = pair.split(' ')
    assert.ok(isNickname(said, name), pair)
  }
  for (const pair of ['kate william', 'maya maya', 'grace greg', 'zoe noah']) {
    const [said = '', name = ''] = pair.split(' ')
    assert.ok(!isNickname(said, name), pair)
  }
})

test('diminutives belong to their names', () => {
  for (const [word, name] of [
    ['mayita', 'maya'],
    ['dieguito', 'diego'],
    ['blanquita', 'blanca'],
    ['joaquincito', 'joaquin'],
    ['paquito', 'francisco'],
  ] as const)
    assert.ok(isNickname(word, name), word)
  assert.ok(!isNickname('margarita', 'maya'))
})
