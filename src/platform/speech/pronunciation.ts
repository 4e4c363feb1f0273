// Word pronunciations, from the dictionary or, for names, from a speech synthesizer's phonemes.

// Maps the synthesizer's IPA to the dictionary's phones (ARPAbet), longest first. Ignores length and stress.
const PHONES: [string, string][] = [
  ['aɪɚ', 'AY ER'],
  ['aɪə', 'AY AH'],
  ['tʃ', 'CH'],
  ['dʒ', 'JH'],
  ['eɪ', 'EY'],
  ['aɪ', 'AY'],
  ['ɔɪ', 'OY'],
  ['aʊ', 'AW'],
  ['oʊ', 'OW'],
  ['əʊ', 'OW'],
  ['əl', 'AH L'],
  ['ɑːɹ', 'AA R'],
  ['ɔːɹ', 'AO R'],
  ['oːɹ', 'AO R'],
  ['ʊɹ', 'UH R'],
  ['ɪɹ', 'IH R'],
  ['ɛɹ', 'EH R'],
  ['ɜː', 'ER'],
  ['ɚ', 'ER'],
  ['ɝ', 'ER'],
  ['ɪ', 'IH'],
  ['ᵻ', 'IH'],
  ['i', 'IY'],
  ['ɛ', 'EH'],
  ['e', 'EY'],
  ['æ', 'AE'],
  ['a', 'AA'],
  ['ɑ', 'AA'],
  ['ɒ', 'AA'],
  ['ɔ', 'AO'],
  ['o', 'OW'],
  ['ʊ', 'UH'],
  ['u', 'UW'],
  ['ʌ', 'AH'],
  ['ə', 'AH'],
  ['ɐ', 'AH'],
  ['p', 'P'],
  ['b', 'B'],
  ['t', 'T'],
  ['ɾ', 'T'],
  ['ʔ', 'T'],
  ['d', 'D'],
  ['k', 'K'],
  ['ɡ', 'G'],
  ['g', 'G'],
  ['f', 'F'],
  ['v', 'V'],
  ['θ', 'TH'],
  ['ð', 'DH'],
  ['s', 'S'],
  ['z', 'Z'],
  ['ʃ', 'SH'],
  ['ʒ', 'ZH'],
  ['h', 'HH'],
  ['x', 'K'],
  ['m', 'M'],
  ['n', 'N'],
  ['ŋ', 'NG'],
  ['l', 'L'],
  ['ɬ', 'L'],
  ['ɹ', 'R'],
  ['r', 'R'],
  ['j', 'Y'],
  ['w', 'W'],
]

/** Converts an IPA transcription to phones, for example "M AY AH". Drops symbols that have no matching phone. */
export function phonesOfIpa(ipa: string): string {
  // Drops stress, length and diacritics, except for the long vowels in the table.
  const plain = ipa.replaceAll(/[^\p{L}ː]/gu, '').replaceAll('ʲ', '')
  const phones: string[] = []
  for (let at = 0; at < plain.length;) {
    const found = PHONES.find(([symbols]) => plain.startsWith(symbols, at))
    if (found) phones.push(found[1])
    at += found?.[0].length ?? 1
  }
  // A double consonant is pronounced as one.
  return phones
    .join(' ')
    .split(' ')
    .filter((phone, at, all) => phone !== all[at - 1])
    .join(' ')
}

/**
 * Alternative pronunciations of a name. For example, Sofia can rhyme with Mia or with Mariah, or have two
 * syllables. Aarav can start like "are" or like "arrow".
 */
export function variantsOf(phones: string): string[] {
  const endings = phones.endsWith(' IY AH')
    ? [phones, phones.replace(/IY AH$/, 'AY AH'), phones.replace(/IY AH$/, 'Y AH')]
    : [phones]
  return phones.startsWith('AA ')
    ? endings.flatMap((ending) => [ending, ending.replace('AA', 'AE')])
    : endings
}

/** A pronunciation dictionary's lines, grouped by word. Each word has one or more pronunciations. */
export function readDictionary(text: string): Map<string, string[]> {
  const dictionary = new Map<string, string[]>()
  for (const line of text.split('\n')) {
    const space = line.indexOf(' ')
    if (space < 1) continue
    const word = line.slice(0, space).replace(/\(\d+\)$/, '')
    const known = dictionary.get(word)
    if (known) known.push(line.slice(space + 1))
    else dictionary.set(word, [line.slice(space + 1)])
  }
  return dictionary
}

/**
 * Builds the dictionary for a model's words. Names also get the synthesizer's phones, because the dictionary
 * spells out names like Siobhan letter by letter.
 */
export function dictionaryLines(
  words: Iterable<string>,
  known: Map<string, string[]>,
  extra: Map<string, string[]>,
): string {
  const lines: string[] = []
  for (const word of words) {
    const all = [...new Set([...(known.get(word) ?? []), ...(extra.get(word) ?? [])])].filter(Boolean)
    all.forEach((phones, index) => lines.push(`${word}${index === 0 ? '' : `(${index + 1})`} ${phones}`))
  }
  return `${lines.join('\n')}\n`
}
