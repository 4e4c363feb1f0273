import { type ComponentType, lazy, Suspense } from 'react'

/** A component whose code loads when it's first shown, so that pages load without what few visits open. */
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
