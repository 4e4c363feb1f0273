import { type ReactNode, useDeferredValue } from 'react'
import { useNavigationType } from 'react-router'

/**
 * The lower part of a screen, rendered once its upper part is painted, so that a tap shows the screen sooner.
 * After Back or a reload, both come at once, because the page then returns to where it was.
 */
export function AfterFrame({ children }: { children: ReactNode }) {
  const isReturning = useNavigationType() === 'POP'
  return useDeferredValue(true, isReturning) && children
}
