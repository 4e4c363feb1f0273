import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { ENGLISH, LANGUAGES } from './reading/language.ts'
import { languageOf } from './which-language.ts'

const VOICE = new URL('../../../data/voice/', import.meta.url)
const NAMES = ['Maya', 'Theo', 'Ethan', 'Ingrid Weber']
const [, SPANISH] = LANGUAGES

/** The language of each labeled text in a folder. */
function languagesIn(folder: string): ReturnType<typeof languageOf>[] {
  const url = new URL(folder, VOICE)
  return readdirSync(url)
    .filter((name) => name.endsWith('.jsonl'))
    .flatMap((name) => readFileSync(new URL(name, url), 'utf8').trim().split('\n'))
    .map((line) => {
      const { text, children, tutors } = JSON.parse(line) as {
        text: string
        children: string[]
        tutors: { name: string }[]
      }
      return languageOf(text, [...children, ...tutors.map(({ name }) => name)])
    })
}

test('of English and Spanish texts, at most one in a thousand is refused, and few are taken for the other', () => {
  const english = ['./', 'unseen/', 'unseen/undated/'].flatMap(languagesIn)
  const spanish = ['es/', 'unseen/es/'].flatMap(languagesIn)
  assert.ok(english.length > 14_000 && spanish.length > 700)
  const refused = [...english, ...spanish].filter((language) => language === undefined)
  assert.ok(refused.length <= (english.length + spanish.length) / 1000, `${refused.length} refused`)
  const mistaken = english.filter((language) => language === SPANISH).length
  assert.ok(mistaken <= english.length / 1000, `${mistaken} taken for Spanish`)
  assert.ok(spanish.filter((language) => language === ENGLISH).length <= spanish.length / 100)
})

test('of texts in 24 other languages, 95% are refused', () => {
  const texts = readFileSync(new URL('unseen/other-languages.txt', VOICE), 'utf8').trim().split('\n')
  assert.equal(texts.length, 100)
  const taken = texts.filter((text) => languageOf(text, NAMES) !== undefined)
  assert.ok(taken.length <= 5, taken.join('\n'))
})

test('sentences in two languages are read in Spanish, and names, numbers and a few words are never refused', () => {
  for (const text of [
    'yesterday maya tuvo one hour de math con ingrid',
    'Ethan had una hora y media ayer con Ingrid',
    'hoy maya 1 h',
  ])
    assert.equal(languageOf(text, NAMES), SPANISH, text)
  for (const text of [
    'Maya 45 Ingrid',
    'Theo 3/14 60 min $40',
    'Zoltan, Björn, Oksana',
    'Maya piano 30',
    '李明 had an hour of math',
    'Ethan, Schubert, 4-5',
    'maya ukelele w ingrid',
    '12:30',
    '',
  ])
    assert.equal(languageOf(text, NAMES), ENGLISH, text)
  assert.equal(languageOf('Maya hatte gestern eine Stunde Mathe', NAMES), undefined)
})
