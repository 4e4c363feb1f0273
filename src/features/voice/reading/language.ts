// The languages that texts are read in. A language is a folder of data: how its words are said in English, word by
// word, and the phrases that have another order. What follows sees English words, so that word classes, everyday
// words and weights serve every language.
import spanishPhrases from './es/phrases.json' with { type: 'json' }
import spanishWords from './es/words.json' with { type: 'json' }
import phrases from './phrases.json' with { type: 'json' }
import english from './words.json' with { type: 'json' }

export type Table = keyof typeof phrases.tables
export const TABLES = Object.keys(phrases.tables) as Table[]

/** Inverts a table in words.json: maps each spelling to its key. */
export function byWord(table: Record<string, string>): Map<string, string> {
  const rows = Object.entries(table).map(([key, spellings]) => [key, ...spellings.split(' ')])
  return new Map(rows.flatMap(([key = '', ...all]) => [key, ...all].map((word) => [word, key])))
}

interface Data {
  /** Patterns of words that English splits. */
  pieces: string[]
  /** Whether thirty five is 'thirty and five'. */
  joinsTens: boolean
  spellings: Record<string, string>
  misheard: string[][]
  days: Record<string, number>
  /** Words that other languages have, too. */
  shared: string
}
interface Phrases {
  parts: Record<string, string>
  tables: Partial<Record<Table, string[][]>>
}
export type Language = ReturnType<typeof languageFrom>

const SPELLED = [english.spellings, english.weekdays, english.months, english.titles].map(byWord)
const KNOWN = [...SPELLED.flatMap((words) => [...words.keys()]), ...english.subjects]

/** Where a language has no word or type of phrase of its own, the English one is read. */
function languageFrom<Name extends string>(name: Name, data: Data, { parts, tables }: Phrases) {
  const spelled = Object.entries(data.spellings).flatMap(([key, all]) =>
    all.split(' ').map((word): [string, string] => [word, key]),
  )
  const own = new Set(spelled.map(([word]) => word))
  const misheard = [...data.misheard, ...english.misheard]
  const rows = TABLES.flatMap((table) => {
    const mine = tables[table] ?? []
    const others = phrases.tables[table].filter(([type]) => !mine.some(([other]) => other === type))
    return [...others, ...mine].map(([type = '', pattern = '', example = '']) => {
      return { table, type, pattern, example }
    })
  })
  return {
    ...data,
    name,
    rows,
    parts: { ...phrases.parts, ...parts },
    misheard: misheard.map(([around = '', meant = '']) => ({ around: new RegExp(around), meant })),
    /** The English for each spelling, which may be several words. */
    meant: new Map([...(SPELLED[0] ?? []), ...spelled]),
    own,
    /** Words that aren't names. */
    known: new Set([...KNOWN, ...own]),
  }
}

const NOTHING = { pieces: [], joinsTens: false, spellings: {}, misheard: [], shared: '' }
export const ENGLISH = languageFrom('en', { ...NOTHING, days: english.days }, phrases)
export const OVER_ENGLISH = [languageFrom('es', spanishWords, spanishPhrases)]
export const LANGUAGES: Language[] = [ENGLISH, ...OVER_ENGLISH]
