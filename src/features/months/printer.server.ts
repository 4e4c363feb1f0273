// Draws PDF files in a worker thread of its own: a year of sessions takes 0.9 s, and nobody else's request waits for it.
import { serveTasks } from '#platform/task-thread.server.ts'
import type { MonthContent } from './month-page.ts'
import { renderMonth, renderStatement } from './pdf.server.ts'
import type { Paper, Statement } from './statement.ts'

/** What's drawn: a statement, or the page of a closed month. */
export type PrintTask = { statement: Statement; paper: Paper; now: Date } | { month: MonthContent }

serveTasks((task: PrintTask): Promise<Uint8Array> =>
  'month' in task ? renderMonth(task.month) : renderStatement(task.statement, task.paper, task.now),
)
