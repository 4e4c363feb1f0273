import { type ComponentType, lazy, Suspense } from 'react'
import { isServerReachable, whenReachable } from '#platform/connectivity.web.ts'

const RETRY_MS = 1000

/**
 * A component whose code loads the first time it's shown, so that pages don't load code that most visits
 * don't need. Without a network it waits for one, because the page around it still works.
 */
export function late<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  const Loaded = lazy(async () => ({ default: await loadWithRetry(load) }))
  return function Late(props: Props) {
    return (
      <Suspense fallback={null}>
        <Loaded {...props} />
      </Suspense>
    )
  }
}

async function loadWithRetry<Loaded>(load: () => Promise<Loaded>): Promise<Loaded> {
  for (let isRetry = false; ; isRetry = true)
    try {
      return await load()
    } catch (error) {
      // By then, a call has failed too if there's no network.
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
      if (isRetry && isServerReachable()) throw error
      await whenReachable()
    }
}
