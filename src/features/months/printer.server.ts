// Creates files in a process of its own, because a PDF with a year of sessions takes 0.9 s and mustn't block
// other requests.
import { csvFile } from '#platform/csv.server.ts'
import { serveTasks } from '#platform/task-process.server.ts'
import type { MonthContent } from './month-page.ts'
import { renderMonth, renderStatement } from './pdf.server.ts'
import type { Paper, Statement } from './statement.ts'

export type PrintTask =
  | { statement: Statement; paper: Paper; now: Date }
  | { month: MonthContent }
  | { header: string[]; rows: (string | number | null)[][] }

serveTasks(async (task: PrintTask): Promise<Uint8Array> => {
  if ('header' in task) return Buffer.from(csvFile(task.header, task.rows))
  return 'month' in task ? renderMonth(task.month) : renderStatement(task.statement, task.paper, task.now)
})
