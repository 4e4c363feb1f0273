// What strangers read in place of a name: the part of an email address before the @.
import topLevelDomains from 'tlds' with { type: 'json' }
import { LONGEST_NAME, plainName } from './plain-name.ts'

const TOP_LEVEL_DOMAINS: ReadonlySet<string> = new Set(topLevelDomains)
const LABELS = /^[\p{L}\p{M}\p{N}+_-]+(?:\.[\p{L}\p{M}\p{N}+_-]+)*$/u
const MOST_DIGITS = 6

/**
 * The part before the @, such as "jane.doe". If an email program could turn it into a link or a phone number,
 * it's changed like any other name: "evil.com" becomes "evil. com".
 */
export function nameInAddress(email: string, otherwise: string): string {
  const local = email.split('@')[0] ?? ''
  const [, ...labels] = local.toLowerCase().split('.')
  const isDomain = labels.some((label) => TOP_LEVEL_DOMAINS.has(/^[^+_-]*/.exec(label)?.[0] ?? ''))
  const isNumber = local.replaceAll(/\P{Nd}/gu, '').length > MOST_DIGITS || !/\p{L}/u.test(local)
  const isPlain = LABELS.test(local) && local.length <= LONGEST_NAME && local === local.normalize('NFKC')
  return isPlain && !isDomain && !isNumber ? local : plainName(local, otherwise)
}
