import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readingsOf, typedNumber, typedNumberOrNull } from './typed-number.ts'

test('a number is read with a point or a comma, however its thousands are grouped', () => {
  for (const [typed, number] of [
    ['32,50', '32.50'],
    ['32.50', '32.50'],
    [' 7 ', '7'],
    ['1.234,50', '1234.50'],
    ['1,234.50', '1234.50'],
    ['1 234,50', '1234.50'],
    ['1\u202f234,50', '1234.50'],
    ['1\u00a0234\u00a0567', '1234567'],
    ["1'234.50", '1234.50'],
    ['1’234,5', '1234.5'],
    ['12.345.678,9', '12345678.9'],
    ['1,234,567', '1234567'],
    ['12,34,567.50', '1234567.50'],
    ['0,125', '0.125'],
    ['1234,500', '1234.500'],
    ['-4,5', '-4.5'],
    ['−4.5', '-4.5'],
  ] as const)
    assert.deepEqual(readingsOf(typed), [number], typed)
})

test('digits and marks of every script count as the digits and marks they are', () => {
  for (const [typed, number] of [
    ['٣٢٫٥٠', '32.50'],
    ['۳۲٫۵۰', '32.50'],
    ['١٬٢٣٤٫٥٠', '1234.50'],
    ['३२.५०', '32.50'],
    ['３２．５０', '32.50'],
    ['３２，５０', '32.50'],
    ['๓๒,๕', '32.5'],
    ['𝟑𝟐,𝟧', '32.5'],
    ['\u200f٣٢٫٥٠\u200e', '32.50'],
  ] as const)
    assert.deepEqual(readingsOf(typed), [number], typed)
})

test('three digits after the only mark can be thousands or decimals, so both are offered', () => {
  for (const [typed, both] of [
    ['1,234', ['1234', '1.234']],
    ['1.234', ['1234', '1.234']],
    ['45.000', ['45000', '45.000']],
    ['٤٥,٠٠٠', ['45000', '45.000']],
  ] as const)
    assert.deepEqual(readingsOf(typed), both, typed)
})

test('what is not written like a number is not guessed at', () => {
  for (const typed of [
    '',
    ' ',
    '-',
    ',',
    '.5',
    ',5',
    '5.',
    '5,',
    '1,,5',
    '1.5.5',
    '1,5,5',
    '32 50',
    '1 23',
    '1,2345,678',
    '0,123,456',
    "1'234 567",
    '1.234.56',
    '1,234.567.890',
    '1e3',
    '0x10',
    '½',
    '3²',
    'NaN',
    '一',
    '$5',
    '5 h',
    '--5',
    '1-2',
  ])
    assert.deepEqual(readingsOf(typed), [], typed)
})

test('any decimal is read the same in every way of writing it', () => {
  const styles = [
    ['', '.'],
    ['', ','],
    [',', '.'],
    ['.', ','],
    [' ', ','],
    ["'", '.'],
    ['\u202f', ','],
    ['٬', '٫'],
  ] as const
  fc.assert(
    fc.property(
      fc.nat(999_999_999),
      fc.nat(99),
      fc.constantFrom(...styles),
      fc.constantFrom(0x30, 0x660, 0x6f0, 0x966, 0xff10),
      (whole, cents, [group, mark], zero) => {
        const decimals = String(cents).padStart(2, '0')
        const grouped = String(whole).replaceAll(/\B(?=(?:\d{3})+$)/g, group)
        const typed = `${grouped}${mark}${decimals}`.replaceAll(/\d/g, (digit) =>
          String.fromCodePoint(zero + Number(digit)),
        )
        assert.deepEqual(readingsOf(typed), [`${whole}.${decimals}`])
      },
    ),
  )
})

test('a form sends a clear number as a number, and anything else as it was typed', () => {
  assert.equal(typedNumber('32,50'), 32.5)
  assert.equal(typedNumber('١٠'), 10)
  for (const typed of ['1,234', '-5', '4x', '12345678901', '1.23456']) assert.equal(typedNumber(typed), typed)
  assert.equal(typedNumberOrNull(' '), null)
})
