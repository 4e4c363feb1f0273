// A change that meets a closed month is refused until somebody reopens the month.
import type { Problem } from '#kernel/endpoint.ts'
import { monthLabel } from '#kernel/month.ts'

/** The month that has to be reopened first, and its connection. */
export interface MonthToReopen {
  connection_id: string
  month: string
}

/** The response to a change of a closed month. */
export function monthClosed(closed_month: MonthToReopen): Problem {
  return {
    status: 409,
    code: 'month_closed',
    title: `${monthLabel(closed_month.month)} is closed. Reopen it with a reason to change it.`,
    closed_month,
  }
}

/** The month that such a response names; undefined for all others. */
export function monthToReopen({ code, closed_month }: Problem): MonthToReopen | undefined {
  return code === 'month_closed' ? (closed_month as MonthToReopen | undefined) : undefined
}
