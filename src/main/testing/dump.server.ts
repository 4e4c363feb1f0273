// Changes what a backup says, so that its own checksum is right again. For tests of what a drill finds.
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { gunzipSync, gzipSync } from 'node:zlib'

interface TablePart {
  table: string
  columns: string[]
  counted: Record<string, string>
  rows: string[][]
}

export class DumpText {
  readonly header: { migrations: string[] }
  tables: TablePart[]

  constructor(file: string) {
    const [header = '', ...lines] = gunzipSync(readFileSync(file)).toString().trimEnd().split('\n')
    this.header = JSON.parse(header) as DumpText['header']
    this.tables = []
    let part: TablePart | undefined
    for (const line of lines.slice(0, -1)) {
      if (!part) this.tables.push((part = { ...(JSON.parse(line) as TablePart), rows: [] }))
      else if (line === '\\.') part = undefined
      else part.rows.push(line.split('\t'))
    }
  }

  part(table: string): TablePart {
    const found = this.tables.find((one) => one.table === table)
    if (!found) throw new Error(`the backup has no table ${table}`)
    return found
  }

  /** Changes a value of the first row for which it's something. */
  change(
    table: string,
    column: string,
    becomes: (value: string, row: Record<string, string>) => string,
  ): void {
    const { columns, rows } = this.part(table)
    const at = columns.indexOf(column)
    const row = rows.find((one) => one[at] !== '\\N')
    if (at < 0 || !row) throw new Error(`no row of ${table} has a ${column}`)
    row[at] = becomes(
      row[at] ?? '',
      Object.fromEntries(columns.map((name, place) => [name, row[place] ?? ''])),
    )
  }

  write(file: string): void {
    const parts = this.tables.flatMap(({ rows, ...line }) => [
      JSON.stringify(line),
      ...rows.map((row) => row.join('\t')),
      '\\.',
    ])
    const text = [JSON.stringify(this.header), ...parts].map((line) => `${line}\n`).join('')
    const footer = {
      tables: this.tables.length,
      rows: this.tables.reduce((sum, { rows }) => sum + rows.length, 0),
      sha256: createHash('sha256').update(text).digest('hex'),
    }
    writeFileSync(file, gzipSync(`${text}${JSON.stringify(footer)}\n`))
  }
}
