import { useState } from 'react'
import { useWorkspaces } from '#features/workspaces/client.web.ts'
import { kindsToStart } from '#features/workspaces/naming.ts'
import type { Kind } from '#features/workspaces/workspace.ts'
import { Button } from '#platform/ui/Button.tsx'
import { Disclosure } from '#platform/ui/Disclosure.tsx'
import { late } from '#platform/ui/late.tsx'
import { SettingRow } from '#platform/ui/SettingRow.tsx'
import { LoadingCard } from '#platform/ui/Skeleton.tsx'

const StartDialog = late(async () => (await import('./StartDialog.tsx')).StartDialog)

const ROWS: Record<Kind, { title: string; line: string }> = {
  family: { title: 'Your own family', line: "For your own children's lessons" },
  practice: { title: 'Your own practice', line: 'For the lessons you teach' },
}

const QUESTIONS: Record<Kind, string> = {
  family: 'Do your own children have lessons?',
  practice: 'Do you teach, too?',
}

/**
 * Offers to start a family or a practice if the account doesn't own one yet; renders nothing if it owns both.
 * Folded for people who own one, because most of them never need the other.
 */
export function StartSection() {
  const { data: workspaces, isLoading } = useWorkspaces(true)
  const [starting, setStarting] = useState<Kind>()
  const kinds = workspaces ? kindsToStart(workspaces) : []
  if (isLoading) return <LoadingCard label="Loading your workspaces..." lines={['h-4 w-3/5', 'h-4 w-4/5']} />
  if (!workspaces || kinds.length === 0) return null
  const rows = (
    <div className="list">
      {kinds.map((kind) => (
        <SettingRow key={kind} title={ROWS[kind].title} line={ROWS[kind].line}>
          <Button tone="secondary" size="small" onClick={() => setStarting(kind)}>
            Start a {kind}
          </Button>
        </SettingRow>
      ))}
    </div>
  )
  const [only] = kinds.length === 1 ? kinds : []
  return (
    <section className="card" aria-label="Create your own workspace">
      {only ? (
        <Disclosure className="px-5 py-2" title={<b className="font-semibold">{QUESTIONS[only]}</b>}>
          <div className="-mx-5">{rows}</div>
        </Disclosure>
      ) : (
        rows
      )}
      {starting && (
        <StartDialog kind={starting} workspaces={workspaces} onClose={() => setStarting(undefined)} />
      )}
    </section>
  )
}
