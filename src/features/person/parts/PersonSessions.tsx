import { useCanLog } from '#features/accounts/client.web.ts'
import { downloadSessions } from '#features/months/client.web.ts'
import { paths } from '#features/site/paths.ts'
import { SessionSearchSection } from '#features/summary/SessionSearchSection.tsx'
import { ButtonLink } from '#platform/ui/Button.tsx'
import { Empty } from '#platform/ui/Empty.tsx'
import type { Kind } from '../account.ts'
import type { Who } from '../lesson-days.ts'

interface PersonSessionsProps {
  kind: Kind
  who: Who
  name: string
}

/** All of a person's sessions, newest first, with a search. */
export function PersonSessions({ kind, who, name }: PersonSessionsProps) {
  const canLog = useCanLog()
  return (
    <SessionSearchSection
      scope={who}
      heading="Sessions"
      isFull={kind === 'child'}
      onExport={downloadSessions}
      none={
        <Empty
          title={`No sessions with ${name} yet`}
          line={canLog ? 'What you log shows up here.' : undefined}
          action={canLog && <ButtonLink to={paths.addSession}>Add a session</ButtonLink>}
        />
      }
    />
  )
}
