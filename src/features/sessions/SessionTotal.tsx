import type { CSSProperties } from 'react'
import { useMe, useSeesAmounts } from '#features/accounts/client.web.ts'
import { useStudents } from '#features/students/client.web.ts'
import { useCoveringFee } from '#features/terms/client.web.ts'
import { formatHours } from '#kernel/duration.ts'
import { type Currency, formatMoney } from '#kernel/money.ts'
import { runningTotal, type SessionFields, type UsualPrice } from './session-form.ts'
import { priceAt } from '#features/prices/price.ts'

interface SessionTotalProps {
  fields: SessionFields
  /** The price without an override. */
  usual: UsualPrice
  currency: Currency
  /** Instead of a box, renders two short lines next to a button. */
  isCompact?: boolean
  /** True if the session being edited keeps its price. */
  isKept?: boolean
}

/**
 * The session total shown in a form. Renders nothing until the hours and rate are known, or if the member
 * can't see amounts.
 */
export function SessionTotal({
  fields,
  usual,
  currency,
  isCompact = false,
  isKept = false,
}: SessionTotalProps) {
  const seesAmounts = useSeesAmounts()
  const covering = useCovered(fields)
  const isCovered = covering !== undefined && !(isKept && usual !== null)
  const total = runningTotal(fields, isCovered ? null : usual, currency)
  if (!seesAmounts) return null
  if (isCovered && fields.hourly_rate.trim() === '')
    return (
      <output className={isCompact ? 's max-w-26 leading-tight' : 's'}>
        {covering === 'term' ? "Covered by the term's fee" : 'Covered by the monthly fee'}
      </output>
    )
  if (!total) return null
  const amount = formatMoney(total.amount, currency)
  const hours = (
    <span className={`num text-ink-2 ${isCompact ? 'block text-small' : ''}`}>
      {/* Next to the buttons there's no room for the hours of a price per lesson. */}
      {(!isCompact || total.price.lesson_minutes === null) && `${formatHours(total.minutes)} h at `}
      {priceAt(total.price, currency)}
    </span>
  )
  return isCompact ? (
    <div className="leading-tight whitespace-nowrap">
      {hours}
      <output className="num text-h3 font-bold">{amount}</output>
    </div>
  ) : (
    <div className="@container flex flex-wrap items-center justify-between gap-x-4 gap-y-1 rounded-md bg-accent-soft px-4 py-3">
      {hours}
      <output
        className="disp num text-[min(1.5rem,100cqi/(var(--chars)*.6))] leading-none whitespace-nowrap"
        style={{ '--chars': amount.length } as CSSProperties}
      >
        {amount}
      </output>
    </div>
  )
}

/** Whether an agreed fee of the month or term covers the lesson. A family has terms with its tutor, a practice with each family. */
export function useCovered(fields: SessionFields): ReturnType<typeof useCoveringFee> {
  const isParent = useMe().role === 'parent'
  const families = useStudents('all').data?.find(({ id }) => id === fields.student_id)?.families ?? []
  const connectionId =
    fields.connection_id || (families.length === 1 ? families[0]?.connection_id : undefined)
  return useCoveringFee(fields.date, isParent ? { tutorId: fields.tutor_id } : { connectionId })
}
