// Screen width, for components that render or load different things depending on it. If only the style
// differs, use CSS.
import { useSyncExternalStore } from 'react'

/** Named by purpose. The values are Tailwind's breakpoints. */
const WIDTHS = {
  /** A phone: narrower than `md`, 768 pixels. */
  phone: '(width < 48rem)',
  /** A tablet or larger: `md`, 768 pixels. */
  medium: '(width >= 48rem)',
  /** Room for two columns: `lg`, 1024 pixels, or more. */
  wide: '(width >= 64rem)',
}

/** True if the screen is in this width range. During prerendering, the screen is assumed to be wide. */
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
