import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dictionaryLines, phonesOfIpa, readDictionary, variantsOf } from './pronunciation.ts'

test('IPA becomes the phones of the dictionary', () => {
  assert.equal(phonesOfIpa('ʃɪvˈɔːn'), 'SH IH V AO N')
  assert.equal(phonesOfIpa('tʃˈɪdi'), 'CH IH D IY')
  assert.equal(phonesOfIpa('dʒˈeɪdən'), 'JH EY D AH N')
  assert.equal(phonesOfIpa('ˈɑːɹɹæv'), 'AA R AE V')
  assert.equal(phonesOfIpa('fˈaɪɚ bˈɜːd'), 'F AY ER B ER D')
})

test('each pronunciation of a word is listed once', () => {
  const known = readDictionary('read R EH D\nread(2) R IY D\nmaya M AY AH\n')
  assert.equal(
    dictionaryLines(
      ['read', 'maya', 'chidi'],
      known,
      new Map([
        ['maya', ['M AY AH', 'M EY AH']],
        ['chidi', ['CH IH D IY', '']],
      ]),
    ),
    'read R EH D\nread(2) R IY D\nmaya M AY AH\nmaya(2) M EY AH\nchidi CH IH D IY\n',
  )
})

test('a name ending in -ia has three pronunciations, and one starting with an open a has two', () => {
  assert.deepEqual(variantsOf('Z OW F IY AH'), ['Z OW F IY AH', 'Z OW F AY AH', 'Z OW F Y AH'])
  assert.deepEqual(variantsOf('T AA M'), ['T AA M'])
  assert.deepEqual(variantsOf('AA R AE V'), ['AA R AE V', 'AE R AE V'])
})
