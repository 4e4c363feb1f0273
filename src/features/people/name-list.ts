// Parses a pasted list of names, with one name per line, or separated by commas, semicolons or tabs.
import * as z from 'zod/mini'
import { nameKey } from '#kernel/names.ts'
import { requiredText, trimmed } from '#kernel/text.ts'

export const MOST_AT_ONCE = 100

/**
 * The schema for the names to add in one request: 1 to 100.
 * @param longest the maximum length of a name, in characters
 */
export function namesToAdd(longest: number) {
  return z
    .array(requiredText(longest, 'Name is required'))
    .check(
      z.minLength(1, 'Enter at least one name'),
      z.maxLength(MOST_AT_ONCE, `Add at most ${MOST_AT_ONCE} at once`),
    )
}

/** The refusal for when the new names would make the list too long. None of them are added. */
export const TOO_MANY_ROWS = {
  status: 422,
  title: 'This would exceed the limit of 500 on this list, so nobody was added',
} as const

interface ListedName {
  name: string
  /** True if someone with this name is already on the list. */
  isKnown: boolean
  isTooLong: boolean
}

interface NameList {
  names: ListedName[]
  /** Names that appear more than once in the text, each listed once. */
  repeated: string[]
}

const SEPARATORS = /[\n\r,;\t]+/
/** A bullet or number in front of an item, such as "-" or "1.". */
const MARK = /^(?:[-*•–]|\d{1,3}[.)])\s+/

/**
 * The names in the text, in the same order, without bullets and numbers.
 * @param known names that are already on the list
 * @param longest the maximum length of a name, in characters
 */
export function namesIn(text: string, known: readonly string[], longest: number): NameList {
  const taken = new Set(known.map(nameKey))
  const found = new Map<string, ListedName>()
  const repeated = new Set<string>()
  for (const part of text.split(SEPARATORS)) {
    const name = trimmed(trimmed(part).replace(MARK, '')).replace(/\s+/g, ' ')
    if (name === '') continue
    const first = found.get(nameKey(name))
    if (first) repeated.add(first.name)
    else
      found.set(nameKey(name), {
        name,
        isKnown: taken.has(nameKey(name)),
        isTooLong: [...name].length > longest,
      })
  }
  return { names: [...found.values()], repeated: [...repeated] }
}
