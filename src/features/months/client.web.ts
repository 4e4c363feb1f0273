import { useMutation, useQuery } from '@tanstack/react-query'
import type { CalendarDay } from '#kernel/calendar-day.ts'
import { call } from '#platform/api.web.ts'
import { download } from '#platform/file.web.ts'
import { queryClient } from '#platform/query.web.ts'
import {
  type ClosedMonth,
  CloseMonth,
  ListClosedMonths,
  ListMonths,
  ReopenMonth,
  WithdrawMonth,
} from './closing.ts'
import { DownloadMonthPage, monthFileName, ReadMonthPage } from './month-page.ts'
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

/** Downloads a statement. The file name includes the name of the person the statement is about. */
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

/** For a family: downloads a month's signed-off statement. */
export function useSignedStatement() {
  return useMutation({
    mutationFn: ({ month, tutorId }: { month: string; tutorId: string }) =>
      download(DownloadSigned, { month, tutor_id: tutorId }, signedName(month)),
  })
}

/** For a tutor: downloads the same statement. */
export function downloadSignedAsTutor(familyId: string, month: string): Promise<void> {
  return download(DownloadSignedAsTutor, { month }, signedName(month), familyId)
}

/** Downloads the same statement using the token from an emailed link. */
export function downloadSignedByMail(token: string, month: string): Promise<void> {
  return download(DownloadSignedByMail, { token, month }, signedName(month))
}

/**
 * A month's status with each connected tutor or family.
 * @param isWanted false to load nothing
 */
export function useMonths(month: string, isWanted = true) {
  return useQuery({
    queryKey: ['months', month],
    enabled: isWanted,
    queryFn: ({ signal }) => call(ListMonths, { month }, { signal }),
  })
}

/** All closed months, newest first. */
export function useClosedMonths(isWanted = true) {
  return useQuery({
    queryKey: ['months', 'closed'],
    enabled: isWanted,
    queryFn: ({ signal }) => call(ListClosedMonths, {}, { signal }),
  })
}

/** A closed month's page or, given a code, the page from the closing with that code. */
export function useMonthPage(wanted: PageOf | undefined) {
  return useQuery({
    queryKey: ['months', 'page', wanted?.connection_id, wanted?.month, wanted?.code],
    enabled: wanted !== undefined,
    queryFn: ({ signal }) => call(ReadMonthPage, wanted as PageOf, { signal }),
  })
}
export interface PageOf {
  connection_id: string
  month: string
  code?: string
}

export function useCloseMonth() {
  return useMutation({
    mutationFn: ({
      connection_id,
      month,
      version,
    }: Pick<ClosedMonth, 'connection_id' | 'month' | 'version'>) =>
      call(CloseMonth, { connection_id, month, version }),
    onSettled: () => queryClient.invalidateQueries(),
  })
}

export function useWithdrawMonth() {
  return useMutation({
    mutationFn: ({ connection_id, month }: Pick<ClosedMonth, 'connection_id' | 'month'>) =>
      call(WithdrawMonth, { connection_id, month }),
    onSettled: () => queryClient.invalidateQueries(),
  })
}

export function useReopenMonth() {
  return useMutation({
    mutationFn: (input: { connection_id: string; month: string; reason: string }) => call(ReopenMonth, input),
    onSuccess: () => queryClient.invalidateQueries(),
  })
}

export function useMonthFile() {
  return useMutation({
    mutationFn: (wanted: PageOf) => download(DownloadMonthPage, wanted, monthFileName(wanted.month)),
  })
}
