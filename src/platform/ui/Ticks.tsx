import { useEffect, useState } from 'react'
import { announce, readyToAnnounce } from './announce.web.ts'

export type Side = 'parent' | 'tutor'

interface TicksProps {
  /** The sides that have confirmed. The tick for a side that hasn't is outlined. */
  by?: readonly Side[]
  /** The side whose tick is animated. */
  drawn?: Side | undefined
  width?: number
}

export const BOTH_SIDES: readonly Side[] = ['parent', 'tutor']

/**
 * Two ticks: blue for the parent and green for the tutor. The tick for a side that hasn't confirmed is thin
 * and gray.
 */
export function Ticks({ by = BOTH_SIDES, drawn, width = 25 }: TicksProps) {
  return (
    <svg className="ticks" width={width} height={width * 0.6} viewBox="0 0 30 18" aria-hidden="true">
      <path d="M2.5 10l5 5L17 3.5" {...pen('parent', by, drawn)} />
      <path d="M12.5 10l5 5L27 3.5" {...pen('tutor', by, drawn)} />
    </svg>
  )
}

function pen(side: Side, by: readonly Side[], drawn: Side | undefined) {
  return by.includes(side)
    ? { stroke: `var(--color-${side})`, className: side === drawn ? 'draw' : undefined }
    : { stroke: 'var(--color-control)', className: 'pencil' }
}

/** The side that confirmed while its tick was on screen, so that the tick draws itself. It's announced, too. */
export function useNewTick(by: readonly Side[], words: string): Side | undefined {
  const [seen, setSeen] = useState<{ by: readonly Side[]; added?: Side | undefined }>({ by })
  if (seen.by.join() !== by.join()) setSeen({ by, added: by.find((side) => !seen.by.includes(side)) })
  useEffect(readyToAnnounce, [])
  useEffect(() => {
    if (seen.added) announce(words)
  }, [seen.added, words])
  return seen.added
}

interface TickLineProps {
  by: readonly Side[]
  /** The side that just confirmed, if the ticks weren't there before. */
  drawn?: Side | undefined
  words: string
  /** What the ticks are about, for whoever hears of a new one instead of seeing it. */
  about?: string
}

/** The ticks with text, because color alone isn't enough. */
export function TickLine({ by, drawn, words, about }: TickLineProps) {
  const added = useNewTick(by, about ? `${about}: ${words}` : words)
  return (
    <span className="ver">
      <Ticks by={by} drawn={added ?? drawn} />
      {words}
    </span>
  )
}
