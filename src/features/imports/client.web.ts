import { useMutation, useQuery } from '@tanstack/react-query'
import type { InputOf } from '#kernel/endpoint.ts'
import { call } from '#platform/api.web.ts'
import { queryClient } from '#platform/query.web.ts'
import { type Preview, PreviewImport, RunImport } from './import.ts'

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
