// The data a user last loaded, kept on the device so that the app opens offline. A copy belongs to one user,
// one workspace and one version of the app. Signing out deletes all copies. API responses aren't stored
// anywhere else (promise W9).
import { type DehydratedState, dehydrate, hydrate } from '@tanstack/react-query'
import { clear, createStore, get, setMany } from 'idb-keyval'
import { markCopy } from './copy-mark.web.ts'
import { queryClient } from './query.web.ts'

/** Responses come in bursts, so we wait briefly before saving. */
const SAVE_AFTER_MS = 500
/** The entry that holds the key of the latest copy. */
const LATEST = 'latest'

interface Copy<User> {
  version: string
  user: User
  state: DehydratedState
}

const store = createStore('tutorlog-copy', 'copies')

/** The version of the running app: the name of its first script, which changes with every build. */
export function appVersion(): string {
  return document.querySelector<HTMLScriptElement>('script[type="module"]')?.src ?? ''
}

/** A user in a workspace. Identifies a copy. */
interface Owner {
  id: string
  workspace: { id: string } | null
}

const keyOf = ({ id, workspace }: Owner) => `${id} ${workspace?.id}`

/**
 * Restores a copy and returns its owner. Returns undefined if this version of the app has no copy.
 * @param of the owner whose copy to restore; defaults to the latest copy
 */
export async function openCopy<User extends Owner>(of?: User): Promise<User | undefined> {
  const key = of ? keyOf(of) : await get<string>(LATEST, store)
  const copy = await get<Copy<User>>(key ?? '', store)
  if (!copy || copy.version !== appVersion()) return undefined
  // Marks all data as stale, so that it's replaced as soon as the server responds.
  hydrate(queryClient, {
    ...copy.state,
    queries: copy.state.queries.map((query) => ({
      ...query,
      state: { ...query.state, isInvalidated: true },
    })),
  })
  return copy.user
}

/** Starts saving queries of the given kinds. Returns a function that stops saving. */
export function keepCopy<User extends Owner>(user: User, kinds: ReadonlySet<string>): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const save = async () => {
    clearTimeout(timer)
    timer = undefined
    const state = dehydrate(queryClient, {
      shouldDehydrateMutation: () => false,
      shouldDehydrateQuery: ({ state: { status }, queryKey }) =>
        status === 'success' && kinds.has(String(queryKey[0])),
    })
    markCopy(true)
    const key = keyOf(user)
    await setMany(
      [
        [key, { version: appVersion(), user, state } satisfies Copy<User>],
        [LATEST, key],
      ],
      store,
    )
  }
  const soon = () => {
    timer ??= setTimeout(() => void save(), SAVE_AFTER_MS)
  }
  const unsubscribe = queryClient.getQueryCache().subscribe(({ type }) => {
    if (type === 'updated') soon()
  })
  // The page may be closed before the timer fires.
  const atOnce = () => {
    if (timer && document.visibilityState === 'hidden') void save()
  }
  addEventListener('visibilitychange', atOnce)
  soon()
  return () => {
    unsubscribe()
    removeEventListener('visibilitychange', atOnce)
    clearTimeout(timer)
  }
}

/** Deletes all copies and the app's cached files from this device. */
export async function dropCopy(): Promise<void> {
  await clear(store)
  if ('caches' in globalThis) for (const name of await caches.keys()) await caches.delete(name)
  markCopy(false)
}
