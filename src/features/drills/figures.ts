// What a database holds, in figures: taken from the database in the snapshot that its backup is made of, and again from
// that backup once it's restored. What differs is said without names, amounts or codes, because administrators see
// entries only for a stated purpose (promise T14).

interface TableFigures {
  rows: number
  /** Of the hashes of its rows, in whatever order. */
  sum: string
  /** The last number that each of its counters gave. */
  counted: Record<string, string>
}

/** One kind of entries of a workspace in a month. */
export interface MonthFigures {
  kind: 'sessions' | 'payments' | 'charges'
  workspace: string
  month: string
  entries: number
  minutes: number
  cents: number
  /** Changes with any answer of either side. */
  answers: string
}

/** What a code stands for. */
export interface CodeFigures {
  of: 'closed month' | 'sign-off' | 'receipt' | 'invoice'
  code: string
  /** The month, or the year. */
  period: string
  /** A hash of it. */
  content: string
}

export interface Figures {
  tables: Record<string, TableFigures>
  months: MonthFigures[]
  codes: CodeFigures[]
}

/** What's wrong with a restored database, a sentence for each; none if it holds what the snapshot held. */
export function differences(expected: Figures, restored: Figures): string[] {
  return [
    ...tablesMissing(expected.tables, restored.tables),
    ...monthsOff(expected.months, restored.months),
    ...codesOff(expected.codes, restored.codes),
    ...tablesOff(expected.tables, restored.tables),
  ]
}

type Tables = Figures['tables']

function tablesMissing(expected: Tables, restored: Tables): string[] {
  return Object.keys(expected)
    .filter((name) => !(name in restored))
    .map((name) => `The table ${name} is missing.`)
}

function tablesOff(expected: Tables, restored: Tables): string[] {
  return Object.entries(restored).flatMap(([name, { rows, sum, counted }]) => {
    const own = expected[name]
    if (!own) return [`The table ${name} isn't in the database.`]
    const behind = Object.entries(own.counted).filter(
      ([column, last]) => BigInt(counted[column] ?? 0) < BigInt(last),
    )
    return [
      ...(rows === own.rows
        ? sum === own.sum
          ? []
          : [`The table ${name} has as many rows as in the database, but something in them was changed.`]
        : [`The table ${name} has ${moreOrFewer(rows - own.rows, 'row')} than in the database.`]),
      ...behind.map(
        ([column]) =>
          `The counter of ${name}.${column} is behind: numbers that were used would be given again.`,
      ),
    ]
  })
}

function monthsOff(expected: MonthFigures[], restored: MonthFigures[]): string[] {
  const keyOf = ({ kind, workspace, month }: MonthFigures) => `${kind} ${workspace} ${month}`
  return inBoth(expected, restored, keyOf).flatMap(([own, other]) => {
    const { kind, workspace, month } = own ?? other ?? NOBODY
    const [was, is] = [own ?? NOBODY, other ?? NOBODY]
    const off = [
      is.entries !== was.entries && moreOrFewer(is.entries - was.entries, 'entry', 'entries'),
      is.minutes !== was.minutes && moreOrFewer(is.minutes - was.minutes, 'minute'),
      is.cents !== was.cents &&
        `${((is.cents - was.cents) / 100).toFixed(2).replace(/^(?!-)/, '+')} in amounts`,
      is.answers !== was.answers && is.entries === was.entries && 'other answers',
    ].filter((part) => part !== false)
    const place = `The ${kind} of ${month} in the workspace ${workspace.slice(0, 8)}`
    return off.length > 0 ? [`${place} aren't those in the database: ${off.join(', ')}.`] : []
  })
}

const NOBODY: MonthFigures = {
  kind: 'sessions',
  workspace: '',
  month: '',
  entries: 0,
  minutes: 0,
  cents: 0,
  answers: '0',
}

function codesOff(expected: CodeFigures[], restored: CodeFigures[]): string[] {
  return inBoth(expected, restored, ({ code }) => code).flatMap(([own, other]) => {
    const { of, period } = own ?? other ?? { of: '', period: '' }
    const a = `${of === 'invoice' ? 'an' : 'a'} ${of} of ${period}`
    if (!other) return [`The code of ${a} is missing.`]
    if (!own) return [`The code of ${a} isn't in the database.`]
    return own.content === other.content ? [] : [`The code of ${a} stands for something else.`]
  })
}

function inBoth<Item>(
  expected: Item[],
  restored: Item[],
  keyOf: (item: Item) => string,
): [Item | undefined, Item | undefined][] {
  const others = new Map(restored.map((item) => [keyOf(item), item]))
  const pairs = expected.map((item): [Item, Item | undefined] => [item, others.get(keyOf(item))])
  for (const item of expected) others.delete(keyOf(item))
  return [...pairs, ...[...others.values()].map((item): [undefined, Item] => [undefined, item])]
}

function moreOrFewer(difference: number, noun: string, nouns = `${noun}s`): string {
  const count = Math.abs(difference)
  return `${count} ${difference > 0 ? 'more' : 'fewer'} ${count === 1 ? noun : nouns}`
}

/** At most this many are kept of one drill. */
const MOST_FINDINGS = 20

/** The first findings, and how many more there are. */
export function firstFindings(findings: string[]): string[] {
  if (findings.length <= MOST_FINDINGS) return findings
  return [...findings.slice(0, MOST_FINDINGS), `And ${findings.length - MOST_FINDINGS} more.`]
}
