// A pasted list of names: one per line, or separated by commas, semicolons or tabs.
import * as z from 'zod/mini'
import { requiredText } from './text.ts'

/** How many can be added with one call. */
export const MOST_AT_ONCE = 100

/** The names that one call adds: at least one, at most 100. @param longest how many characters a name may have */
export function namesToAdd(longest: number) {
  return z
    .array(requiredText(longest, 'Name is required'))
    .check(
      z.minLength(1, 'Enter at least one name'),
      z.maxLength(MOST_AT_ONCE, `Add at most ${MOST_AT_ONCE} at once`),
    )
}

/** Says that the list would become too long: all are added, or none. */
export const TOO_MANY_ROWS = {
  status: 422,
  title: 'This would exceed the limit of 500 on this list, so nobody was added',
} as const

/** One name of a pasted list. */
export interface ListedName {
  name: string
  /** Whether somebody of this name is on the list that it is added to. */
  isKnown: boolean
  /** Whether the name is too long to be stored. */
  isTooLong: boolean
}

export interface NameList {
  names: ListedName[]
  /** Names that were in the text more than once; each is in the list once. */
  repeated: string[]
}

const SEPARATORS = /[\n\r,;\t]+/
/** What a list puts before its items, such as "1." or "-". */
const MARK = /^(?:[-*•–]|\d{1,3}[.)])\s+/

const key = (name: string) => name.normalize('NFC').toLowerCase().replace(/\s+/g, ' ')

/** The names in a text in the order they appear, without the marks of a list. @param known the names that are there already @param longest how many characters a name may have */
export function namesIn(text: string, known: readonly string[], longest: number): NameList {
  const taken = new Set(known.map(key))
  const found = new Map<string, ListedName>()
  const repeated = new Set<string>()
  for (const part of text.split(SEPARATORS)) {
    const name = part.trim().replace(MARK, '').replace(/\s+/g, ' ')
    if (name === '') continue
    const first = found.get(key(name))
    if (first) repeated.add(first.name)
    else found.set(key(name), { name, isKnown: taken.has(key(name)), isTooLong: [...name].length > longest })
  }
  return { names: [...found.values()], repeated: [...repeated] }
}
