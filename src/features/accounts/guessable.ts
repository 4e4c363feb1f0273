// Words that whoever guesses a password tries first: the product's and the person's own
// (docs/security.md, Words that passwords can't be made of).
import { plainSpelling } from '#kernel/plain-spelling.ts'
import { opaqueString } from './password.ts'

/** Whose password it is, as far as it's known when the password is chosen. */
export interface PasswordOwner {
  email: string
  fullName?: string | null | undefined
}

const PRODUCT = 'tutorlog'
/** Words of the product that are fine in a longer password, but nothing else may be made only of them. */
const PRODUCT_WORDS = (
  'admin child children family kid kids lesson lessons log login parent parents password practice school ' +
  'session sessions student students teacher tutor tutoring tutors welcome'
).split(' ')
/** Shorter words are part of too many others: Ann of planning, Lee of sleep. */
const SHORTEST_WITHIN = 4

/** Reasons why someone who knows the product or the person could guess this password; empty if none. */
export function guessableReasons(password: string, { email, fullName }: PasswordOwner): string[] {
  const typed = squashed(opaqueString(password))
  const [local = '', domain = ''] = email.split('@')
  const own = { name: wordsOf(fullName ?? ''), address: wordsOf(local) }
  const whole = { name: squashed(fullName ?? ''), address: squashed(local) }
  const hosts = wordsOf(domain).slice(0, -1)

  const reasons: string[] = []
  if (contains(typed, [PRODUCT])) reasons.push('It contains this app’s name.')
  if (contains(typed, [...own.name, whole.name])) reasons.push('It contains your name.')
  if (
    contains(typed, [...own.address, whole.address, reversed(whole.address)]) ||
    [email, domain].some((text) => typed === squashed(text))
  )
    reasons.push('It’s too similar to your email address.')
  if (reasons.length > 0) return reasons
  return isMadeOf(typed.replaceAll(/\P{L}/gu, ''), [...own.name, ...own.address, ...hosts, ...PRODUCT_WORDS])
    ? ['It’s made only of words that are easy to guess here.']
    : []
}

function contains(typed: string, words: string[]): boolean {
  return words.some((word) => word.length >= SHORTEST_WITHIN && typed.includes(word))
}

/** Whether letters are just these words, one after another. */
function isMadeOf(letters: string, words: string[]): boolean {
  const ends = new Set([0])
  for (let start = 0; start < letters.length; start++)
    if (ends.has(start))
      for (const word of words) if (letters.startsWith(word, start)) ends.add(start + word.length)
  return letters !== '' && ends.has(letters.length)
}

function wordsOf(text: string): string[] {
  return plainSpelling(text).match(/\p{L}+/gu) ?? []
}

/** Letters and digits alone: Tutor-Log and tutorlog are the same word. */
function squashed(text: string): string {
  return plainSpelling(text).replaceAll(/[^\p{L}\p{N}]/gu, '')
}

function reversed(text: string): string {
  return [...text].reverse().join('')
}
