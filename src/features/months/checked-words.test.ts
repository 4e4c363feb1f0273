import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { checkedWords } from './checked-words.ts'
import { checkPage, readKeys } from './page-check.ts'

const VECTORS = join(import.meta.dirname, '../../../docs/page-format')
const keysFile = await readKeys(readFileSync(join(VECTORS, 'keys.json'), 'utf8'))
const keys = (keysFile?.keys ?? []).map((key) => ({ ...key, origin: keysFile?.origin ?? '' }))
const wordsOf = async (name: string, known = keys) =>
  checkedWords(await checkPage(readFileSync(join(VECTORS, name)), known), known)

test('a genuine page is told with its figures, who answered when and how, and which signatures hold', async () => {
  const words = await wordsOf('passkeys.json')
  assert.equal(words.title, 'This page is genuine')
  assert.match(
    words.text,
    /^https:\/\/tutorlog\.example signed it\. .* can’t tell whether both sides reopened/,
  )
  assert.deepEqual(
    words.signatures.map(({ isGood }) => isGood),
    [true, true, true],
  )
  assert.deepEqual(words.page?.answers, [
    ['Family', 'Confirmed it on Apr 28, 2023, 9:00 PM UTC with an account, and signed it with a passkey.'],
    [
      'Tutor',
      'Asked to close the month on Apr 28, 2023, 8:00 PM UTC with an account, and signed it with a passkey.',
    ],
  ])
  assert.deepEqual(words.page.figures.at(-1), ['Due', '€187.73'])
  assert.deepEqual(
    words.page.lists.map(([title, lines]) => [title, lines.length]),
    [
      ['Sessions', 3],
      ['Other charges', 3],
      ['Payments', 2],
    ],
  )
})

test('what the server did not sign is never shown as what a page says', async () => {
  for (const name of ['cent.json', 'date.json', 'answer.json', 'other-key.json', 'spaces.json'])
    assert.equal((await wordsOf(name)).page, null, name)
  const aroundIt = await wordsOf('byte.pdf')
  assert.match(aroundIt.text, /the PDF around it isn’t\. Rely only on what’s shown here/)
  assert.deepEqual(
    aroundIt.signatures.map(({ isGood }) => isGood),
    [true, false],
  )
})

test('an unknown key is told apart from a change, and a passkey’s signature from the server’s', async () => {
  assert.match(
    (await wordsOf('genuine.pdf', [])).text,
    /says that it’s from https:\/\/tutorlog\.example\. Anybody can make a page/,
  )
  assert.equal((await wordsOf('cent.json')).title, 'This file was changed')
  const words = await wordsOf('passkey-of-another-text.json')
  assert.match(words.title, /passkey doesn’t hold/)
  assert.equal(words.signatures.find(({ whose }) => whose.startsWith('The family'))?.isGood, false)
})
