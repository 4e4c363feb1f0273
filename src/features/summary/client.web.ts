import { useQuery } from '@tanstack/react-query'
import { call } from '#platform/api.web.ts'
import { freshUnless } from '#platform/query.web.ts'
import { ReadSummary, type Summary } from './summary.ts'
import { ReadYear } from './year.ts'

export function useSummary(month: string) {
  return useQuery({
    queryKey: ['summary', month],
    queryFn: ({ signal }) => call(ReadSummary, { month }, { signal }),
    staleTime: freshUnless(({ total_sessions: count }: Summary) => count === 0),
  })
}

export function useYear(year: string) {
  return useQuery({ queryKey: ['year', year], queryFn: ({ signal }) => call(ReadYear, { year }, { signal }) })
}
