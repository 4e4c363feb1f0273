// What changes on a page before it's printed.
import { useEffect } from 'react'
import { flushSync } from 'react-dom'

/** Calls back before the page is printed. What that changes is on the paper. */
export function useBeforePrint(change: () => void): void {
  useEffect(() => {
    const listener = () => flushSync(change)
    addEventListener('beforeprint', listener)
    return () => removeEventListener('beforeprint', listener)
  }, [change])
}
