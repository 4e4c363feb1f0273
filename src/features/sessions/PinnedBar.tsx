import { useMe } from '#features/accounts/client.web.ts'
import { paths } from '#features/site/paths.ts'
import { Button, ButtonLink } from '#platform/ui/Button.tsx'
import type { SessionFields, UsualPrice } from './session-form.ts'
import { SessionTotal } from './SessionTotal.tsx'

interface PinnedBarProps {
  fields: SessionFields
  usual: UsualPrice
  /** Whether something needed is missing. */
  isBlocked: boolean
  onCancel: () => void
  isPending: boolean
  /** The label of the save button. */
  children: string
}

/** The total and the buttons. They stay on screen while the form scrolls. */
export function PinnedBar({ fields, usual, isBlocked, isPending, onCancel, children }: PinnedBarProps) {
  const { currency } = useMe()
  return (
    <div className="pinned above-nav flex flex-wrap items-center gap-x-4 gap-y-2">
      <SessionTotal fields={fields} usual={usual} currency={currency} isCompact />
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
