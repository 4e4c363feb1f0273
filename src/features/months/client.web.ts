import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useMe } from '#features/accounts/client.web.ts'
import { askForPasskey } from '#features/passkeys/ceremony.web.ts'
import { type CalendarDay, dayIn, daysOfMonth } from '#kernel/calendar-day.ts'
import { call, problemTitle } from '#platform/api.web.ts'
import { download } from '#platform/file.web.ts'
import { isComing, queryClient } from '#platform/query.web.ts'
import { useToast } from '#platform/ui/Toast.tsx'
import {
  type ClosedMonth,
  CloseMonth,
  ListClosedMonths,
  ListMonths,
  comesFirst,
  ReopenMonth,
  type SignedAnswer,
  StartMonthSignature,
  WithdrawMonth,
} from './closing.ts'
import { DownloadMonthPage, monthFileName, ReadMonthPage } from './month-page.ts'
import {
  DownloadCsv,
  DownloadPdf,
  DownloadSigned,
  DownloadSignedAsTutor,
  fileNameOf,
  type Paper,
} from './statement.ts'
import { DownloadPayments, ReadTaxPeriod } from './tax-period.ts'

interface StatementChoice {
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

/** Downloads some sessions as a spreadsheet. It's named after their days or, if they're all of one month, after that. */
export function downloadSessions(sessions: readonly { id: string; date: string }[]): Promise<void> {
  const dates = sessions.map(({ date }) => date).toSorted()
  const [first = '', last = ''] = [dates[0], dates.at(-1)]
  const days =
    first.slice(0, 7) === last.slice(0, 7)
      ? daysOfMonth(first.slice(0, 7))
      : { from: first as CalendarDay, to: last as CalendarDay }
  const chosen = sessions.map(({ id }) => id).join(',')
  return download(
    DownloadCsv,
    { ...days, sessions: chosen },
    fileNameOf(days.from, days.to, undefined, 'csv'),
  )
}

const signedName = (month: string) => `Tutorlog ${month} signed.pdf`

/** For a family: downloads a month's signed-off statement. */
export function useSignedStatement() {
  return useMutation({
    mutationFn: ({ month, tutorId }: { month: string; tutorId: string }) =>
      download(DownloadSigned, { month, tutor_id: tutorId }, signedName(month)),
  })
}

/** For a tutor or an emailed link: downloads the same statement. */
export function downloadSignedAsTutor(connectionId: string, month: string): Promise<void> {
  return download(DownloadSignedAsTutor, { month }, signedName(month), connectionId)
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

/**
 * Where a month's closing belongs on its summary: first from the 25th on, and for the month before until it's
 * closed. Decided once a month is shown, so that closing it doesn't move the stamp.
 */
export function useClosing(month: string): { isFirst: boolean; isLoading: boolean } {
  const months = useMonths(month, useMe().has_all_students)
  const [decided, decide] = useState<{ month: string; isFirst: boolean }>()
  const isFirst = comesFirst(month, dayIn(new Date()), months.data?.months ?? [])
  if (decided?.month !== month && months.data && !months.isFetching) decide({ month, isFirst })
  return { isFirst: decided?.month === month ? decided.isFirst : isFirst, isLoading: isComing(months) }
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

/** Closes a month, or asks the other side to. */
export function useCloseMonth() {
  return useMutation({
    mutationFn: async ({ connection_id, month, version, isSigned = false }: Closing) => {
      const passkey = isSigned ? { passkey: await signed({ connection_id, month }) } : {}
      return call(CloseMonth, { connection_id, month, version, ...passkey })
    },
    onSettled: () => queryClient.invalidateQueries(),
  })
}

interface Closing extends Pick<ClosedMonth, 'connection_id' | 'month' | 'version'> {
  /** True to have one of the person's passkeys sign the answer. */
  isSigned?: boolean
}

/** A signature of a month by one of the person's passkeys. */
async function signed(month: { connection_id: string; month: string }): Promise<SignedAnswer> {
  const { nonce, options } = await call(StartMonthSignature, month)
  return { ...(await askForPasskey(options)), nonce }
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

/**
 * Downloads a closed month's page, and says so.
 * @param other what the user calls the other side
 */
export function useKeepPage(wanted: PageOf, other: string) {
  const toast = useToast()
  const { mutate, isPending } = useMutation({
    mutationFn: () => download(DownloadMonthPage, wanted, monthFileName(wanted.month)),
    onSuccess: () => toast.success('Page saved', `You and ${other} get the same file.`),
    onError: (error) => toast.error('Error', problemTitle(error, 'The page could not be downloaded')),
  })
  return { keep: () => mutate(), isKeeping: isPending }
}

/** What a practice received and taught in a range of days. */
export function useTaxPeriod(days: { from: CalendarDay; to: CalendarDay }, enabled = true) {
  return useQuery({
    enabled,
    queryKey: ['tax-period', days],
    queryFn: ({ signal }) => call(ReadTaxPeriod, days, { signal }),
  })
}

export function downloadPayments(days: { from: CalendarDay; to: CalendarDay }): Promise<void> {
  return download(DownloadPayments, days, fileNameOf(days.from, days.to, 'payments', 'csv'))
}
