import type { ComponentProps } from 'react'
import { CloseMonthSection } from '#features/months/CloseMonthSection.tsx'
import SummaryPage from '#features/summary/SummaryPage.tsx'

const closing = (month: string) => <CloseMonthSection month={month} />

/** A month with its totals, and how it is closed, which builds on them. */
export default function SummaryScreen({ statement }: Pick<ComponentProps<typeof SummaryPage>, 'statement'>) {
  return <SummaryPage statement={statement} closing={closing} />
}
