import { Pencil } from 'lucide-react'
import { standingOf } from '#features/agreements/answer.ts'
import { priceInShort } from '#features/prices/price.ts'
import { useSessionLink } from '#features/sessions/client.web.ts'
import type { Session } from '#features/sessions/session.ts'
import {
  SessionWord,
  SessionWords,
  StudentTitle,
  sessionHours,
  sessionMoney,
  sessionStart,
} from '#features/sessions/SessionRow.tsx'
import { sessionName } from '#features/sessions/standing-text.ts'
import { UNKNOWN_STUDENT } from '#features/students/student.ts'
import { UNKNOWN_TUTOR } from '#features/tutors/tutor.ts'
import { type CalendarDay, formatDay } from '#kernel/calendar-day.ts'
import { IconButton } from '#platform/ui/Button.tsx'
import { DataTable } from '#platform/ui/DataTable.tsx'
import { RowOpener } from '#platform/ui/RowLink.tsx'
import type { SessionOrder, SortColumn } from './session-order.ts'
import { TickBox } from './TickBox.tsx'

interface SessionTableProps {
  sessions: readonly Session[]
  onEdit: ((session: Session) => void) | undefined
  order: SessionOrder
  onSort: (column: SortColumn) => void
  ticked: ReadonlySet<string>
  onTick: (id: string, press: { isRange: boolean }) => void
  onTickAll: () => void
}

/** A month's sessions as a table whose headers sort, with a checkbox for each. */
export function SessionTable(props: SessionTableProps) {
  const { sessions, onEdit, order, onSort, ticked, onTick, onTickAll } = props
  const linkTo = useSessionLink()
  const isShared = sessions.some((session) => standingOf(session) !== 'own')
  const sort = (column: SortColumn) => ({
    onSort: () => onSort(column),
    order:
      order.column === column
        ? order.isDescending
          ? ('descending' as const)
          : ('ascending' as const)
        : undefined,
  })
  return (
    <div className="card overflow-hidden">
      <DataTable
        label="Session Details"
        className="tb-roomy"
        tickAll={
          <TickBox
            label="Select all sessions shown"
            isSet={ticked.size === sessions.length}
            isSome={ticked.size > 0}
            onPress={onTickAll}
          />
        }
        columns={[
          { key: 'date', header: 'Date', sort: sort('date') },
          { key: 'student', header: 'Student', sort: sort('student') },
          { key: 'tutor', header: 'Tutor', sort: sort('tutor') },
          { key: 'duration', header: 'Duration', numeric: true, sort: sort('duration') },
          { key: 'subject', header: 'Subject', sort: sort('subject') },
          { key: 'rate', header: 'Rate', numeric: true, sort: sort('rate') },
          { key: 'amount', header: 'Amount', numeric: true, strong: true, sort: sort('amount') },
          ...(isShared ? [{ key: 'state' as const, header: 'Verification', hideHeader: true }] : []),
          ...(onEdit ? [{ key: 'actions' as const, header: 'Actions', numeric: true }] : []),
        ]}
        rows={sessions.map((session) => {
          const day = shortDay(session)
          const link = linkTo(session)
          return {
            id: session.id,
            link,
            isTicked: ticked.has(session.id),
            tick: (
              <TickBox
                label={`Select ${sessionName(session)}`}
                isSet={ticked.has(session.id)}
                onPress={(press) => onTick(session.id, press)}
              />
            ),
            cells: {
              date: (
                <>
                  {link ? (
                    <RowOpener
                      link={{ ...link, label: `${day}, ${session.student_name ?? UNKNOWN_STUDENT}` }}
                    >
                      <span className="whitespace-nowrap">{day}</span>
                    </RowOpener>
                  ) : (
                    day
                  )}
                  {session.start_time && (
                    <span className="num block text-small font-normal text-ink-2">
                      {sessionStart(session)}
                    </span>
                  )}
                </>
              ),
              student: <StudentTitle session={session} />,
              tutor: session.tutor_name ?? UNKNOWN_TUTOR,
              duration: sessionHours(session),
              subject: (
                <>
                  {session.subject}
                  <SessionWords session={session} className="max-w-xs not-print:max-xl:hidden" />
                </>
              ),
              rate: priceInShort({ ...session, rate: session.effective_rate }, session.currency, '–'),
              amount: sessionMoney(session.total_amount, session.currency),
              state: <SessionWord session={session} isShort />,
              actions: onEdit && (
                <IconButton label={`Edit session, ${sessionName(session)}`} onClick={() => onEdit(session)}>
                  <Pencil className="size-[18px]" aria-hidden="true" />
                </IconButton>
              ),
            },
          }
        })}
      />
    </div>
  )
}

function shortDay({ date }: Session): string {
  return formatDay(date as CalendarDay, { weekday: 'short', month: 'short', day: 'numeric' })
}
