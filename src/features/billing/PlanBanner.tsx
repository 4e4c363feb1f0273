import { Link } from 'react-router'
import { paths } from '#features/site/paths.ts'
import { dayIn, formatDay } from '#kernel/calendar-day.ts'
import { Notice } from '#platform/ui/Notice.tsx'
import { usePlan } from './client.web.ts'

/** The banner appears on every screen once the trial has this many days left. */
const SOON_DAYS = 7

/** A banner on every screen when the trial is over or about to end. Explains what to do. */
export default function PlanBanner() {
  const { data: plan } = usePlan()
  if (!plan || (plan.state !== 'ended' && !(plan.state === 'trial' && plan.trial_days_left <= SOON_DAYS)))
    return null
  const link = (
    <Link className="link inline-flex min-h-11 items-center" to={paths.account}>
      Choose a plan
    </Link>
  )
  return (
    <div className="mb-4">
      <Notice>
        {plan.open_until ? (
          <p>
            You’re the owner now. To keep logging sessions after{' '}
            {formatDay(dayIn(new Date(plan.open_until)), { month: 'long', day: 'numeric' })}, choose a plan.
          </p>
        ) : plan.state === 'ended' ? (
          <p>
            Your free trial is over. You can still read, export and delete everything. To log or change
            sessions, choose a plan.
          </p>
        ) : (
          <p>
            Your free trial ends{' '}
            {plan.trial_days_left === 1 ? 'within a day' : `in ${plan.trial_days_left} days`}.
          </p>
        )}
        {link}
      </Notice>
    </div>
  )
}
