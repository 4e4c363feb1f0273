// Where pages were scrolled to, so that Back shows them as you left them.
import { useEffect, useLayoutEffect, useRef } from 'react'
import { useLocation, useNavigationType } from 'react-router'

/** How long a page may take to become as long as it was. */
const MOST_WAIT_MS = 2000
/** What somebody does to move on, so that the page must not move under their fingers. */
const MOVES = ['wheel', 'touchstart', 'keydown', 'pointerdown'] as const

/** How many pages to remember. */
const MOST = 50
/** Where this tab stores them, so that they survive a reload. */
const PLACES = 'places'

/** How far down a page was, and the link that was followed from there. */
interface Place {
  y: number
  to: string
}

/** Forgets where pages were, because the next person must not find them. */
export function forgetPlaces(): void {
  sessionStorage.removeItem(PLACES)
}

/** By history entry and path, the oldest first. */
function places(): Record<string, Place> {
  return JSON.parse(sessionStorage.getItem(PLACES) ?? '{}') as Record<string, Place>
}

function keepPlace(entry: string, place: Place): void {
  const kept = Object.entries(places()).filter(([other]) => other !== entry)
  sessionStorage.setItem(
    PLACES,
    JSON.stringify(Object.fromEntries([...kept.slice(1 - MOST), [entry, place]])),
  )
}

/** Entries from before this document loaded may share a key, so their path is needed as well. */
const entryOf = ({ key, pathname }: { key: string; pathname: string }) => `${key} ${pathname}`

/**
 * Starts each page at its top with its heading focused, for screen readers and keyboard users. After Back, the
 * page is where it was, with the link focused that was followed.
 */
export function usePagePlace(): void {
  const { pathname, key } = useLocation()
  const isBack = useNavigationType() === 'POP'
  const shown = useRef({ pathname, key, y: 0 })
  useEffect(() => {
    const note = () => {
      shown.current.y = scrollY
    }
    addEventListener('scroll', note, { passive: true })
    return () => removeEventListener('scroll', note)
  }, [])
  // Before the browser shows the new page: once it has, a longer page's place is lost.
  useLayoutEffect(() => {
    const from = shown.current
    const isSame = from.pathname === pathname
    shown.current = { pathname, key, y: isSame ? from.y : 0 }
    if (isSame) return
    keepPlace(entryOf(from), { y: from.y, to: pathname })
    const place = isBack ? places()[entryOf({ key, pathname })] : undefined
    const link = [...document.querySelectorAll<HTMLAnchorElement>('main a[href]')].find(
      (one) => place && one.pathname.endsWith(place.to),
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
