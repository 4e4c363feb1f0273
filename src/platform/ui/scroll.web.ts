// Where pages were scrolled to, so that Back shows them as you left them.
import { useEffect, useRef } from 'react'
import { useLocation, useNavigationType } from 'react-router'

/** How long a page may take to become as long as it was. */
const MOST_WAIT_MS = 2000
/** What somebody does to move on, so that the page must not move under their fingers. */
const MOVES = ['wheel', 'touchstart', 'keydown', 'pointerdown'] as const

/** By history entry: how far down, and the link that was followed from there. */
const left = new Map<string, { y: number; to?: string }>()

/**
 * Starts each page at its top with its heading focused, for screen readers and keyboard users. After Back, the
 * page is where it was, with the link focused that was followed.
 */
export function usePagePlace(): void {
  const { pathname, key } = useLocation()
  const isBack = useNavigationType() === 'POP'
  const shown = useRef({ pathname, key })
  useEffect(() => {
    const note = () => left.set(shown.current.key, { ...left.get(shown.current.key), y: scrollY })
    addEventListener('scroll', note, { passive: true })
    return () => removeEventListener('scroll', note)
  }, [])
  useEffect(() => {
    const from = shown.current
    shown.current = { pathname, key }
    if (from.pathname === pathname) return
    left.set(from.key, { y: 0, ...left.get(from.key), to: pathname })
    const place = isBack ? left.get(key) : undefined
    const link = [...document.querySelectorAll<HTMLElement>('main a[href]')].find(
      (one) => place?.to && new URL((one as HTMLAnchorElement).href).pathname.endsWith(place.to),
    )
    const heading =
      document.querySelector<HTMLElement>('main h1') ?? document.querySelector<HTMLElement>('main')
    ;(link ?? heading)?.focus({ preventScroll: true })
    return scrollDown(place?.y ?? 0)
  }, [pathname, key, isBack])
}

/** Scrolls down as soon as the page is long enough, unless somebody moves first. Returns a function that stops it. */
function scrollDown(y: number): () => void {
  const end = performance.now() + MOST_WAIT_MS
  let frame = 0
  const stop = () => {
    cancelAnimationFrame(frame)
    for (const move of MOVES) removeEventListener(move, stop)
  }
  const step = () => {
    scrollTo(0, y)
    if (Math.abs(scrollY - y) < 2 || performance.now() > end) return stop()
    frame = requestAnimationFrame(step)
  }
  for (const move of MOVES) addEventListener(move, stop, { passive: true })
  step()
  return stop
}
