import { type CalendarDay, formatDay } from '#kernel/calendar-day.ts'
import { formatHours, type Minutes } from '#kernel/duration.ts'
import { type Currency, formatAmount } from '#kernel/money.ts'
import { monthLabel } from '#kernel/month.ts'
import { chargeDetail, chargeTitle } from '#features/payments/payment-words.ts'
import { monthPage } from '#features/site/paths.ts'
import { Link } from 'react-router'
import { inOneLine } from '#kernel/isolate.ts'
import { formatTime } from '#kernel/wall-clock.ts'
import { Badge } from '#platform/ui/Badge.tsx'
import { DataTable } from '#platform/ui/DataTable.tsx'
import type { Kind, Preview, PreviewLine } from './import.ts'

const STATES = {
  ready: { label: 'New', tone: 'ok' },
  refused: { label: 'Error', tone: 'danger' },
  existing: { label: 'In your log', tone: 'plain' },
  repeat: { label: 'Duplicate line', tone: 'plain' },
} as const

/**
 * The file's lines and what will happen to each. Lines that can't be imported come first, then lines to check,
 * both with reasons.
 */
export function ImportLines({ preview, isCalendar }: { preview: Preview; isCalendar: boolean }) {
  const refused = preview.lines.filter((line) => line.state === 'refused')
  const others = preview.lines.filter((line) => line.state !== 'refused')
  const toCheck = others.filter((line) => line.state === 'ready' && line.problem !== null)
  const nouns = isCalendar
    ? { title: 'Lessons', refused: 'Lessons with errors', toCheck: 'Lessons to check' }
    : { title: 'Lines', refused: 'Lines with errors', toCheck: 'Lines to check' }
  const all = preview.sessions + preview.charges + preview.refused + preview.existing + preview.repeats
  return (
    <>
      {refused.length > 0 && (
        <LinesWithReasons
          id="refused"
          title={nouns.refused}
          lines={refused}
          isCalendar={isCalendar}
          tone="text-danger"
        />
      )}
      {toCheck.length > 0 && (
        <LinesWithReasons id="to-check" title={nouns.toCheck} lines={toCheck} isCalendar={isCalendar} />
      )}
      {others.length > 0 && (
        <section className="mt-5" aria-labelledby="lines">
          <h2 id="lines">{nouns.title}</h2>
          {preview.lines.length < all && (
            <p className="mt-1 text-small text-ink-2">
              Showing the first {preview.lines.length} of {all} {nouns.title.toLowerCase()}.
            </p>
          )}
          <ul className="card list mt-2.5 md:hidden">
            {others.map((line) => (
              <li key={line.line} className="flex items-start justify-between gap-3 px-4 py-3">
                <div className="min-w-0">
                  <p className="font-semibold [overflow-wrap:anywhere]">{titleOf(line)}</p>
                  <p className="text-small text-ink-2 [overflow-wrap:anywhere]">
                    {inOneLine(detailsOf(line))}
                  </p>
                  <p className="mt-1">
                    <StateBadge line={line} />
                  </p>
                </div>
                <span className="num shrink-0 font-semibold">{moneyOf(line)}</span>
              </li>
            ))}
          </ul>
          <div className="card mt-2.5 overflow-hidden max-md:hidden">
            <DataTable
              label={nouns.title}
              columns={[
                ...(isCalendar ? [] : [{ key: 'line', header: 'Line' }]),
                { key: 'state', header: 'Result' },
                { key: 'date', header: 'Date' },
                { key: 'student', header: 'Student' },
                { key: 'tutor', header: 'Tutor' },
                ...PARTICULARS[preview.kind],
                { key: 'amount', header: 'Amount', numeric: true, strong: true },
              ]}
              rows={others.map((line) => ({
                id: String(line.line),
                cells: {
                  line: line.line,
                  state: <StateBadge line={line} />,
                  date: <span className="whitespace-nowrap">{dateOf(line)}</span>,
                  student: line.student,
                  tutor: line.tutor,
                  time: <span className="whitespace-nowrap">{timeOf(line)}</span>,
                  hours: hoursOf(line),
                  subject: line.subject,
                  what: inOneLine(whatOf(line)),
                  amount: moneyOf(line),
                },
              }))}
            />
          </div>
        </section>
      )}
    </>
  )
}

function LinesWithReasons({
  id,
  title,
  lines,
  isCalendar,
  tone = '',
}: {
  id: string
  title: string
  lines: readonly PreviewLine[]
  isCalendar: boolean
  tone?: string
}) {
  return (
    <section className="mt-5" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <ul className="card list mt-2.5">
        {lines.map((line) => (
          <li key={line.line} className="flex gap-4 px-4 py-3">
            <b className="num w-20 shrink-0 font-semibold">
              {isCalendar && line.date ? dateOf(line) : `Line ${line.line}`}
            </b>
            <span className="min-w-0 [overflow-wrap:anywhere]">
              <span className={tone}>{line.problem}</span>
              {line.closed_month && (
                <Link
                  className="link flex min-h-11 items-center"
                  to={monthPage(line.closed_month.connection_id, line.closed_month.month)}
                >
                  Open {monthLabel(line.closed_month.month)}
                </Link>
              )}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

const PARTICULARS: Record<Kind, { key: string; header: string; numeric?: true }[]> = {
  sessions: [
    { key: 'time', header: 'Start time' },
    { key: 'hours', header: 'Duration', numeric: true },
    { key: 'subject', header: 'Subject' },
  ],
  charges: [{ key: 'what', header: 'What it’s for' }],
}

/** What a charge is for: its title and kind. Nothing for a session. */
function whatOf({ reason, label, amount, currency }: PreviewLine): string[] {
  if (reason === null || amount === null || currency === null) return []
  const charge = { reason, label, amount, currency: currency as Currency }
  return [chargeTitle(charge), chargeDetail(charge)].filter(Boolean)
}

function titleOf(line: PreviewLine): string {
  return whatOf(line)[0] ?? line.student ?? ''
}

function detailsOf(line: PreviewLine): (string | null)[] {
  const [title, ...more] = whatOf(line)
  return title === undefined
    ? [dateOf(line), timeOf(line), hoursOf(line), line.tutor, line.subject]
    : [...more, dateOf(line), line.student, line.tutor].filter(Boolean)
}

function moneyOf({ amount, currency }: PreviewLine): string {
  return amount === null || currency === null ? '–' : formatAmount(amount, currency as Currency)
}

function StateBadge({ line }: { line: PreviewLine }) {
  if (line.state === 'ready' && line.problem !== null) return <Badge tone="warn">Check</Badge>
  const { label, tone } = STATES[line.state]
  const isRecorded = line.state === 'existing' && line.reason !== null
  return <Badge tone={tone}>{isRecorded ? 'Already recorded' : label}</Badge>
}

function dateOf(line: PreviewLine): string {
  return line.date
    ? formatDay(line.date as CalendarDay, { month: 'short', day: 'numeric', year: 'numeric' })
    : ''
}

function timeOf(line: PreviewLine): string {
  return line.start_time === null ? '' : formatTime(line.start_time)
}

function hoursOf(line: PreviewLine): string {
  return line.hours === null ? '' : `${formatHours(Math.round(line.hours * 60) as Minutes)} h`
}
