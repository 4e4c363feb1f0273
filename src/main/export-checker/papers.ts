// Checks the numbers of the papers in an export.
import { counted, type Report } from './report.ts'
import { type Row, rowsOf } from './tables.ts'
import type { Zip } from './zip.ts'

/** A practice's numbers have no gaps in a year, and void papers keep theirs. */
export async function checkPapers(zip: Zip, report: Report): Promise<void> {
  const complain = (problem: string) => report.problems.push(problem)
  const papers: Row[] = []
  for await (const row of rowsOf(zip, 'papers', complain)) papers.push(row)
  const byYear = new Map<unknown, number[]>()
  for (const { year, number } of papers) byYear.set(year, [...(byYear.get(year) ?? []), Number(number)])
  for await (const { year, last } of rowsOf(zip, 'paper_numbers', complain)) {
    const numbers = byYear.get(year) ?? []
    byYear.delete(year)
    for (let number = 1; number <= Math.max(Number(last), ...numbers); number++) {
      const found = numbers.filter((one) => one === number).length
      if (found === 0) complain(`paper ${number} of ${String(year)} is missing`)
      if (found > 1) complain(`paper ${number} of ${String(year)} is there ${found} times`)
    }
    if (Math.max(0, ...numbers) > Number(last))
      complain(`the papers of ${String(year)} go beyond ${String(last)}, their last number`)
  }
  for (const year of byYear.keys()) complain(`the papers of ${String(year)} have no last number`)
  const voided = new Set(papers.filter(({ voided_at: at }) => at !== null).map(({ id }) => id))
  for (const { id, replaces } of papers)
    if (replaces !== null && !voided.has(replaces))
      complain(`paper ${String(id)} replaces one that isn’t void`)
  report.checked.push(`${counted(papers.length, 'paper')} (${voided.size} of them void)`)
}
