// Downloads files. Kept separate from the other calls, so that public pages don't load this code.
import type { Endpoint, InputOf } from '#kernel/endpoint.ts'
import { callerHeaders, failure, offline, queryOf, resolveRefusal } from './api.web.ts'

/**
 * Fetches a file and hands it to the browser as a download. Throws CallFailed like `call`.
 * @param fileName defaults to the name that the server sent
 */
export async function download<E extends Endpoint>(
  endpoint: E,
  input: InputOf<E>,
  fileName?: string,
  id = '',
): Promise<void> {
  const path = endpoint.path.replace(':id', id)
  const headers = callerHeaders()
  const response = await (
    endpoint.method === 'GET'
      ? fetch(`${path}?${queryOf(input as Record<string, string | undefined>)}`, {
          headers,
          credentials: 'same-origin',
        })
      : fetch(path, {
          method: endpoint.method,
          headers: { ...headers, 'content-type': 'application/json' },
          body: JSON.stringify(input),
          credentials: 'same-origin',
        })
  ).catch(() => {
    throw offline()
  })
  if (!response.ok) {
    const error = await failure(response)
    if (await resolveRefusal(error.problem)) return download(endpoint, input, fileName, id)
    throw error
  }
  saveFile(
    await response.blob(),
    fileName ??
      /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1] ??
      'download',
  )
}

/** Hands a file to the browser as a download. */
export function saveFile(file: Blob, fileName: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = fileName
  link.click()
  // Some browsers don't read the file until after the click handler is done.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
