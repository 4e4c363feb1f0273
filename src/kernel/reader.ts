// How the person who reads a screen, an email or a paper writes dates, times and numbers
// (docs/decisions/0055-every-reader.md). All texts are in English; only these differ by region.
import * as z from 'zod/mini'

interface Reader {
  /** One of the variants of English that we write, such as en-GB. */
  locale: string
  hourCycle: 'h12' | 'h23'
  /** 0 is Sunday. */
  firstWeekday: number
}

/** The regions whose English we write. Everyone else gets that of Great Britain (docs/product-decisions.md, section 13). */
const ENGLISH = new Set(['US', 'GB', 'AU', 'CA', 'IN', 'ZA', 'IE', 'NZ'])

/** The header that tells the server the region of the person behind a request. */
export const REGION_HEADER = 'tutorlog-region'

const TWO_LETTERS = /^[A-Z]{2}$/

/** Whether this is written like a region: two capital letters. */
export function isRegion(text: string): boolean {
  return TWO_LETTERS.test(text)
}

export const Region = z.string({ error: 'Choose a region' }).check(z.regex(TWO_LETTERS, 'Choose a region'))

export const AMERICAN: Reader = { locale: 'en-US', hourCycle: 'h12', firstWeekday: 0 }

/** Codes that CLDR names although nobody lives there: groups of states, tests, and unknown places. */
const NOT_REGIONS = new Set('EU EZ UN QO XA XB ZZ'.split(' '))

const readers = new Map<string, Reader>([['US', AMERICAN]])

/**
 * How people write in a region (two letters, ISO 3166), by the CLDR data of this machine or browser. Where that's
 * unknown, as in the United States.
 */
export function readerIn(region: string | null): Reader {
  if (region === null) return AMERICAN
  const known = readers.get(region)
  if (known) return known
  const made: Reader = {
    locale: ENGLISH.has(region) ? `en-${region}` : 'en-GB',
    hourCycle: hourCycleIn(region),
    firstWeekday: firstWeekdayIn(region),
  }
  if (readers.size < 300) readers.set(region, made)
  return made
}

/** A locale of a region in its own language, such as de-Latn-DE, and for ours in English. */
function localeIn(region: string): Intl.Locale {
  return ENGLISH.has(region) ? new Intl.Locale(`en-${region}`) : new Intl.Locale(`und-${region}`).maximize()
}

function hourCycleIn(region: string): Reader['hourCycle'] {
  const { hourCycle } = new Intl.DateTimeFormat(localeIn(region), { hour: 'numeric' }).resolvedOptions()
  return hourCycle === 'h23' || hourCycle === 'h24' ? 'h23' : 'h12'
}

function firstWeekdayIn(region: string): number {
  const locale = localeIn(region) as Intl.Locale & {
    getWeekInfo?: () => { firstDay: number }
    weekInfo?: { firstDay: number }
  }
  const { firstDay } = locale.getWeekInfo?.() ?? locale.weekInfo ?? { firstDay: 1 }
  return firstDay % 7
}

/** The region of a browser's language, such as DE for "de-DE" and for "de". Undefined if it names none. */
export function regionOfLanguage(language: string): string | undefined {
  try {
    const { region } = new Intl.Locale(language).maximize()
    return region !== undefined && isRegion(region) ? region : undefined
  } catch {
    return undefined
  }
}

const LETTERS = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ')

/** All regions that have an English name in CLDR, by name, and the reader's own even if it has none. */
export function regions(own: string): { region: string; name: string }[] {
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
  const found = LETTERS.flatMap((first) => LETTERS.map((second) => first + second)).flatMap((region) => {
    // Codes of former countries stand for today's.
    const isOwn = new Intl.Locale(`und-${region}`).region === region
    const name = isOwn && !NOT_REGIONS.has(region) ? names.of(region) : undefined
    return name || region === own ? [{ region, name: name ?? region }] : []
  })
  return found.sort((one, other) => one.name.localeCompare(other.name, 'en'))
}

let whoReads = (): Reader => AMERICAN

/** Decides, once per program, where the current reader comes from. */
export function readFor(source: () => Reader): void {
  whoReads = source
}

export function reader(): Reader {
  return whoReads()
}

/** Formats a whole number for its reader: "1,234". */
export function formatCount(count: number): string {
  return count.toLocaleString(reader().locale)
}
