// How wide the screen is, for what is built or loaded differently there. What only looks different is a matter of CSS.
import { useSyncExternalStore } from 'react'

/** Named after what they are for; the numbers are those of Tailwind. */
const WIDTHS = {
  /** A phone: narrower than `md`, 768 pixels. */
  phone: '(width < 48rem)',
  /** A tablet: `md` or wider. */
  medium: '(width >= 48rem)',
  /** Room for two columns: `lg`, 1024 pixels, or wider. */
  wide: '(width >= 64rem)',
}

/** Whether the screen has a width now; a page that is built to HTML is built for a wide one. */
export function useWidth(width: keyof typeof WIDTHS): boolean {
  const query = WIDTHS[width]
  return useSyncExternalStore(
    (listener) => {
      const list = matchMedia(query)
      list.addEventListener('change', listener)
      return () => list.removeEventListener('change', listener)
    },
    () => matchMedia(query).matches,
    () => width !== 'phone',
  )
}
