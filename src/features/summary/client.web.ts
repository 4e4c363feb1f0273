// Reading a month's or a year's totals from a screen.
import { useQuery } from '@tanstack/react-query'
import { call } from '#platform/api.web.ts'
import { ReadSummary } from './summary.ts'
import { ReadYear } from './year.ts'

export function useSummary(month: string) {
  return useQuery({
    queryKey: ['summary', month],
    queryFn: ({ signal }) => call(ReadSummary, { month }, { signal }),
  })
}

export function useYear(year: string) {
  return useQuery({ queryKey: ['year', year], queryFn: ({ signal }) => call(ReadYear, { year }, { signal }) })
}
