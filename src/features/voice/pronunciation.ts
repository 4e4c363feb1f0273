// Roughly how a name sounds in English, used to tell a misheard name from a different one.
import sounds from './sounds.json' with { type: 'json' }

/** Names that aren't pronounced the way they're spelled, respelled phonetically. */
const RESPELT = new Map(Object.entries(sounds.respelt))

/**
 * Spelling-to-sound rules; the first match wins. Uppercase letters stand for sounds written with more than
 * one letter (S sh, C ch, T th, N ng, A ay, E ee, I eye, O oh, U oo).
 */
const RULES = sounds.rules.map(([pattern = '', sound = '']): [RegExp, string] => [new RegExp(pattern), sound])
const CACHE = new Map<string, string>()

/** A word's sounds, one letter each. */
function soundsOf(word: string): string {
  const known = CACHE.get(word)
  if (known !== undefined) return known
  const plain = (RESPELT.get(word) ?? word)
    .replaceAll(/[^a-z]/g, '')
    .replaceAll(/([b-df-hj-np-tv-z])\1+/g, '$1')
  let rest = plain
  let sounds = ''
  while (rest !== '') {
    const rule = RULES.find(([pattern]) => pattern.test(rest) && (sounds === '' || !STARTS_ONLY.has(pattern)))
    const taken = rule ? (rule[0].exec(rest)?.[0].length ?? 1) : 1
    const sound = rule ? rule[1] : (rest[0] ?? '')
    if (sounds.at(-1) !== sound) sounds += sound
    rest = rest.slice(Math.max(taken, 1))
  }
  if (sounds === '') sounds = plain
  if (CACHE.size < 20_000) CACHE.set(word, sounds)
  return sounds
}
const STARTS_ONLY = new Set(RULES.slice(0, 8).map(([pattern]) => pattern))

const VOWELS = 'aeiouAEIOU'
/** Pairs of sounds that people and engines confuse, with the cost of confusing them. */
const NEAR: Record<string, number> = Object.fromEntries(
  Object.entries(sounds.near).flatMap(([cost, pairs]) =>
    pairs.split(' ').flatMap((pair) => [
      [pair, Number(cost)],
      [`${pair[1]}${pair[0]}`, Number(cost)],
    ]),
  ),
)

function swapCost(one: string, other: string): number {
  if (one === other) return 0
  return NEAR[one + other] ?? (VOWELS.includes(one) && VOWELS.includes(other) ? 0.4 : 1)
}
function dropCost(sound: string): number {
  return sound === 'h' ? 0.5 : VOWELS.includes(sound) ? 0.5 : 'td'.includes(sound) ? 0.8 : 1
}

const LIKENESS = new Map<string, number>()

/** How similar two words sound, from 0 (nothing in common) to 1 (the same). */
export function alike(one: string, other: string): number {
  const key = `${one} ${other}`
  const known = LIKENESS.get(key)
  if (known !== undefined) return known
  const likeness = likenessOf(soundsOf(one), soundsOf(other))
  if (LIKENESS.size < 50_000) LIKENESS.set(key, likeness)
  return likeness
}

function likenessOf(a: string, b: string): number {
  if (a === b) return 1
  // Each extra sound costs at least 0.5, so words of very different lengths don't need to be compared.
  if (Math.abs(a.length - b.length) > 0.6 * Math.max(a.length, b.length)) return 0
  // The same goes for words whose first consonants are never confused.
  if (!/[aeiouAEIOUh]/.test((a[0] ?? 'a') + (b[0] ?? 'a')) && swapCost(a[0] ?? '', b[0] ?? '') === 1) return 0
  let row = Array.from({ length: b.length + 1 }, (_, count) =>
    b
      .slice(0, count)
      .split('')
      .reduce((sum, sound) => sum + dropCost(sound), 0),
  )
  for (const sound of a) {
    const next = [(row[0] ?? 0) + dropCost(sound)]
    for (let place = 1; place <= b.length; place += 1) {
      const other_ = b[place - 1] ?? ''
      next.push(
        Math.min(
          (row[place] ?? 0) + dropCost(sound),
          (next[place - 1] ?? 0) + dropCost(other_),
          (row[place - 1] ?? 0) + swapCost(sound, other_),
        ),
      )
    }
    row = next
  }
  return Math.max(0, 1 - (row[b.length] ?? 0) / Math.max(a.length, b.length))
}
