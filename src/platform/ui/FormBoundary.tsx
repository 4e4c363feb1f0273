import { Component, type ComponentType, createContext, Fragment, type ReactNode } from 'react'
import { Button } from './Button.tsx'
import { forgetDraft } from './draft.web.ts'

/** True if the form inside was reset because the typed text made it throw. */
export const StartedOver = createContext(false)

interface FormBoundaryProps {
  draft?: string | undefined
  children: ReactNode
}

interface State {
  hasFailed: boolean
  /** How many times the form has been reset. */
  starts: number
}

/**
 * Error boundary for a form. If typed text or a draft makes the form throw, this discards the draft, resets
 * the form and tells the user. If the form throws again before rendering, it offers to reload the page.
 */
export class FormBoundary extends Component<FormBoundaryProps, State> {
  override state: State = { hasFailed: false, starts: 0 }
  /** The last attempt that rendered successfully. */
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
    // The first attempt counts as rendered, because only a draft could have broken it.
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
          <h2>This form didn’t load</h2>
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

/**
 * Puts a form's component inside its own boundary.
 * @param draftOf the name of the form's draft, if it keeps one
 */
export function inFormBoundary<Props extends object>(
  Form: ComponentType<Props>,
  draftOf?: (props: Props) => string | undefined,
) {
  return function Bounded(props: Props) {
    return (
      <FormBoundary draft={draftOf?.(props)}>
        <Form {...props} />
      </FormBoundary>
    )
  }
}
