import { Component, type ReactNode } from 'react'
import { useLocation } from 'react-router'
import { LoadFailed } from '#platform/ui/Empty.tsx'

/**
 * Shows an error inside the app instead of a blank page when a screen fails, for example because its script
 * can't be loaded offline. Going anywhere tries again.
 */
export function LoadBoundary({ children }: { children: ReactNode }) {
  return <Boundary place={useLocation().key}>{children}</Boundary>
}

interface BoundaryProps {
  place: string
  children: ReactNode
}

interface State {
  place: string
  hasFailed: boolean
}

class Boundary extends Component<BoundaryProps, State> {
  override state: State = { place: this.props.place, hasFailed: false }

  static getDerivedStateFromError(): Partial<State> {
    return { hasFailed: true }
  }

  static getDerivedStateFromProps({ place }: BoundaryProps, state: State): State | null {
    return place === state.place ? null : { place, hasFailed: false }
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
