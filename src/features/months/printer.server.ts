// Creates files in a process of its own, because a PDF with a year of sessions takes 0.9 s and mustn't block
// other requests.
import { csvFile } from '#platform/csv.server.ts'
import type { SealPlan } from '#platform/pdf/paper.server.ts'
import { writeFor } from '#platform/reader.server.ts'
import { serveTasks } from '#platform/task-process.server.ts'
import type { MonthContent } from './month-page.ts'
import { renderMonth, renderStatement } from './pdf.server.ts'
import type { SignedPage } from './signed-page.ts'
import type { Paper, Statement } from './statement.ts'

export type PrintTask =
  /** For a reader in this region (ISO 3166); null if it's unknown. */
  | { statement: Statement; paper: Paper; now: Date; region: string | null }
  /** Without a signed page, if the month was closed before pages were signed. */
  | { month: MonthContent; signed: SignedPage | null; seal?: SealPlan }
  | { header: string[]; rows: (string | number | null)[][] }

serveTasks(async (task: PrintTask): Promise<Uint8Array> => {
  if ('header' in task) return Buffer.from(csvFile(task.header, task.rows))
  return 'month' in task
    ? writeFor(task.month.region ?? null, () => renderMonth(task.month, task.signed, task.seal))
    : writeFor(task.region, () => renderStatement(task.statement, task.paper, task.now))
})
