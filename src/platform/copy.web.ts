// What its user saw last, kept on the device, so that the app opens without a network. A copy belongs to one user, one workspace
// and one version of the app, and all are dropped with the login. No answer of the API lies anywhere else (promise W9).
import { type DehydratedState, dehydrate, hydrate } from '@tanstack/react-query'
import { clear, createStore, get, setMany } from 'idb-keyval'
import { markCopy } from './copy-mark.web.ts'
import { queryClient } from './query.web.ts'

/** Answers come in bunches. */
const SAVE_AFTER_MS = 500
/** Which of the copies was kept last. */
const LATEST = 'latest'

interface Copy<User> {
  version: string
  user: User
  state: DehydratedState
}

const store = createStore('tutorlog-copy', 'copies')

/** The version of the app that runs: the name of its first script, which changes with every build. */
export function appVersion(): string {
  return document.querySelector<HTMLScriptElement>('script[type="module"]')?.src ?? ''
}

/** A user in a workspace, as copies are kept. */
interface Owner {
  id: string
  workspace: { id: string } | null
}

const keyOf = ({ id, workspace }: Owner) => `${id} ${workspace?.id}`

/** Puts what was kept back in its place and returns whose it is, or undefined when nothing of this version is kept. @param of whose; the last one's where it is left out */
export async function openCopy<User extends Owner>(of?: User): Promise<User | undefined> {
  const key = of ? keyOf(of) : await get<string>(LATEST, store)
  const copy = await get<Copy<User>>(key ?? '', store)
  if (!copy || copy.version !== appVersion()) return undefined
  // Old at once: it is shown until the server has answered, however lately it was loaded.
  hydrate(queryClient, {
    ...copy.state,
    queries: copy.state.queries.map((query) => ({
      ...query,
      state: { ...query.state, isInvalidated: true },
    })),
  })
  return copy.user
}

/** Keeps what is loaded from now on, of the named kinds only; returns what ends that. */
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
  // The page may be gone before the time is up.
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

/** Forgets every copy, and the app's own files with it: the device is as it was before. */
export async function dropCopy(): Promise<void> {
  await clear(store)
  if ('caches' in globalThis) for (const name of await caches.keys()) await caches.delete(name)
  markCopy(false)
}
