// Fetching statements from a screen.
import { useMutation } from '@tanstack/react-query'
import type { CalendarDay } from '#kernel/calendar-day.ts'
import { download } from '#platform/api.web.ts'
import { DownloadCsv, DownloadPdf, fileNameOf, type Paper } from './statement.ts'

export interface StatementChoice {
  from: string
  to: string
  tutor_id?: string
  student_id?: string
}

/** Downloads a statement; the name says whom it is about. */
export function useStatement() {
  return useMutation({
    mutationFn: ({ choice, about, kind, paper }: { choice: StatementChoice; about: string | undefined; kind: 'csv' | 'pdf'; paper: Paper }) => {
      const name = fileNameOf(choice.from as CalendarDay, choice.to as CalendarDay, about, kind)
      return kind === 'csv' ? download(DownloadCsv, { ...choice }, name) : download(DownloadPdf, { ...choice, paper }, name)
    },
  })
}
