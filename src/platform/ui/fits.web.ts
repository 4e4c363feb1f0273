// Switches a component to another layout if the first is too wide.
import { type RefObject, useLayoutEffect, useRef, useState } from 'react'

const rem = () => parseFloat(getComputedStyle(document.documentElement).fontSize)

/**
 * Whether an element's content fits its width, measured before painting. Once it doesn't, it counts as too wide until
 * there's room again.
 * @param content when it changes, it's measured again
 */
export function useFits<Box extends HTMLElement>(content: unknown): [RefObject<Box | null>, boolean] {
  const ref = useRef<Box>(null)
  /** The width it needs in rem, because larger text needs more room. */
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
