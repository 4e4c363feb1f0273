// Downloads files. Kept separate from the other calls, so that public pages don't load this code.
import type { Endpoint, InputOf } from '#kernel/endpoint.ts'
import { failure, offline } from './api.web.ts'
import { spokenWorkspace } from './workspace.web.ts'

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
  const query = new URLSearchParams(
    Object.entries(input as Record<string, string | undefined>).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    ),
  )
  const workspace = spokenWorkspace()
  const headers = workspace ? { 'tutorlog-workspace': workspace } : undefined
  const response = await (
    endpoint.method === 'GET'
      ? fetch(`${path}?${query.toString()}`, { headers, credentials: 'same-origin' })
      : fetch(path, {
          method: endpoint.method,
          headers: { ...headers, 'content-type': 'application/json' },
          body: JSON.stringify(input),
          credentials: 'same-origin',
        })
  ).catch(() => {
    throw offline()
  })
  if (!response.ok) throw await failure(response)
  const link = document.createElement('a')
  link.href = URL.createObjectURL(await response.blob())
  link.download =
    fileName ??
    /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1] ??
    'download'
  link.click()
  // Some browsers don't read the file until after the click handler is done.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
