import { Component, type ReactNode } from 'react'
import { LoadFailed } from '#platform/ui/Empty.tsx'

/**
 * Shows an error inside the app instead of a blank page when a screen's script can't be loaded (offline, for
 * example).
 */
export class LoadBoundary extends Component<{ children: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false }

  static getDerivedStateFromError(): { hasFailed: boolean } {
    return { hasFailed: true }
  }

  override componentDidCatch(error: Error): void {
    console.error('a screen failed', error)
  }

  override render(): ReactNode {
    return this.state.hasFailed ? (
      <div className="mt-5">
        <LoadFailed title="This page didn’t load" onRetry={() => location.reload()} />
      </div>
    ) : (
      this.props.children
    )
  }
}
