import { Download } from 'lucide-react'
import { useState } from 'react'
import { type SharedSession, totalInWords } from '#features/sessions/confirmation.ts'
import { standingOf } from '#features/agreements/answer.ts'
import { prefillSignUp } from '#features/accounts/client.web.ts'
import { downloadSignedAsTutor } from '#features/months/client.web.ts'
import { paths } from '#features/site/paths.ts'
import { type CalendarDay, monthOf } from '#kernel/calendar-day.ts'
import { monthLabel } from '#kernel/month.ts'
import { Button } from '#platform/ui/Button.tsx'
import { SectionHeading } from '#platform/ui/Card.tsx'
import { type Side, Ticks } from '#platform/ui/Ticks.tsx'
import { useToast } from '#platform/ui/Toast.tsx'

interface ConfirmedMonthsProps {
  sessions: SharedSession[]
  reader: Side
  /** The reader's address, to prefill the sign-up form; null if there's none. */
  email: string | null
  /** Whether the last session was just confirmed. If so, the reader's tick is animated. */
  isFresh: boolean
  /** The months that both sides closed. The page lists them further down, so they're left out here. */
  closed: readonly string[]
}

/**
 * The bottom of the page: the latest month that both sides confirmed, with a download, a sign-up link, and
 * earlier months.
 */
export function ConfirmedMonths({ sessions, reader, email, isFresh, closed }: ConfirmedMonthsProps) {
  const download = useDownload()
  const months = wholeMonths(sessions)
  const [newest, ...earlier] = months
  const older = earlier.filter(({ month }) => !closed.includes(month))
  return (
    <>
      <section className="card mt-6 grid justify-items-center gap-1.5 p-6 text-center" role="status">
        {newest ? (
          <>
            <Ticks width={92} drawn={isFresh ? reader : undefined} />
            <h2 className="mt-2">{monthLabel(newest.month)} is confirmed</h2>
            <p className="num text-balance text-ink-2">{inWords(newest.sessions)}, agreed by both of you</p>
          </>
        ) : (
          <>
            <h2>You’re all caught up</h2>
            <p className="text-ink-2">
              {email
                ? 'You’ll get an email when there’s something new.'
                : 'Open this page again to see what’s new.'}
            </p>
          </>
        )}
        <div className="mt-4 grid w-full gap-2.5">
          {newest && !closed.includes(newest.month) && (
            <Button
              tone="secondary"
              busy={download.busy === newest.month}
              busyText="Preparing..."
              onClick={() => void download.run(newest)}
            >
              <Download className="i" aria-hidden="true" />
              Keep a copy (PDF)
            </Button>
          )}
          {email && (
            <a
              className="link inline-flex min-h-11 items-center justify-center"
              href={paths.signup}
              onClick={() => prefillSignUp({ email, role: reader })}
            >
              Open an account
            </a>
          )}
        </div>
        {email && (
          <p className="help text-balance">
            {`Sign up with this address, and all of this${reader === 'parent' ? ', including your child and tutor,' : ''} comes with you.`}
          </p>
        )}
      </section>
      {older.length > 0 && (
        <section className="mt-7">
          <SectionHeading>Earlier months</SectionHeading>
          <ul className="card list overflow-hidden">
            {older.map((one) => (
              <li
                key={one.month}
                className="flex min-h-[56px] items-center justify-between gap-3 py-1.5 pr-2 pl-5"
              >
                <span className="font-semibold">
                  {monthLabel(one.month)}
                  <span className="num block text-small font-normal text-ink-2">{inWords(one.sessions)}</span>
                </span>
                <Button
                  tone="quiet"
                  size="small"
                  busy={download.busy === one.month}
                  busyText="Preparing..."
                  aria-label={`Keep a copy of ${monthLabel(one.month)} (PDF)`}
                  onClick={() => void download.run(one)}
                >
                  PDF
                </Button>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}

interface WholeMonth {
  month: string
  sessions: SharedSession[]
}

function useDownload() {
  const toast = useToast()
  const [busy, setBusy] = useState<string>()
  const run = async ({ month, sessions }: WholeMonth) => {
    setBusy(month)
    try {
      await downloadSignedAsTutor(sessions[0]?.connection_id ?? '', month)
    } catch {
      toast.error('Error', 'The statement could not be created')
    } finally {
      setBusy(undefined)
    }
  }
  return { busy, run }
}

/** "3 sessions, $157.50". */
function inWords(sessions: SharedSession[]): string {
  return `${sessions.length} ${sessions.length === 1 ? 'session' : 'sessions'}, ${totalInWords(sessions) ?? '–'}`
}

/** The months in which both sides confirmed every session, newest first. */
function wholeMonths(sessions: readonly SharedSession[]): WholeMonth[] {
  const months = [...new Set(sessions.map(({ date }) => monthOf(date as CalendarDay)))].sort().reverse()
  return months
    .map((month) => ({ month, sessions: sessions.filter(({ date }) => date.startsWith(month)) }))
    .filter((one) => one.sessions.every((session) => standingOf(session) === 'verified'))
}
