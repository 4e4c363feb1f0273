import { useState } from 'react'
import { Button } from '#platform/ui/Button.tsx'
import { useLearnedNames } from './client.web.ts'
import { canBeLearned, type Heard, learnableIn } from './learned-name.ts'

interface NextTimeProps {
  heard: Heard
  /** Who was chosen, as they're called on this screen. */
  chosen: { id: string; name: string } | undefined
  /** Leaves the words as unknown as they were. */
  onUndo: () => void
}

/** Says what the words will mean from now on, where the user chose someone else. It's learned with the session. */
export function NextTime({ heard, chosen, onUndo }: NextTimeProps) {
  const learned = useLearnedNames()
  const [isUndone, setIsUndone] = useState(false)
  // Someone who was just added under that name is called that anyway.
  const isKnown = !chosen || !heard.words || !canBeLearned(heard.words, [chosen])
  const learnable =
    learned.isPending || isKnown ? undefined : learnableIn(heard, chosen.id, learned.data?.names ?? [])
  return (
    <span role="status" className="text-small text-ink-2">
      {learnable && chosen && (
        <span className="flex flex-wrap items-center gap-x-4">
          <span className="wrap-anywhere">
            {learnable.isShared
              ? `Next time, we’ll ask who “${learnable.words}” is.`
              : `Next time, “${learnable.words}” is ${chosen.name}.`}
          </span>
          <Button
            tone="quiet"
            size="small"
            className="-ml-4"
            aria-label={`Undo: “${learnable.words}” is ${chosen.name}`}
            onClick={() => {
              setIsUndone(true)
              onUndo()
            }}
          >
            Undo
          </Button>
        </span>
      )}
      {isUndone && !learnable && 'We won’t remember that.'}
    </span>
  )
}
