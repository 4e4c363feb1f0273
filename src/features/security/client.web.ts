import { useInfiniteQuery } from '@tanstack/react-query'
import { call } from '#platform/api.web.ts'
import { ListActivity } from './event.ts'

export function useActivity() {
  return useInfiniteQuery({
    queryKey: ['activity'],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      call(ListActivity, pageParam ? { cursor: pageParam } : {}, { signal }),
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  })
}
