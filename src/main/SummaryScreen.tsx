import type { ComponentProps } from 'react'
import { useMe } from '#features/accounts/client.web.ts'
import { useMonths } from '#features/months/client.web.ts'
import { CloseMonthSection } from '#features/months/CloseMonthSection.tsx'
import SummaryPage from '#features/summary/SummaryPage.tsx'

const closing: ComponentProps<typeof SummaryPage>['closing'] = {
  useIsLoading: (month) => useMonths(month, useMe().has_all_students).isLoading,
  section: (month) => <CloseMonthSection month={month} />,
}

/** A month with its totals, and how it is closed, which builds on them. */
export default function SummaryScreen({ statement }: Pick<ComponentProps<typeof SummaryPage>, 'statement'>) {
  return <SummaryPage statement={statement} closing={closing} />
}
