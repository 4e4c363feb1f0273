import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { call } from '#platform/api.web.ts'
import { download } from '#platform/file.web.ts'
import { queryClient } from '#platform/query.web.ts'
import type { InputOf } from '#kernel/endpoint.ts'
import { PaperInput } from './content.ts'
import {
  DownloadPaper,
  DownloadPaperData,
  IssuePaper,
  ListPapers,
  MakeRecord,
  type Paper,
  paperFileName,
  PreviewPaper,
  ReadPaperInput,
  recordFileName,
  VoidPaper,
} from './paper.ts'
import { AllowPapers, ListPaperPermissions } from './permission.ts'
import type { PaperFields } from './paper-form.ts'
import { ReadPaperProvider, SetPaperProvider } from './provider.ts'
import { toInput } from './paper-form.ts'

const PAPERS = ['papers']
/** Apart from the list, because what's typed for a paper isn't kept on the device. */
const PREVIEW = ['paper-preview']
const PROVIDER = ['paper-provider']

export function usePapers() {
  return useQuery({
    queryKey: PAPERS,
    queryFn: ({ signal }) => call(ListPapers, {}, { signal }),
  })
}

export function useProvider() {
  return useQuery({
    queryKey: PROVIDER,
    queryFn: ({ signal }) => call(ReadPaperProvider, {}, { signal }),
  })
}

export function useSetProvider() {
  return useMutation({
    mutationFn: ({ details, version }: { details: InputOf<typeof SetPaperProvider>; version: number }) =>
      call(SetPaperProvider, details, { version }),
    onSuccess: (stored) => {
      queryClient.setQueryData(PROVIDER, stored)
      return queryClient.invalidateQueries({ queryKey: PREVIEW })
    },
  })
}

/** What the tutors of a family allow, or what the families of a practice, or of an emailed page, may do. */
export function usePermissions() {
  return useQuery({
    queryKey: [...PAPERS, 'permissions'],
    queryFn: ({ signal }) => call(ListPaperPermissions, {}, { signal }),
  })
}

export function useAllowPapers() {
  return useMutation({
    mutationFn: ({ id, ...input }: { id: string } & InputOf<typeof AllowPapers>) =>
      call(AllowPapers, input, { id }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: [...PAPERS, 'permissions'] }),
  })
}

/** How long a preview waits for the next letter. Typing on cancels it. */
const PAUSE_MS = 250

/** What a paper would say. Nothing is loaded until the form is complete enough to ask. */
export function usePreview(fields: PaperFields) {
  const input = toInput(fields)
  const isComplete = PaperInput.safeParse(input).success
  return {
    isComplete,
    ...useQuery({
      queryKey: [...PREVIEW, input],
      enabled: isComplete,
      placeholderData: keepPreviousData,
      queryFn: async ({ signal }) => {
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
        signal.throwIfAborted()
        return call(PreviewPaper, input, { signal })
      },
    }),
  }
}

/** What was typed for an issued paper. */
export async function readPaperInput(id: string) {
  return call(ReadPaperInput, {}, { id })
}

export async function issuePaper(input: InputOf<typeof IssuePaper>, idempotencyKey: string): Promise<Paper> {
  try {
    return await call(IssuePaper, input, { idempotencyKey })
  } finally {
    refresh()
  }
}

/** Also after a refusal: what is shown may be out of date. */
function refresh(): void {
  for (const queryKey of [PAPERS, PREVIEW]) void queryClient.invalidateQueries({ queryKey })
}

/** Downloads a family's own record. Nothing is stored. */
export function makeRecord(
  record: InputOf<typeof MakeRecord>['record'],
  size: 'a4' | 'letter',
): Promise<void> {
  return download(MakeRecord, { record, paper: size }, recordFileName(record.child_name ?? null))
}

export async function voidPaper(id: string, reason: string): Promise<void> {
  try {
    await call(VoidPaper, { reason }, { id })
  } finally {
    refresh()
  }
}

export function downloadPaper(paper: Paper, size: 'a4' | 'letter'): Promise<void> {
  return download(DownloadPaper, { paper: size }, paperFileName(paper, 'pdf'), paper.id)
}

export function downloadPaperData(paper: Paper): Promise<void> {
  return download(DownloadPaperData, {}, paperFileName(paper, 'json'), paper.id)
}
