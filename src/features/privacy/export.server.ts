// Writes an export's ZIP one table at a time, with no more than one batch of rows in memory.
import { readFileSync } from 'node:fs'
import { strToU8, Zip, ZipDeflate } from 'fflate'
import { type Cents, dollars } from '#kernel/money.ts'
import { hours, type Minutes } from '#kernel/duration.ts'
import type { Kind, Workspace } from '#features/workspaces/workspace.ts'
import { EXPORTED, type ExportedTable, shownColumns } from './catalogue.ts'
import { csvLine } from './csv.ts'

/** The program that checks an export. scripts/export-checker.ts makes it. */
const CHECKER = readFileSync(new URL('verify.mjs', import.meta.url), 'utf8')

/** Reads one table's rows in batches. */
type ReadRows = (table: string, plan: ExportedTable) => AsyncIterable<Record<string, unknown>[]>

/** The exported workspace, and how many other workspaces the account belongs to. */
export interface ExportedPlace {
  workspace: Pick<Workspace, 'id' | 'kind' | 'owner_name'> | undefined
  others: number
}

/**
 * Writes everything in an account, and in its workspace if it has one, as a ZIP. Sends the ZIP in chunks as
 * it's written.
 */
export async function writeExport(
  read: ReadRows,
  send: (chunk: Uint8Array) => void,
  place: ExportedPlace,
  writtenAt: Date,
): Promise<void> {
  const kind = place.workspace?.kind
  const zip = new Zip((error, chunk) => {
    if (error) throw error
    send(chunk)
  })
  const file = (name: string) => {
    const entry = new ZipDeflate(name, { level: 6 })
    entry.mtime = writtenAt
    zip.add(entry)
    return (text: string, isLast = false) => entry.push(strToU8(text), isLast)
  }

  file('README.txt')(readme(place, writtenAt), true)
  file('verify.mjs')(CHECKER, true)
  // A ZIP's files are written one after the other, so each table is read twice, once for each of its files.
  // Reading it once would mean keeping the second file in memory.
  for (const [table, plan] of Object.entries(EXPORTED)) {
    const columns = shownColumns(plan, kind)
    const linesOf = (rows: Record<string, unknown>[]) =>
      rows.map((row) => columns.map(({ name, unit }) => plain(row[name], unit)))
    const json = file(`json/${plan.file}.json`)
    let before = '['
    for await (const rows of read(table, plan)) {
      const objects = linesOf(rows).map((values) =>
        JSON.stringify(Object.fromEntries(columns.map(({ as }, at) => [as, values[at]]))),
      )
      json(`${before}\n  ${objects.join(',\n  ')}`)
      before = ','
    }
    json(before === '[' ? '[]\n' : '\n]\n', true)
    const csv = file(`csv/${plan.file}.csv`)
    // Spreadsheet programs recognize UTF-8 by the byte order mark.
    csv(`\uFEFF${csvLine(columns.map(({ as }) => as))}`)
    for await (const rows of read(table, plan)) csv(linesOf(rows).map(csvLine).join(''))
    csv('', true)
  }
  zip.end()
}

// Money is in dollars and durations are in hours, as they are everywhere outside the database.
function plain(value: unknown, unit?: 'cents' | 'minutes'): unknown {
  if (value instanceof Date) return value.toISOString()
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex')
  if (typeof value === 'number' && unit === 'cents') return dollars(value as Cents)
  if (typeof value === 'number' && unit === 'minutes') return hours(value as Minutes)
  return value
}

const HOW_TO_CHECK = `How to check this export
Everything that two sides agree on has a history: who entered, changed, confirmed or disputed what, and when. Each entry of
a history has a hash, a short number computed from the entry and from the hash of the entry before it. So nobody can change,
add or remove one without changing all hashes after it. The pages of closed months have a hash, too, and the server signed them.
You need a computer with Node 20.15 or newer (nodejs.org), and neither a network nor Tutorlog. Take verify.mjs out of this ZIP
and run
  node verify.mjs EXPORT.zip
or, with a copy of the server's public keys (the file at /.well-known/tutorlog-page-keys.json there),
  node verify.mjs EXPORT.zip KEYS.json
It computes every hash again, compares each session, payment and charge with the end of its history, and says what's wrong.
If you got this ZIP from someone you don't trust, take verify.mjs out of an export of your own: whoever changes a file can
change the program next to it. A whole history that was made up anew has hashes that fit. To find that, compare the export
with one from earlier, or with the other side's: what both of you share has the same hashes in both.`

// Each workspace has a separate export, so someone in several workspaces needs to see which one this is.
function aboutPlace({ workspace, others }: ExportedPlace): string {
  const what = workspace
    ? `the ${workspace.kind}${workspace.owner_name ? ` of ${workspace.owner_name}` : ''} (workspace ${workspace.id}), and your own account`
    : 'your own account, without the records you help others keep'
  const more = others
    ? `\nYou're also a member of another family or practice. To export its data, switch to it first.`
    : ''
  return `This export covers ${what}.${more}`
}

function readme(place: ExportedPlace, writtenAt: Date): string {
  const kind: Kind | undefined = place.workspace?.kind
  const tables = Object.values(EXPORTED).map(({ file, about, columns }) => {
    const lines = Object.entries(columns).flatMap(([name, column]) => {
      if ('withheld' in column) return [`  (${name} is left out: ${column.withheld})`]
      return column.of && column.of !== kind ? [] : [`  ${column.as}: ${column.about}`]
    })
    return `${file}\n  ${about}.\n${lines.join('\n')}`
  })
  return `Your Tutorlog data, exported on ${writtenAt.toISOString()}
${aboutPlace(place)}

Each table comes in two formats with the same content: json/NAME.json for programs and csv/NAME.csv for spreadsheets.
Amounts are in the currency next to them. If there is none, they're in your family's or practice's currency (see workspace).
Durations are in hours, days are yyyy-MM-dd, and times are in UTC.
In the CSV files, text that begins with = + - @ ', a tab or a carriage return has an extra apostrophe in front,
so that spreadsheets don't treat it as a formula. Remove that apostrophe to get the text as it was entered.

${HOW_TO_CHECK}

${tables.join('\n\n')}
`
}
