// Lets a page load what only a wide screen shows.
import { useSyncExternalStore } from 'react'

/** Tailwind's lg, 1024 pixels. */
const WIDE = '(min-width: 64rem)'

/** Whether the screen has room for two columns. */
export function useIsWide(): boolean {
  return useSyncExternalStore(
    (listener) => {
      const query = matchMedia(WIDE)
      query.addEventListener('change', listener)
      return () => query.removeEventListener('change', listener)
    },
    () => matchMedia(WIDE).matches,
  )
}
