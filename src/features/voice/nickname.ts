// Which short names go with which full names. Each entry in nicknames.json lists full names that sound alike,
// then their short forms.
import groups from './nicknames.json' with { type: 'json' }

const FULL_OF = new Map<string, Set<string>>()
const SHORT_OF = new Map<string, Set<string>>()
const SAME = new Map<string, Set<string>>()
for (const group of groups) {
  const [fulls = [], shorts = []] = group.map((part) => part.split(' '))
  for (const full of fulls) {
    for (const short of shorts) {
      SHORT_OF.set(full, (SHORT_OF.get(full) ?? new Set()).add(short))
      FULL_OF.set(short, (FULL_OF.get(short) ?? new Set()).add(full))
    }
    SAME.set(full, new Set([...(SAME.get(full) ?? []), ...fulls]))
  }
}

/** What 'Mayita' or 'Dieguito' are diminutives of, without their last vowel. */
const DIMINUTIVE = /^(\p{L}{2,}?)(?:[cs]?it|ill|ic)[oa]s?$/u

/** Whether one of two different first names is short for the other, or both are short for the same name. */
export function isNickname(word: string, name: string): boolean {
  if (word === name) return false
  const stem = DIMINUTIVE.exec(word)?.[1]?.replace(/qu$/, 'c').replace(/gu$/, 'g')
  if (
    stem !== undefined &&
    ['', 'o', 'a', 'e', 'os'].some((end) => stem + end === name || isShort(stem + end, name))
  )
    return true
  return isShort(word, name)
}

function isShort(word: string, name: string): boolean {
  if (SHORT_OF.get(name)?.has(word) || SHORT_OF.get(word)?.has(name)) return true
  const [one, other] = [FULL_OF.get(word), FULL_OF.get(name)]
  return one !== undefined && other !== undefined && [...one].some((full) => other.has(full))
}

/** A first name's short forms, most common first; empty if it has none. */
export function nicknamesOf(name: string): string[] {
  return [...(SHORT_OF.get(name) ?? [])]
}

/** Every name in the table, full and short. */
export function namesWithNicknames(): string[] {
  return [...SHORT_OF.keys(), ...FULL_OF.keys()]
}
