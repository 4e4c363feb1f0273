import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { InputOf } from '#kernel/endpoint.ts'
import { call } from '#platform/api.web.ts'
import { queryClient } from '#platform/query.web.ts'
import { inSlices } from './calendar-file.ts'
import { type Preview, PreviewImport, RunImport } from './import.ts'
import { type Range, type Reading, readCalendar, type Unreadable } from './occurrence.ts'

export type ImportInput = InputOf<typeof PreviewImport>

/**
 * A preview of what an import would write. Reloaded whenever a choice changes; until then, the previous one of
 * the same text stays.
 */
export function useImportPreview(input: ImportInput | undefined) {
  return useQuery({
    queryKey: ['import', input] as const,
    enabled: input !== undefined,
    placeholderData: (previous: Preview | undefined, query) =>
      query?.queryKey[1]?.text === input?.text ? previous : undefined,
    retry: false,
    queryFn: ({ signal }) => call(PreviewImport, input ?? { text: '' }, { signal }),
  })
}

export function useRunImport() {
  return useMutation({
    mutationFn: ({ input, idempotencyKey }: { input: InputOf<typeof RunImport>; idempotencyKey: string }) =>
      call(RunImport, input, { idempotencyKey }),
    onSuccess: () => queryClient.invalidateQueries(),
  })
}

type State = { text: string; range: Range } & ({ done: number } | { reading: Reading | Unreadable })

/** Reads a calendar whenever it or the range changes: how far that is, from 0 to 1, or the result. */
export function useCalendarReading(text: string, range: Range): number | Reading | Unreadable {
  const [state, setState] = useState<State>()
  useEffect(() => {
    const abort = new AbortController()
    const read = async () => {
      const reading = await inSlices(readCalendar(text, range), abort.signal, (done) => {
        setState({ text, range, done })
      })
      if (reading !== undefined) setState({ text, range, reading })
    }
    void read()
    return () => abort.abort()
  }, [text, range])
  if (state?.text !== text || state.range !== range) return 0
  return 'reading' in state ? state.reading : state.done
}
