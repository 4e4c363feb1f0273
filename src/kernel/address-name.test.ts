import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nameInAddress } from './address-name.ts'

const nameOf = (local: string) => nameInAddress(`${local}@example.com`, 'A friend')

test('someone without a name reads as the start of their address', () => {
  for (const local of [
    'jane.doe',
    'j.r.smith',
    'ann',
    'maya_w',
    'o-neil.pat',
    'mum+school',
    'jane.doe2',
    'żaneta.nowak',
  ])
    assert.equal(nameOf(local), local)
})

test('I18: the start of an address is never a link or a phone number', () => {
  for (const [local, read] of [
    ['evil.com', 'evil. com'],
    ['pay.evil.CO.uk', 'pay. evil. CO. uk'],
    ['evil.com-pay', 'evil. com-pay'],
    ['evil.中国', 'evil. 中国'],
    ['10.0.0.1', '10. 0. 0. 1'],
    ['"<b>.x"', '" b . x"'],
    ['mum.9005550199', 'mum.'],
    ['.....', 'A friend'],
  ] as const)
    assert.equal(nameOf(local), read)
})
