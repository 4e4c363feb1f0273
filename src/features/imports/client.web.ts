// React hooks to preview and run an import.
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import type { InputOf } from '#kernel/endpoint.ts'
import { call } from '#platform/api.web.ts'
import { queryClient } from '#platform/query.web.ts'
import { PreviewImport, RunImport } from './import.ts'

export type ImportInput = InputOf<typeof PreviewImport>

/** A preview of what an import would write. Reloaded whenever a choice changes. */
export function useImportPreview(input: ImportInput | undefined) {
  return useQuery({
    queryKey: ['import', input],
    enabled: input !== undefined,
    placeholderData: keepPreviousData,
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
