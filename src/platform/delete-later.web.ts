// Deleting with Undo. What's deleted leaves every list at once; the server hears of it once the toast with Undo
// closes. If the browser dies before that, nothing is deleted.
import { queryClient } from './query.web.ts'
import type { Toasts } from './ui/Toast.tsx'
import { spokenWorkspace } from './workspace.web.ts'

interface Deletion {
  ids: readonly string[]
  title: string
  message: string
  /** Deletes everything on the server, in the workspace it was deleted in. Throws if that fails. */
  send: (options: { workspace: string | null; isLeaving: boolean }) => Promise<unknown>
  /** Says why it wasn't deleted. By then, it's in the lists again. */
  onFailed: (error: unknown) => unknown
}

/** What's deleted stays here, so that no older list brings it back. */
const hidden = new Set<string>()
let isWatching = false
/** True while a list is changed here, which would otherwise look like one that was just loaded. */
let isLeavingOut = false

export function deleteLater(toast: Toasts, { ids, title, message, send, onFailed }: Deletion): void {
  if (ids.some((id) => hidden.has(id))) return
  const workspace = spokenWorkspace() ?? null
  const show = hide(ids)
  toast.held(title, message, {
    undo: show,
    async send(isLeaving) {
      try {
        await send({ workspace, isLeaving })
        await queryClient.invalidateQueries()
      } catch (error) {
        show()
        await onFailed(error)
      }
    },
  })
}

/** Leaves entries out of every list. Returns a function that shows them again. */
function hide(ids: readonly string[]): () => void {
  for (const id of ids) hidden.add(id)
  watch()
  const all = () => queryClient.getQueryCache().getAll()
  for (const { queryKey, queryHash } of all()) leaveOut(queryKey, queryHash)
  return () => {
    for (const id of ids) hidden.delete(id)
    for (const { queryKey, queryHash } of all()) leaveOut(queryKey, queryHash)
    void queryClient.invalidateQueries()
  }
}

/** Lists that are loaded in the meantime leave them out, too. */
function watch(): void {
  if (isWatching) return
  isWatching = true
  queryClient.getQueryCache().subscribe((event) => {
    if (!isLeavingOut && hidden.size > 0 && event.type === 'updated' && event.action.type === 'success')
      leaveOut(event.query.queryKey, event.query.queryHash)
  })
}

/** What was loaded, for queries that leave something out, so that it can be shown again without a network. */
const loaded = new Map<string, { whole: unknown; without: unknown }>()

/** Removes what's hidden from a query's data, and puts back what isn't anymore. */
function leaveOut(queryKey: readonly unknown[], hash: string): void {
  const state = queryClient.getQueryState(queryKey)
  const known = loaded.get(hash)
  const whole = known && known.without === state?.data ? known.whole : state?.data
  const without = withoutHidden(whole)
  if (without === state?.data) return
  isLeavingOut = true
  queryClient.setQueryData(queryKey, without, { updatedAt: state?.dataUpdatedAt })
  isLeavingOut = false
  loaded.set(hash, { whole, without: queryClient.getQueryData(queryKey) })
}

function withoutHidden(data: unknown): unknown {
  if (Array.isArray(data)) {
    const kept = data.filter((item) => !isHidden(item)).map(withoutHidden)
    return kept.length === data.length && kept.every((item, place) => item === data[place]) ? data : kept
  }
  if (typeof data !== 'object' || data === null || Object.getPrototypeOf(data) !== Object.prototype)
    return data
  const entries = Object.entries(data)
  const kept = entries.map(([name, value]) => [name, withoutHidden(value)] as const)
  return kept.every(([, value], place) => value === entries[place]?.[1]) ? data : Object.fromEntries(kept)
}

function isHidden(item: unknown): boolean {
  return typeof item === 'object' && item !== null && 'id' in item && hidden.has(String(item.id))
}
