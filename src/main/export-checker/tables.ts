// Reads an export's tables. Each has two files with the same content, one of them with a row per line.
import { csvLine } from '#features/privacy/csv.ts'
import type { Zip } from './zip.ts'

export type Row = Record<string, unknown>

/** What's wrong, with an id and what it's about. */
type Complain = (problem: string) => void

/** A table's rows, one after another. An unreadable file is complained about and ends there. */
export async function* rowsOf(zip: Zip, table: string, complain: Complain): AsyncGenerator<Row> {
  const name = `json/${table}.json`
  try {
    for await (const line of linesOf(zip.read(name))) {
      const text = line.trim().replace(/,$/, '')
      if (text === '' || text === '[' || text === ']' || text === '[]') continue
      yield JSON.parse(text) as Row
    }
  } catch (error) {
    complain(`${name} can’t be read: ${(error as Error).message}`)
  }
}

async function* linesOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let text = ''
  for await (const chunk of bytes) {
    const lines = (text + decoder.decode(chunk, { stream: true })).split('\n')
    text = lines.pop() ?? ''
    yield* lines
  }
  yield text + decoder.decode()
}

/** The tables in an export. */
export function tablesIn({ names }: Zip): string[] {
  return names.flatMap((name) => /^json\/(\w+)\.json$/.exec(name)?.[1] ?? [])
}

/** Complains if a table's file for spreadsheets doesn't have the rows of its file for programs. */
export async function compareFormats(zip: Zip, table: string, complain: Complain): Promise<void> {
  const name = `csv/${table}.csv`
  const rows = rowsOf(zip, table, complain)
  let at = 0
  let wanted = ''
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
    for await (const chunk of zip.read(name)) {
      let text = decoder.decode(chunk, { stream: true })
      while (text.length > 0) {
        if (wanted === '') {
          const { value, done } = await rows.next()
          // Without rows, only the names of the columns are left, which the other file doesn't have.
          if (done && at === 0) return
          if (done) return complain(`${name} has rows that json/${table}.json doesn’t have`)
          wanted = (at === 0 ? `\uFEFF${csvLine(Object.keys(value))}` : '') + csvLine(Object.values(value))
          at += 1
        }
        const length = Math.min(wanted.length, text.length)
        if (wanted.slice(0, length) !== text.slice(0, length))
          return complain(`${name} doesn’t say in row ${at} what json/${table}.json says`)
        wanted = wanted.slice(length)
        text = text.slice(length)
      }
    }
  } catch (error) {
    return complain(`${name} can’t be read: ${(error as Error).message}`)
  }
  if (wanted !== '' || !(await rows.next()).done)
    complain(`json/${table}.json has rows that ${name} doesn’t have`)
}
