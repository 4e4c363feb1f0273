import { ChevronDown } from 'lucide-react'
import { Fragment, type ReactNode, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { useWidth } from '#platform/ui/width.web.ts'
import { foldedRows, ROOM, type Waiting } from './fold.ts'

/** A kind of waiting item, and the list that shows it. */
export interface WaitingKind extends Waiting {
  /** Element id of the list, for links to it. */
  id: string
  /** The item's name, singular and plural. */
  words: readonly [one: string, several: string]
  /** @param limit how many rows to show; if omitted, the list decides */
  list: (limit?: number) => ReactNode
}

/** Element id of today's classes, above these lists. */
export const TODAY = 'today'

/** The state of a link to the dashboard that leads to the first class or session to confirm. */
export const ASK = { asks: true }

/** The kinds that ask whether a class happened. */
const QUESTIONS: readonly string[] = ['to-confirm', 'due']

interface WaitingKindsProps {
  kinds: readonly WaitingKind[]
  /** How many of today's classes are asked about above these lists. */
  openToday: number
  /** How many rows fit above the month, if different from the usual number. */
  room?: number
  /** What to do if there's nothing to confirm, for someone who followed a link to confirm a class. */
  whenNone: ReactNode
}

/**
 * Whether the user has expanded the list. Remembered until the page reloads, so that the list is still
 * expanded when they come back from another page.
 */
let isAllShown = false

/**
 * Everything waiting for an answer, by kind. On a single-column screen, shows only a few rows and an "All 9"
 * button, so that the month's total is visible without scrolling. The number of rows is fixed at the start,
 * and answered rows stay, so nothing moves under your thumb.
 */
export function WaitingKinds({ kinds, openToday, room = ROOM, whenNone }: WaitingKindsProps) {
  const isWide = useWidth('wide')
  const [rows] = useState(() => foldedRows(kinds, room))
  const { isAll, setIsAll, hasNone } = useAll(kinds, openToday)
  const id = useId()
  const folds = !isWide && rows !== undefined
  const limitOf = (at: number) => (folds ? (isAll ? Infinity : (rows[at] ?? 0)) : undefined)
  const total = kinds.reduce((sum, { count }) => sum + count, 0)
  return (
    <>
      {hasNone && (
        <div id={NOTHING} tabIndex={-1} className="card mt-6 p-5">
          {whenNone}
        </div>
      )}
      <div id={id}>
        {kinds.map((kind, at) => (
          <Fragment key={kind.id}>{kind.list(limitOf(at))}</Fragment>
        ))}
      </div>
      {folds && (isAll || total > 0) && (
        <FoldButton
          controls={id}
          isAll={isAll}
          total={total}
          words={kinds
            .flatMap(({ count, words: [one, several] }) =>
              count > 0 ? `${count} ${count === 1 ? one : several}` : [],
            )
            .join(', ')}
          onToggle={() => setIsAll(!isAll)}
        />
      )}
    </>
  )
}

/** Element id of the note that there's nothing to confirm. */
const NOTHING = 'nothing'

/**
 * Whether all rows are shown. A link to one of the lists expands it, scrolls there, and focuses its first
 * button.
 */
function useAll(kinds: readonly WaitingKind[], openToday: number) {
  const [isAll, setIsAll] = useState(isAllShown)
  const { hash, key, state } = useLocation()
  const asks = (state as Partial<typeof ASK> | null)?.asks || hash === '#due' || hash === `#${TODAY}`
  const isAbove = asks && hash !== '#due' && openToday > 0
  const linked =
    kinds.find(({ id, count }) => hash === `#${id}` && count > 0) ??
    (asks ? kinds.find(({ id, count }) => QUESTIONS.includes(id) && count > 0) : undefined)
  const [followed, setFollowed] = useState<{ key: string; target: string }>()
  if ((linked || asks) && followed?.key !== key) {
    setFollowed({ key, target: isAbove ? TODAY : (linked?.id ?? NOTHING) })
    if (linked && !isAbove) setIsAll(true)
  }
  useEffect(() => {
    const target = followed && document.getElementById(followed.target)
    target?.scrollIntoView({ block: target.id === NOTHING ? 'center' : 'start' })
    const first = target?.querySelector<HTMLElement>('li button') ?? target
    first?.focus({ preventScroll: true })
  }, [followed])
  useEffect(() => {
    isAllShown = isAll
  }, [isAll])
  return { isAll, setIsAll, hasNone: followed?.key === key && followed.target === NOTHING }
}

interface FoldButtonProps {
  /** Element id of the content that this button expands. */
  controls: string
  isAll: boolean
  total: number
  /** The total by kind, as text. */
  words: string
  onToggle: () => void
}

function FoldButton({ controls, isAll, total, words, onToggle }: FoldButtonProps) {
  const button = useRef<HTMLButtonElement>(null)
  const [isUsed, setIsUsed] = useState(false)
  useLayoutEffect(() => {
    // After the user collapses a long list, its end is much higher up, so scroll there.
    if (isUsed && !isAll) button.current?.scrollIntoView({ block: 'center' })
  }, [isUsed, isAll])
  return (
    <>
      {/* Announced, because the new rows are above the button and a screen reader has already passed them. */}
      <p className="sr-only" role="status">
        {isUsed && isAll && `All ${total} are shown above`}
      </p>
      <button
        ref={button}
        type="button"
        className="card mt-3 flex min-h-12 w-full items-center gap-3 px-5 py-2 text-left hover:border-control"
        aria-expanded={isAll}
        aria-controls={controls}
        onClick={() => {
          setIsUsed(true)
          onToggle()
        }}
      >
        <span className="shrink-0 font-semibold text-accent">{isAll ? 'Show fewer' : `All ${total}`}</span>{' '}
        <span className="min-w-0 flex-1 text-right text-small text-ink-2">{!isAll && words}</span>
        <ChevronDown className={`i shrink-0 text-ink-2 ${isAll ? 'rotate-180' : ''}`} aria-hidden="true" />
      </button>
    </>
  )
}
