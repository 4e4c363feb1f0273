// Lets a page load what only a wide screen shows.
import { useSyncExternalStore } from 'react'

/** Tailwind's lg, 1024 pixels. */
const WIDE = '(min-width: 64rem)'

/** Whether the screen has room for two columns; a page that is built to HTML is built for a wide one. @param from the media query, from 1024 pixels if left out */
export function useIsWide(from = WIDE): boolean {
  return useSyncExternalStore(
    (listener) => {
      const query = matchMedia(from)
      query.addEventListener('change', listener)
      return () => query.removeEventListener('change', listener)
    },
    () => matchMedia(from).matches,
    () => true,
  )
}
