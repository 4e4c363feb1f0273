// Names for the two sides of a connection. Each side has one, even if nobody gave it a name. Names never
// contain any part of an email address.
import { plainName } from '#kernel/plain-name.ts'

/** Joins first names for use in a sentence, such as "Maya and Leo". Empty if there aren't any. */
export function namesInWords(firstNames: readonly string[]): string {
  const names = firstNames.map((name) => plainName(name, '?'))
  const last = names.at(-1) ?? ''
  return names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${last}` : last
}

/** The name to show for a family: the one it gave, "Maya's family", or "A family". */
export function familyOf(name: string | null, firstNames: readonly string[]): string {
  const children = namesInWords(firstNames)
  return plainName(name, children ? `${children}'s family` : 'A family')
}

/** The name to show for a tutor: the one they gave, "Maya's tutor", or "A tutor". */
export function tutorOf(name: string | null, firstNames: readonly string[]): string {
  const children = namesInWords(firstNames)
  return plainName(name, children ? `${children}'s tutor` : 'A tutor')
}

/** What the reader's screens call the other side of a connection. */
export function nameOfOther(
  { other_name: name, people }: { other_name: string | null; people: readonly { first_name: string }[] },
  side: 'parent' | 'tutor',
): string {
  const firstNames = people.map((person) => person.first_name)
  return side === 'parent' ? tutorOf(name, firstNames) : familyOf(name, firstNames)
}
