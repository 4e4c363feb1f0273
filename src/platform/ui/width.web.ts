// The screen's width, for things that are built or loaded differently. Differences in style are up to CSS.
import { useSyncExternalStore } from 'react'

/** Named after their purpose; the numbers are Tailwind's. */
const WIDTHS = {
  /** A phone: narrower than `md`, 768 pixels. */
  phone: '(width < 48rem)',
  /** A tablet: `md` or wider. */
  medium: '(width >= 48rem)',
  /** Room for two columns: `lg`, 1024 pixels, or wider. */
  wide: '(width >= 64rem)',
}

/** True if the screen has this width. Prerendered pages are rendered as wide. */
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
