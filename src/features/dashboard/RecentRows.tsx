import { SessionRow } from '#features/sessions/SessionRow.tsx'
import type { Dashboard } from './dashboard.ts'

export default function RecentRows({ sessions }: { sessions: Dashboard['recent_sessions'] }) {
  return (
    <ul className="card list overflow-hidden">
      {sessions.map((session) => (
        <SessionRow key={session.id} session={session} />
      ))}
    </ul>
  )
}
