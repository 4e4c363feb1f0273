import { Check, CircleHelp } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { newId } from '#kernel/id.ts'
import { Badge } from '#platform/ui/Badge.tsx'
import { Button } from '#platform/ui/Button.tsx'
import { type FetchedList, ListRetry } from '#platform/ui/ListField.tsx'
import { useToast } from '#platform/ui/Toast.tsx'
import { plainSpelling } from '#kernel/plain-spelling.ts'
import { whoIsMeant } from './voice-form.ts'

interface ProposedPersonProps {
  label: string
  noun: 'child' | 'student' | 'tutor'
  list: FetchedList<{ id: string; name: string }>
  /** The person's id: our match or the user's choice. */
  id: string | null
  /** True if the user should check the match. */
  isUnsure: boolean
  /** The name as spoken, if we aren't sure who was meant. */
  spokenName: string | null
  onChoose: (id: string) => void
  /** Adds a person with this name and returns their id. Omitted if this user isn't allowed to add people. */
  onAdd?: (name: string, idempotencyKey: string) => Promise<string>
  /** What the spoken words will mean from now on. */
  nextTime: ReactNode
}

/** Shown next to a value we aren't sure about. */
export const PLEASE_CHECK = (
  <Badge tone="warn">
    <CircleHelp className="i" aria-hidden="true" />
    Please check
  </Badge>
)

/** A person in the result. May be matched, suggested along with other choices, or not detected. */
export function ProposedPerson({
  label,
  noun,
  list,
  id,
  isUnsure,
  spokenName,
  onChoose,
  onAdd,
  nextTime,
}: ProposedPersonProps) {
  const toast = useToast()
  const [isAdding, setIsAdding] = useState(false)
  const [idempotencyKey] = useState(newId)
  const people = list.data ?? []
  const person = people.find((candidate) => candidate.id === id)
  const candidates = person ? [] : whoIsMeant(people, spokenName)
  // Until the list has loaded, we can't tell whether the person is new.
  const isNew =
    list.data !== undefined &&
    spokenName !== null &&
    !people.some(({ name }) => plainSpelling(name) === plainSpelling(spokenName))

  async function add(name: string) {
    setIsAdding(true)
    try {
      onChoose((await onAdd?.(name, idempotencyKey)) ?? '')
      toast.success(`${noun[0]?.toUpperCase()}${noun.slice(1)} added successfully`)
    } catch {
      toast.error('Error', `Failed to add ${noun}`)
    } finally {
      setIsAdding(false)
    }
  }

  return (
    <div className="grid min-h-12 grid-cols-[74px_1fr] items-center gap-x-3 px-5 py-2">
      <dt className="text-small text-ink-3">{label}</dt>
      <dd className="flex min-w-0 items-center justify-between gap-3 leading-snug font-medium">
        <span className="line-clamp-2 min-w-0 wrap-anywhere" title={person?.name ?? spokenName ?? undefined}>
          {person?.name ?? spokenName ?? <span className="font-normal text-ink-3">–</span>}
        </span>
        <PersonBadge
          isLoading={!list.data && list.isPending}
          isListed={!!person}
          isUnsure={isUnsure}
          spokenName={spokenName}
        />
      </dd>
      <dd className="col-start-2">
        {nextTime}
        <ListRetry list={list} plural={noun === 'child' ? 'children' : `${noun}s`} />
      </dd>
      {!person && (candidates.length > 0 || (isNew && onAdd)) && (
        <dd className="col-start-2 mt-1.5 mb-1 flex flex-wrap gap-2">
          {candidates.map((candidate) => (
            <Button key={candidate.id} tone="secondary" size="small" onClick={() => onChoose(candidate.id)}>
              <span className="sr-only">{label}: </span>
              {candidate.name}
            </Button>
          ))}
          {isNew && onAdd && (
            <Button
              tone="secondary"
              size="small"
              busy={isAdding}
              busyText="Adding..."
              onClick={() => void add(spokenName)}
            >
              Add {spokenName} as a new {noun}
            </Button>
          )}
        </dd>
      )}
    </div>
  )
}

interface PersonBadgeProps extends Pick<ProposedPersonProps, 'isUnsure' | 'spokenName'> {
  isLoading: boolean
  isListed: boolean
}

/** How well a name matched the list. */
function PersonBadge({ isLoading, isListed, isUnsure, spokenName }: PersonBadgeProps) {
  if (isLoading) return <span className="text-small font-normal text-ink-3">Loading...</span>
  if (isListed && isUnsure) return PLEASE_CHECK
  if (isListed)
    return (
      <Badge tone="ok">
        <Check className="i" aria-hidden="true" />
        Matched
      </Badge>
    )
  if (!spokenName) return <Badge>Not detected</Badge>
  return (
    <Badge tone="warn">
      <CircleHelp className="i" aria-hidden="true" />
      Suggested
    </Badge>
  )
}
