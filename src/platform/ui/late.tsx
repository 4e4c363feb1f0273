import { type ComponentType, lazy, Suspense } from 'react'

/**
 * A component whose code loads the first time it's shown, so that pages don't load code that most visits
 * don't need.
 */
export function late<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  const Loaded = lazy(async () => ({ default: await load() }))
  return function Late(props: Props) {
    return (
      <Suspense fallback={null}>
        <Loaded {...props} />
      </Suspense>
    )
  }
}
