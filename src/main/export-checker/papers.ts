// Checks the numbers of the papers in an export.
import { counted, type Report } from './report.ts'
import { type Row, rowsOf } from './tables.ts'
import type { Zip } from './zip.ts'

export async function checkPapers(zip: Zip, report: Report): Promise<void> {
  const complain = (problem: string) => report.problems.push(problem)
  const [papers, numbers]: [Row[], Row[]] = [[], []]
  for await (const row of rowsOf(zip, 'papers', complain)) papers.push(row)
  for await (const row of rowsOf(zip, 'paper_numbers', complain)) numbers.push(row)
  for (const problem of numberProblems(papers, numbers)) complain(problem)
  const voided = papers.filter(({ voided_at: at }) => at !== null).length
  report.checked.push(`${counted(papers.length, 'paper')} (${voided} of them void)`)
}

/**
 * What's wrong with a practice's papers. Their numbers have no gaps in a year, and void ones keep theirs.
 * @param lasts the last number of each year
 */
export function numberProblems(papers: Row[], lasts: Row[]): string[] {
  const voided = new Set(papers.flatMap(({ id, voided_at: at }) => (at === null ? [] : id)))
  const years = new Set(papers.map(({ year }) => year))
  for (const { year } of lasts) years.delete(year)
  return [
    ...lasts.flatMap(({ year, last }) =>
      problemsOfYear(
        String(year),
        papers.flatMap((paper) => (paper.year === year ? Number(paper.number) : [])),
        Number(last),
      ),
    ),
    ...[...years].map((year) => `the papers of ${String(year)} have no last number`),
    ...papers
      .filter(({ replaces }) => replaces !== null && !voided.has(replaces))
      .map(({ id }) => `paper ${String(id)} replaces one that isn’t void`),
  ]
}

function problemsOfYear(year: string, numbers: number[], last: number): string[] {
  const highest = Math.max(last, ...numbers)
  const counts = Array.from({ length: highest }, (_, at) => numbers.filter((one) => one === at + 1).length)
  return [
    ...counts.flatMap((count, at) => {
      if (count === 1) return []
      return `paper ${at + 1} of ${year} ${count === 0 ? 'is missing' : `is there ${count} times`}`
    }),
    ...(highest > last ? [`the papers of ${year} go beyond ${last}, their last number`] : []),
  ]
}
