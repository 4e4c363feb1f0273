import type { ComponentProps } from 'react'
import { downloadSessions } from '#features/months/client.web.ts'
import { CloseMonthSection } from '#features/months/CloseMonthSection.tsx'
import SummaryPage from '#features/summary/SummaryPage.tsx'

const closing = (month: string) => <CloseMonthSection month={month} />

/**
 * The month summary and the card for closing the month, combined here because the summary feature can't
 * import months.
 */
export default function SummaryScreen({ statement }: Pick<ComponentProps<typeof SummaryPage>, 'statement'>) {
  return <SummaryPage statement={statement} closing={closing} onExport={downloadSessions} />
}
