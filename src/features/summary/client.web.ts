// Reading a month's totals from a screen.
import { useQuery } from '@tanstack/react-query'
import { call } from '#platform/api.web.ts'
import { ReadSummary } from './summary.ts'

export function useSummary(month: string) {
  return useQuery({ queryKey: ['summary', month], queryFn: ({ signal }) => call(ReadSummary, { month }, { signal }) })
}
