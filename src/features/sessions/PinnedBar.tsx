import { useMe, useSeesAmounts } from '#features/accounts/client.web.ts'
import { paths } from '#features/site/paths.ts'
import { Button, ButtonLink } from '#platform/ui/Button.tsx'
import type { SessionFields, UsualPrice } from './session-form.ts'
import type { ListedStudent } from '#features/students/student.ts'
import type { Tutor } from '#features/tutors/tutor.ts'
import { partsOf, sumOf } from './siblings.ts'
import { type Currency, formatMoney } from '#kernel/money.ts'
import { SessionTotal } from './SessionTotal.tsx'

interface PinnedBarProps {
  fields: SessionFields
  usual: UsualPrice
  known: { students: ListedStudent[]; tutors: Tutor[] }
  /** Whether something needed is missing. */
  isBlocked: boolean
  onCancel: () => void
  isPending: boolean
  /** The label of the save button. */
  children: string
}

/** The total and the buttons. They stay on screen while the form scrolls. */
export function PinnedBar({
  fields,
  usual,
  known,
  isBlocked,
  isPending,
  onCancel,
  children,
}: PinnedBarProps) {
  const { currency } = useMe()
  const seesAmounts = useSeesAmounts()
  const parts = partsOf(fields, known.students, known.tutors, currency)
  return (
    <div className="pinned above-nav flex flex-wrap items-center gap-x-4 gap-y-2">
      {parts.length > 0 ? (
        seesAmounts && <Together parts={parts} currency={currency} />
      ) : (
        <SessionTotal fields={fields} usual={usual} currency={currency} isCompact />
      )}
      <div className="flex flex-1 flex-wrap gap-3 lg:justify-end">
        <ButtonLink tone="secondary" to={paths.dashboard} onClick={onCancel}>
          Cancel
        </ButtonLink>
        <Button
          type="submit"
          className="flex-1 whitespace-nowrap max-md:px-3 lg:flex-none lg:px-10"
          busy={isPending}
          busyText="Adding..."
          blockedReason={isBlocked ? '' : undefined}
        >
          {children}
        </Button>
      </div>
    </div>
  )
}

/** What several students pay together. */
function Together({ parts, currency }: { parts: ReturnType<typeof partsOf>; currency: Currency }) {
  const sum = sumOf(parts)
  return (
    <div className="leading-tight whitespace-nowrap">
      <span className="num block text-small text-ink-2">{parts.length} sessions</span>
      {sum !== null && <output className="num text-h3 font-bold">{formatMoney(sum, currency)}</output>}
    </div>
  )
}
