import type { ComponentProps } from 'react'
import { downloadSessions, useClosing } from '#features/months/client.web.ts'
import { CloseMonthSection } from '#features/months/CloseMonthSection.tsx'
import SummaryPage, { useMonthInUrl } from '#features/summary/SummaryPage.tsx'

/**
 * The month summary and the card for closing the month, combined here because the summary feature can't
 * import months.
 */
export default function SummaryScreen({ statement }: Pick<ComponentProps<typeof SummaryPage>, 'statement'>) {
  const { month } = useMonthInUrl()
  const closing = useClosing(month)
  return (
    <SummaryPage
      statement={statement}
      onExport={downloadSessions}
      closing={{ ...closing, section: <CloseMonthSection key={month} month={month} /> }}
    />
  )
}
