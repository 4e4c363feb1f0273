import { useSide } from '#features/accounts/client.web.ts'
import { askedInWords, monthName, otherName } from '#features/months/closing-text.ts'
import { paths } from '#features/site/paths.ts'
import { ButtonLink } from '#platform/ui/Button.tsx'
import { TickLine } from '#platform/ui/Ticks.tsx'
import type { AskedMonth } from './dashboard.ts'

/** Months that the other side wants to close. Each links to the page where you can confirm it. */
export default function AskedMonths({ months }: { months: readonly AskedMonth[] }) {
  const reader = useSide()
  return (
    <ul className="card list mt-6 overflow-hidden" aria-label="Months to close">
      {months.map((one) => (
        <li
          key={one.connection_id + one.month}
          className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1.5 px-4 py-2.5"
        >
          <span className="min-w-0 flex-1 basis-56 wrap-anywhere">
            <TickLine
              by={[reader === 'parent' ? 'tutor' : 'parent']}
              words={askedInWords({ ...one, state: 'asked_by_other' }, otherName(reader, one.other_name))}
            />
          </span>
          <ButtonLink
            tone="secondary"
            size="small"
            to={`${paths.summary}?${new URLSearchParams({ month: one.month }).toString()}#closing`}
          >
            See {monthName(one.month)}
          </ButtonLink>
        </li>
      ))}
    </ul>
  )
}
