import { useState } from 'react'
import { Button } from '#platform/ui/Button.tsx'
import { SectionHeading } from '#platform/ui/Card.tsx'
import { RowMenu } from '#platform/ui/RowMenu.tsx'
import { useConnections, useConnects } from './client.web.ts'
import type { Connection } from './connection.ts'
import { useEnding } from './EndDialog.tsx'
import { LinkLine } from './LinkLine.tsx'
import { familyName, MatchDialog } from './MatchDialog.tsx'
import { SharedFromLine } from './SharedFromField.tsx'

/**
 * The connected families and their students. Each row has an option to end the connection. Renders nothing if
 * there are none.
 */
export function FamiliesCard() {
  const connects = useConnects()
  const connections = useConnections()
  const [matched, setMatched] = useState<Connection>()
  const ending = useEnding()
  const connected = connections.data?.filter(({ state }) => state === 'active') ?? []
  if (connected.length === 0) return null
  return (
    <section className="mt-7">
      <SectionHeading>Connected families</SectionHeading>
      <ul className="card list">
        {connected.map((connection) => (
          <li
            key={connection.id}
            className="flex min-h-[56px] flex-wrap items-center justify-between gap-x-1 py-1.5 pr-2 pl-5"
          >
            <span className="min-w-48 flex-1 font-semibold wrap-anywhere">
              {familyName(connection)}
              <span className="block text-small font-normal text-ink-2">
                {connection.is_read_only ? 'Account closed, read only' : childrenOf(connection)}
              </span>
              <LinkLine connection={connection} other={familyName(connection)} />
              <SharedFromLine connection={connection} />
            </span>
            <div className="-ml-4 flex flex-wrap">
              {/* A tutor who sent the request has already named the students. */}
              {connects && !connection.is_read_only && !connection.is_asked_by_you && (
                <Button
                  tone="quiet"
                  size="small"
                  aria-label={`${familyName(connection)}’s students`}
                  onClick={() => setMatched(connection)}
                >
                  Students
                </Button>
              )}
              {connects && (
                <RowMenu
                  label={`More for ${familyName(connection)}`}
                  items={[ending.action({ connection, other: familyName(connection) })]}
                />
              )}
            </div>
          </li>
        ))}
      </ul>
      {matched && <MatchDialog connection={matched} onClose={() => setMatched(undefined)} />}
      {ending.question}
    </section>
  )
}

/** The children whose sessions are shared, for example "Maya, Leo". */
function childrenOf({ people }: Connection): string {
  return people.map(({ first_name: name }) => name).join(', ') || 'No children yet'
}
