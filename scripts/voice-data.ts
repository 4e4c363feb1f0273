// Loads and validates the labeled sentences in data/voice: one file per author, one sentence per line.
import { readdirSync, readFileSync } from 'node:fs'

/** One lesson in a labeled sentence. Fields the text leaves open are null. */
export interface LabeledSession {
  child: string | null
  tutor: string | null
  /** Null if the text leaves the day unclear; today if it doesn't mention one. */
  date: string | null
  minutes: number | null
  /**
   * Dollars an hour, set only if the text gives a price; 0 for a free lesson. An amount that someone paid, gave, sent
   * or received is a price only if the words say what it's for or how it was counted: "for it", "for the hour", "for
   * both", "in total", "altogether", "each", "an hour", "charged", "came to", "that's two hours". It is one, too, if
   * the amount stands alone ("$45, paid in cash"), and if the tutor has no rate yet.
   */
  rate: number | null
  /** Dollars that were paid and aren't the price. If they pay for several lessons, only the first one has them. */
  paid?: number
  subject: string | null
  notes: string | null
}

const KINDS = ['planned', 'cancelled', 'asked', 'other'] as const
type Kind = (typeof KINDS)[number]

export interface Labeled {
  author: string
  today: string
  children: string[]
  /** `rate` is the usual dollars an hour; 'You' is the account's own tutor. */
  tutors: { name: string; rate: number | null }[]
  text: string
  /** Empty if the text doesn't record a lesson. */
  sessions: LabeledSession[]
  /** Why there is no lesson; omitted if the author didn't say. */
  kind?: Kind
}

/** A correction of a lesson on a card, and the facts that it changes. */
export interface LabeledCorrection extends Pick<Labeled, 'author' | 'today' | 'children' | 'tutors'> {
  /** What the lesson was read from. */
  text: string
  former: Omit<LabeledSession, 'subject' | 'notes'>
  correction: string
  /** A person who isn't on the lists is null. */
  changes: Partial<Omit<LabeledSession, 'notes'>>
}

const FOLDER = new URL('../data/voice/', import.meta.url)
/** The sentences in Spanish. */
export const SPANISH = new URL('es/', FOLDER)

/** The files in data/voice, sorted by name, with their text. */
export function voiceFiles(folder = FOLDER): { author: string; text: string }[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .sort()
    .map((name) => ({
      author: name.replace(/\.jsonl$/, ''),
      text: readFileSync(new URL(name, folder), 'utf8'),
    }))
}

/** Parses every sentence in these files. */
export function labeledIn<Kind extends Labeled | LabeledCorrection = Labeled>(
  files: { author: string; text: string }[],
): Kind[] {
  return files.flatMap(({ author, text }) =>
    text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => ({ author, ...JSON.parse(line) }) as Kind),
  )
}

/** The corrections to learn from. Those in the folder `unseen` are only for measuring. */
export function corrections(
  folder: 'corrections' | 'corrections/unseen' = 'corrections',
): LabeledCorrection[] {
  return labeledIn<LabeledCorrection>(voiceFiles(new URL(`${folder}/`, FOLDER)))
}

const isDay = (day: string): boolean => /^\d{4}-\d\d-\d\d$/.test(day) && !Number.isNaN(Date.parse(day))

/** Describes what's wrong with a label; empty if nothing is. */
export function faultsOf(labeled: Labeled): string[] {
  const { today, children, tutors, text, sessions, kind } = labeled
  const faults: string[] = []
  if (!isDay(today)) faults.push(`today is ${today}`)
  if (text.trim() === '' || text.length > 4000)
    faults.push('the text is empty or longer than 4,000 characters')
  if (children.length + tutors.length === 0) faults.push('nobody is on the lists')
  if (kind !== undefined && (sessions.length > 0 || !KINDS.includes(kind))) faults.push(`kind is ${kind}`)
  return [...faults, ...sessions.flatMap((session) => sessionFaults(labeled, session))]
}

function sessionFaults({ today, children, tutors }: Labeled, session: LabeledSession): string[] {
  const { child, tutor, date, minutes, rate, paid } = session
  const faults: string[] = []
  if (child !== null && !children.includes(child)) faults.push(`${child} is not among the children`)
  if (tutor !== null && !tutors.some(({ name }) => name === tutor))
    faults.push(`${tutor} is not among the tutors`)
  if (date !== null && (!isDay(date) || date > today)) faults.push(`the date is ${date}`)
  if (minutes !== null && !(minutes >= 5 && minutes <= 600)) faults.push(`${minutes} minutes`)
  if (rate !== null && !(rate >= 0 && rate <= 500_000)) faults.push(`${rate} dollars an hour`)
  return paid === undefined ? faults : [...faults, ...paymentFaults(paid, session, tutors)]
}

function paymentFaults(paid: number, { tutor, rate }: LabeledSession, tutors: Labeled['tutors']): string[] {
  const isPrice = rate === null && tutors.some((one) => one.name === tutor && one.rate === null)
  return [
    ...(paid > 0 && paid <= 500_000 ? [] : [`${paid} dollars paid`]),
    ...(isPrice ? [`${paid} dollars paid to someone without a rate are the price`] : []),
  ]
}
