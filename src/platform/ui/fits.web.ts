// Detects when a component's layout is too wide, so that it can switch to another one.
import { type RefObject, useLayoutEffect, useRef, useState } from 'react'

const rem = () => parseFloat(getComputedStyle(document.documentElement).fontSize)

/**
 * Returns whether an element's content fits its width. Measured before painting. If the content doesn't fit,
 * it counts as too wide until there's enough room again.
 * @param content measured again when it changes
 */
export function useFits<Box extends HTMLElement>(content: unknown): [RefObject<Box | null>, boolean] {
  const ref = useRef<Box>(null)
  /** The width the content needs. It's in rem, because larger text needs more room. */
  const [needs, setNeeds] = useState<number>()
  const [measured, setMeasured] = useState(content)
  if (measured !== content) {
    setMeasured(content)
    setNeeds(undefined)
  }
  const fits = needs === undefined
  useLayoutEffect(() => {
    const box = ref.current
    if (!box) return
    const look = () => {
      if (fits && box.scrollWidth > box.clientWidth) setNeeds(box.scrollWidth / rem())
      if (!fits && box.clientWidth >= needs * rem()) setNeeds(undefined)
    }
    look()
    const observer = new ResizeObserver(look)
    observer.observe(box)
    // With larger text, the content grows but the box doesn't.
    if (box.firstElementChild) observer.observe(box.firstElementChild)
    return () => observer.disconnect()
  }, [fits, needs, content])
  return [ref, fits]
}
