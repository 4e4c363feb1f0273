// Draws papers in a process of its own, like months/printer.server.ts, and says which texts no font can print.
import { hasEveryLetter } from '#platform/pdf/type.server.ts'
import { writeFor } from '#platform/reader.server.ts'
import { serveTasks } from '#platform/task-process.server.ts'
import { type IssuedPaper, renderPaper } from './pdf.server.ts'

export type PaperTask = { issued: IssuedPaper; paper: 'a4' | 'letter' } | { texts: string[] }

serveTasks(async (task: PaperTask): Promise<Uint8Array> => {
  if ('issued' in task) {
    const { issued, paper } = task
    return writeFor(issued.content.region, () => renderPaper(issued, paper))
  }
  const unprintable = task.texts.filter((text) => !text.split('\n').every(hasEveryLetter))
  return Buffer.from(JSON.stringify(unprintable))
})
