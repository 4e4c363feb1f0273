// Fetching statements from a screen.
import { useMutation } from '@tanstack/react-query'
import type { CalendarDay } from '#kernel/calendar-day.ts'
import { download } from '#platform/file.web.ts'
import {
  DownloadCsv,
  DownloadPdf,
  DownloadSigned,
  DownloadSignedAsTutor,
  DownloadSignedByMail,
  fileNameOf,
  type Paper,
} from './statement.ts'

export interface StatementChoice {
  from: string
  to: string
  tutor_id?: string
  student_id?: string
}

/** Downloads a statement; the name says whom it is about. */
export function useStatement() {
  return useMutation({
    mutationFn: ({
      choice,
      about,
      kind,
      paper,
    }: {
      choice: StatementChoice
      about: string | undefined
      kind: 'csv' | 'pdf'
      paper: Paper
    }) => {
      const name = fileNameOf(choice.from as CalendarDay, choice.to as CalendarDay, about, kind)
      return kind === 'csv'
        ? download(DownloadCsv, { ...choice }, name)
        : download(DownloadPdf, { ...choice, paper }, name)
    },
  })
}

const signedName = (month: string) => `Tutorlog ${month} signed.pdf`

/** Downloads the signed-off statement of a month, as the family. */
export function useSignedStatement() {
  return useMutation({
    mutationFn: ({ month, tutorId }: { month: string; tutorId: string }) =>
      download(DownloadSigned, { month, tutor_id: tutorId }, signedName(month)),
  })
}

/** Downloads the same statement as the tutor's account. */
export function downloadSignedAsTutor(familyId: string, month: string): Promise<void> {
  return download(DownloadSignedAsTutor, { month }, signedName(month), familyId)
}

/** Downloads the same statement with the token of a mailed link. */
export function downloadSignedByMail(token: string, month: string): Promise<void> {
  return download(DownloadSignedByMail, { token, month }, signedName(month))
}
