import { FileDown } from 'lucide-react'
import { Link, useSearchParams } from 'react-router'
import { useSide } from '#features/accounts/client.web.ts'
import { Month } from '#features/sessions/session.ts'
import { monthPage, paths } from '#features/site/paths.ts'
import { monthLabel } from '#kernel/month.ts'
import { CallFailed } from '#platform/api.web.ts'
import { Badge } from '#platform/ui/Badge.tsx'
import { Button, ButtonLink } from '#platform/ui/Button.tsx'
import { Empty, LoadFailed } from '#platform/ui/Empty.tsx'
import { HelpLink } from '#platform/ui/HelpLink.tsx'
import { PageTitle } from '#platform/ui/PageTitle.tsx'
import { LoadingCards } from '#platform/ui/Skeleton.tsx'
import { TickLine, BOTH_SIDES } from '#platform/ui/Ticks.tsx'
import { type PageOf, useClosedMonths, useKeepPage, useMonthPage } from './client.web.ts'
import { dayOf, otherName } from './closing-text.ts'
import { MonthPageCard } from './MonthPageCard.tsx'

export default function MonthsPage() {
  const [query] = useSearchParams()
  const [connection, month] = [query.get('connection'), query.get('month')]
  if (!connection || !month) return <ClosedMonths />
  const code = query.get('code')
  return <PageOfMonth wanted={{ connection_id: connection, month, ...(code ? { code } : {}) }} />
}

function ClosedMonths() {
  const reader = useSide()
  const months = useClosedMonths()
  return (
    <>
      <PageTitle
        title="Closed months"
        subtitle={`What you and your ${reader === 'parent' ? 'tutors' : 'families'} agreed on, month by month.`}
      />
      <div className="mt-5">
        {months.isPending && <LoadingCards count={2} label="Loading closed months..." />}
        {months.isError && (
          <LoadFailed title="Your closed months didn’t load" onRetry={() => void months.refetch()} />
        )}
        {months.data?.months.length === 0 && (
          <Empty
            title="No closed months yet"
            line="Once everything in a month is confirmed, either of you can close it. You both keep the page."
            action={
              <div className="grid justify-items-center gap-2">
                <ButtonLink to={paths.summary}>See this month</ButtonLink>
                <HelpLink topic="months">How closing a month works</HelpLink>
              </div>
            }
          />
        )}
        {months.data && months.data.months.length > 0 && (
          <ul className="card list overflow-hidden">
            {months.data.months.map((one) => (
              <li key={one.connection_id + one.month} className="px-5 py-3.5">
                <div className="flex flex-wrap items-center justify-between gap-x-3">
                  <Link
                    className="link inline-flex min-h-11 items-center font-semibold wrap-anywhere"
                    to={monthPage(one.connection_id, one.month)}
                  >
                    {monthLabel(one.month)} with {otherName(reader, one.other_name)}
                  </Link>
                </div>
                {one.state === 'closed' ? (
                  <TickLine by={BOTH_SIDES} words={`Closed on ${dayOf(one.closed_at)}`} />
                ) : (
                  <p className="wrap-anywhere text-ink-2">
                    <Badge tone="warn">Changed since</Badge> Reopened: {one.reason}
                  </p>
                )}
              </li>
            ))}
          </ul>
        )}
      </div>
    </>
  )
}

function PageOfMonth({ wanted }: { wanted: PageOf }) {
  const reader = useSide()
  const other = otherName(reader, undefined)
  const closed = useClosedMonths(reader === 'parent').data?.months
  const page = useMonthPage(wanted)
  const { keep, isKeeping } = useKeepPage(wanted, other)
  const title = Month.safeParse(wanted.month).success ? monthLabel(wanted.month) : 'Closed month'
  if (page.isPending)
    return (
      <>
        <PageTitle title={title} />
        <div className="mt-5">
          <LoadingCards count={2} label="Loading the page..." />
        </div>
      </>
    )
  if (page.isError) {
    const isGone = page.error instanceof CallFailed && [404, 422].includes(page.error.problem.status)
    return isGone ? (
      <Empty
        isPage
        title="This month is not closed"
        line="Its page appears here once you’ve both closed it."
        action={<ButtonLink to={paths.months}>All closed months</ButtonLink>}
      />
    ) : (
      <>
        <PageTitle title={title} />
        <div className="mt-5">
          <LoadFailed title="The page didn’t load" onRetry={() => void page.refetch()} />
        </div>
      </>
    )
  }
  // What both keep names the tutor as the tutor does. On the screen, a family reads its own name for them.
  const own = closed?.find((one) => one.connection_id === wanted.connection_id)?.other_name
  const shown = { ...page.data, tutor_name: own ?? page.data.tutor_name }
  return (
    <>
      <PageTitle
        title={monthLabel(page.data.month)}
        subtitle={`${shown.family_name} with ${shown.tutor_name}`}
      />
      {page.data.state === 'reopened' && (
        <p className="mt-3 wrap-anywhere">
          <Badge tone="warn">Changed since</Badge> Reopened{' '}
          {page.data.reopened_by === 'you' ? 'by you' : `by ${other}`} on {dayOf(page.data.reopened_at ?? '')}
          : {page.data.reason}
        </p>
      )}
      <div className="mt-4 flex flex-wrap gap-2">
        <Button size="small" busy={isKeeping} busyText="Saving..." onClick={keep}>
          <FileDown className="i" aria-hidden="true" />
          Keep a copy (PDF)
        </Button>
        <ButtonLink tone="secondary" size="small" to={paths.months}>
          All closed months
        </ButtonLink>
      </div>
      <MonthPageCard page={shown} />
    </>
  )
}
