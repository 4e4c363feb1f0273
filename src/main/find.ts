// Finds a child, a tutor, a session, a payment, a charge or a page based on a few typed letters.
import { plainSpelling } from '#kernel/plain-spelling.ts'
import { paths } from '#features/site/paths.ts'
import { obstacleTo, type Reader } from './page-rights.ts'

export interface Findable {
  kind: 'Pages' | 'Children' | 'Students' | 'Tutors' | 'Sessions' | 'Payments' | 'Charges'
  id: string
  label: string
  /** Shown after the label, and searched as well. */
  detail?: string
}

/** The pages and their titles, plus other words that people might type to find a page. */
const PAGES: { to: string; label: string; words?: string }[] = [
  { to: paths.dashboard, label: 'Dashboard', words: 'home' },
  { to: paths.addSession, label: 'Add Session', words: 'log lesson voice' },
  { to: paths.summary, label: 'Summary', words: 'month total sessions' },
  { to: paths.year, label: 'Year', words: 'total' },
  { to: paths.taxes, label: 'Taxes', words: 'income received quarter year' },
  { to: paths.children, label: 'Children', words: 'kids students' },
  { to: paths.students, label: 'Students', words: 'children' },
  { to: paths.tutors, label: 'Tutors', words: 'teachers' },
  { to: paths.schedules, label: 'Schedules', words: 'recurring classes calendar' },
  { to: paths.payments, label: 'Payments', words: 'paid due balance money' },
  { to: paths.months, label: 'Closed months', words: 'statements pdf sign-off' },
  { to: paths.papers, label: 'Receipts and invoices', words: 'papers records number pdf esa tax' },
  { to: paths.toConfirm, label: 'To confirm', words: 'waiting agree' },
  {
    to: paths.importSessions,
    label: 'Import',
    words: 'csv spreadsheet calendar ics sessions charges credits',
  },
  { to: paths.admin, label: 'Administration', words: 'people jobs' },
  { to: paths.account, label: 'Account settings', words: 'password plan members notifications' },
  { to: paths.inviteFriends, label: 'Invite Friends', words: 'referral' },
  { to: paths.help, label: 'Help', words: 'questions support' },
]

/** The pages that this person can open. `id` is the path, and `detail` has the additional words to search for. */
export function pagesFor(reader: Reader): Findable[] {
  return PAGES.filter(({ to }) => !obstacleTo(to, reader)).map(({ to, label, words }) => ({
    kind: 'Pages' as const,
    id: to,
    // Without amounts, the month page only lists sessions, so it gets a different title.
    label: to === paths.summary && !reader.seesAmounts ? 'Sessions' : label,
    detail: words,
  }))
}

/** The maximum number of results. They have to fit on a screen without much scrolling. */
const MOST = 12

/**
 * Returns at most 12 entries in which every typed word matches the start of a word. Entries whose labels
 * match come first. If nothing is typed, returns nothing.
 */
export function found(typed: string, all: readonly Findable[]): Findable[] {
  const wanted = wordsOf(typed)
  if (wanted.length === 0) return []
  return all
    .map((one) => ({ one, rank: rankOf(wanted, one) }))
    .filter(({ rank }) => rank > 0)
    .toSorted((a, b) => b.rank - a.rank)
    .slice(0, MOST)
    .map(({ one }) => one)
}

/**
 * 3 if the label starts with the first typed word, 2 if the label alone matches all words, 1 if some words
 * only match in the detail, 0 if a word doesn't match at all.
 */
function rankOf(wanted: string[], { label, detail = '' }: Findable): number {
  const inLabel = wordsOf(label)
  const everywhere = [...inLabel, ...wordsOf(detail)]
  const has = (words: string[], part: string) => words.some((word) => word.startsWith(part))
  if (!wanted.every((part) => has(everywhere, part))) return 0
  if (inLabel[0]?.startsWith(wanted[0] ?? '')) return 3
  return wanted.every((part) => has(inLabel, part)) ? 2 : 1
}

/** Words in their plain spelling, so that "jose" finds José. */
function wordsOf(text: string): string[] {
  return plainSpelling(text)
    .split(/[\s,.·\p{Sc}-]+/u)
    .filter(Boolean)
}
