import { type ComponentType, lazy, Suspense } from 'react'

/** A dialog whose code comes when it first opens, so that a page loads without the dialogs that few visits open. */
export function late<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  const Dialog = lazy(async () => ({ default: await load() }))
  return function Late(props: Props) {
    return (
      <Suspense fallback={null}>
        <Dialog {...props} />
      </Suspense>
    )
  }
}
