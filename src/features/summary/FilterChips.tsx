import type { Choice, SessionFilter } from './session-filter.ts'

interface FilterChipsProps {
  choices: readonly Choice[]
  filter: SessionFilter
  onPress: (choice: Choice) => void
}

/**
 * Filters a list of sessions with one tap. Renders nothing if there's only one option. On a phone, the chips
 * are on a single scrolling line.
 */
export function FilterChips({ choices, filter, onPress }: FilterChipsProps) {
  if (choices.length === 0) return null
  return (
    <div className="chips" role="group" aria-label="Show only">
      {choices.map((choice) => (
        <button
          key={choice.kind + choice.value}
          type="button"
          className="chip"
          title={choice.label}
          aria-pressed={filter[choice.kind] === choice.value}
          onClick={() => onPress(choice)}
        >
          {choice.label}
        </button>
      ))}
    </div>
  )
}
