import { Component, createContext, Fragment, type ReactNode } from 'react'
import { Button } from './Button.tsx'
import { forgetDraft } from './draft.web.ts'

/** Whether the form around was started over because what had been typed could not be shown. */
export const StartedOver = createContext(false)

interface FormBoundaryProps {
  /** The draft that the form inside keeps, if it keeps one. */
  draft?: string
  children: ReactNode
}

interface State {
  hasFailed: boolean
  /** How often the form was started over. */
  starts: number
}

/**
 * Stands around one form. If what was typed, or the draft of it, makes the form throw, the draft is discarded and the form
 * starts over and says so. A form that throws again before it was ever shown offers to load the page anew.
 */
export class FormBoundary extends Component<FormBoundaryProps, State> {
  override state: State = { hasFailed: false, starts: 0 }
  /** The start that was last seen on the screen. */
  #shown = -1

  static getDerivedStateFromError(): Partial<State> {
    return { hasFailed: true }
  }

  override componentDidMount(): void {
    this.#noteShown()
  }

  override componentDidUpdate(): void {
    this.#noteShown()
  }

  override componentDidCatch(error: Error): void {
    console.error('a form failed', error)
    if (this.props.draft) forgetDraft(this.props.draft)
    // The very first try counts as shown: only a draft can have made it fail.
    if (this.state.starts === 0 || this.#shown === this.state.starts)
      this.setState(({ starts }) => ({ hasFailed: false, starts: starts + 1 }))
  }

  #noteShown(): void {
    if (!this.state.hasFailed) this.#shown = this.state.starts
  }

  override render(): ReactNode {
    const { hasFailed, starts } = this.state
    if (hasFailed)
      return (
        <div role="alert" className="card grid justify-items-center px-6 py-10 text-center">
          <h2>This form did not load</h2>
          <Button className="mt-5" tone="secondary" onClick={() => location.reload()}>
            Try again
          </Button>
        </div>
      )
    return (
      <StartedOver value={starts > 0}>
        <Fragment key={starts}>{this.props.children}</Fragment>
      </StartedOver>
    )
  }
}
