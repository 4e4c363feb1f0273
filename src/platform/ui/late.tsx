import { type ComponentType, lazy, Suspense } from 'react'

/** A dialog whose code loads when it first opens. Pages load faster without dialogs that few visits open. */
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
