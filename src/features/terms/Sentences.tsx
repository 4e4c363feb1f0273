import { comparedTo } from './terms-form.ts'

interface SentencesProps {
  sentences: readonly string[]
  /** What was agreed before, to mark what's different. */
  before?: readonly string[] | undefined
}

/** What terms say. What's new is marked, and what no longer holds is crossed out. */
export function Sentences({ sentences, before }: SentencesProps) {
  const isChanged = before !== undefined
  return (
    <ul className="num grid gap-1.5 wrap-anywhere">
      {comparedTo(sentences, before).map(({ text, change }) => (
        <li key={text} className={isChanged && !change ? 'text-ink-2' : ''}>
          {change === 'new' ? (
            <ins className="font-semibold no-underline">
              <span className="sr-only">New: </span>
              {text}
            </ins>
          ) : change === 'gone' ? (
            <del className="text-ink-3">
              <span className="sr-only">No longer: </span>
              {text}
            </del>
          ) : (
            text
          )}
        </li>
      ))}
    </ul>
  )
}
