// An on-screen keyboard covers the bottom of the page without making the page any lower; styles read how much in `--covered`.
import { useEffect } from 'react'

/** What the browser's own bars cover at most, in pixels; a keyboard covers more. */
const BARS = 120

/** Sets `--covered` on the root to the pixels of the page's bottom that a keyboard covers, as long as the screen is shown. */
export function useCovered(): void {
  useEffect(() => {
    const view = window.visualViewport
    const root = document.documentElement
    if (!view) return
    const measure = () => {
      const below = root.clientHeight - view.offsetTop - view.height
      // Zooming in covers nothing.
      const isKeyboard = view.scale < 1.1 && root.clientHeight - view.height > BARS
      root.style.setProperty('--covered', `${isKeyboard ? Math.max(0, Math.round(below)) : 0}px`)
    }
    measure()
    view.addEventListener('resize', measure)
    view.addEventListener('scroll', measure)
    return () => {
      view.removeEventListener('resize', measure)
      view.removeEventListener('scroll', measure)
      root.style.removeProperty('--covered')
    }
  }, [])
}
