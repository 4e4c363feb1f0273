// Whether the screen is a phone's, for what is built differently there. What only looks different is a matter of CSS.
import { useSyncExternalStore } from 'react'

/** Narrower than Tailwind's `md`. */
const PHONE = '(width < 48rem)'

function subscribe(onChange: () => void): () => void {
  const query = matchMedia(PHONE)
  query.addEventListener('change', onChange)
  return () => query.removeEventListener('change', onChange)
}

/** Whether the screen is as narrow as a phone's. */
export function useIsPhone(): boolean {
  return useSyncExternalStore(subscribe, () => matchMedia(PHONE).matches)
}
