import { Pencil } from 'lucide-react'
import { useCanWrite } from '#features/accounts/client.web.ts'
import { standingOf } from '#features/sessions/confirmation.ts'
import { type Session } from '#features/sessions/session.ts'
import {
  SessionRow,
  SessionWord,
  SessionWords,
  StudentTitle,
  sessionHours,
  sessionMoney,
  sessionStart,
} from '#features/sessions/SessionRow.tsx'
import { UNKNOWN_STUDENT } from '#features/students/student.ts'
import { UNKNOWN_TUTOR } from '#features/tutors/tutor.ts'
import { type CalendarDay, formatDay } from '#kernel/calendar-day.ts'
import { IconButton } from '#platform/ui/Button.tsx'
import { DataTable } from '#platform/ui/DataTable.tsx'

interface SessionDetailsProps {
  sessions: Session[]
  count: number
  onEdit: (session: Session) => void
}

/** Every session of the month: lines of the log on a phone, a table on a desktop. */
export function SessionDetails({ sessions, count, onEdit }: SessionDetailsProps) {
  const canWrite = useCanWrite()
  const isShared = sessions.some((session) => standingOf(session) !== 'own')
  return (
    <section className="mt-4 lg:mt-6">
      <div className="mb-2.5 flex items-center justify-between">
        <h2>Session Details</h2>
        <span className="text-small text-ink-2">
          {count} {count === 1 ? 'session' : 'sessions'}
        </span>
      </div>
      <ul className="card list overflow-hidden md:hidden">
        {sessions.map((session) => (
          <SessionRow key={session.id} session={session} isFull onEdit={canWrite ? onEdit : undefined} />
        ))}
      </ul>
      <div className="card overflow-hidden max-md:hidden">
        <DataTable
          label="Session Details"
          columns={[
            { key: 'date', header: 'Date' },
            { key: 'student', header: 'Student' },
            { key: 'tutor', header: 'Tutor' },
            { key: 'duration', header: 'Duration', numeric: true },
            { key: 'subject', header: 'Subject' },
            { key: 'rate', header: 'Rate', numeric: true },
            { key: 'amount', header: 'Amount', numeric: true, strong: true },
            ...(isShared ? [{ key: 'state' as const, header: 'Verification', hideHeader: true }] : []),
            ...(canWrite ? [{ key: 'actions' as const, header: 'Actions', numeric: true }] : []),
          ]}
          rows={sessions.map((session) => ({
            id: session.id,
            cells: {
              date: (
                <span className="whitespace-nowrap">
                  {formatDay(session.date as CalendarDay, {
                    weekday: 'short',
                    month: 'short',
                    day: 'numeric',
                  })}
                  {session.start_time && (
                    <span className="num block text-small text-ink-2">{sessionStart(session)}</span>
                  )}
                </span>
              ),
              student: <StudentTitle session={session} />,
              tutor: session.tutor_name ?? UNKNOWN_TUTOR,
              duration: sessionHours(session),
              subject: (
                <>
                  {session.subject}
                  <SessionWords session={session} className="max-w-xs" />
                </>
              ),
              rate: sessionMoney(session.effective_rate, session.currency),
              amount: sessionMoney(session.total_amount, session.currency),
              state: <SessionWord session={session} isShort />,
              actions: (
                <IconButton
                  label={`Edit session, ${session.student_name ?? UNKNOWN_STUDENT}, ${formatDay(session.date as CalendarDay, { month: 'short', day: 'numeric' })}`}
                  onClick={() => onEdit(session)}
                >
                  <Pencil className="size-[18px]" aria-hidden="true" />
                </IconButton>
              ),
            },
          }))}
        />
      </div>
    </section>
  )
}
