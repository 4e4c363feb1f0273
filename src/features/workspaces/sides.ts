// What the two sides of a connection are called, also where nobody gave a name: never an address, or a part of one.
import { plainName } from '#kernel/plain-name.ts'

/** "Maya and Leo", as a sentence names them; empty without any. */
export function namesInWords(firstNames: readonly string[]): string {
  const names = firstNames.map((name) => plainName(name, '?'))
  const last = names.at(-1) ?? ''
  return names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${last}` : last
}

/** What a family is called: the name that it gave, else "Maya's family", else "A family". */
export function familyOf(name: string | null, firstNames: readonly string[]): string {
  const children = namesInWords(firstNames)
  return plainName(name, children ? `${children}'s family` : 'A family')
}

/** What a tutor is called: the name, else "Maya's tutor", else "A tutor". */
export function tutorOf(name: string | null, firstNames: readonly string[]): string {
  const children = namesInWords(firstNames)
  return plainName(name, children ? `${children}'s tutor` : 'A tutor')
}

/** What the other side of a connection is called on the screens of a side. */
export function nameOfOther(
  { other_name: name, people }: { other_name: string | null; people: readonly { first_name: string }[] },
  side: 'parent' | 'tutor',
): string {
  const firstNames = people.map((person) => person.first_name)
  return side === 'parent' ? tutorOf(name, firstNames) : familyOf(name, firstNames)
}
