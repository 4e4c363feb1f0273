import type { Candidate } from './text-file.ts'

interface EncodingChoiceProps {
  candidates: readonly Candidate[]
  chosen: Candidate | undefined
  onChoose: (candidate: Candidate) => void
}

/** Asks which of a file's readings is right. Only somebody who knows the names can tell. */
export function EncodingChoice({ candidates, chosen, onChoose }: EncodingChoiceProps) {
  return (
    <fieldset className="field">
      <legend className="lab">Do these names look right?</legend>
      <p className="help mt-1">
        The file doesn’t say how its letters are stored. Choose the line that looks right.
      </p>
      <div className="mt-1.5 grid">
        {candidates.map((candidate) => (
          <label key={candidate.encoding} className="flex min-h-11 items-center gap-3 py-1.5">
            <input
              type="radio"
              name="encoding"
              className="size-5 shrink-0 accent-accent"
              checked={candidate === chosen}
              onChange={() => onChoose(candidate)}
            />
            <span className="min-w-0 [overflow-wrap:anywhere]">
              <bdi>{candidate.sample}</bdi> ({candidate.name})
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
