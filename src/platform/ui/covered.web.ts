// An on-screen keyboard covers the bottom of the page without resizing the layout. `--covered` is the height
// it covers, in pixels, for use in styles.
import { useEffect } from 'react'

/** The most the browser's toolbars can cover, in pixels. An on-screen keyboard covers more. */
const BARS = 120

export function useCovered(): void {
  useEffect(() => {
    const view = window.visualViewport
    const root = document.documentElement
    if (!view) return
    const measure = () => {
      const below = root.clientHeight - view.offsetTop - view.height
      // Ignores pinch zoom, which shrinks the viewport too.
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
