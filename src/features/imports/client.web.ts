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

/**
 * Decodes a file: UTF-16 if it has a UTF-16 byte order mark, else UTF-8, else Windows-1252, which some
 * spreadsheet programs still write.
 */
export async function textOf(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff))
    return new TextDecoder(bytes[0] === 0xff ? 'utf-16le' : 'utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}
