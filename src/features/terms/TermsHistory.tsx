import { HistoryPanel } from '#features/agreements/HistoryPanel.tsx'
import { useTermsHistory } from './client.web.ts'
import type { TermsHistoryEntry } from './terms.ts'

/** What an entry changed: the sentences that are new since the one before. */
function changesOf(entry: TermsHistoryEntry, before: TermsHistoryEntry = entry): string {
  return entry.sentences.filter((one) => !before.sentences.includes(one)).join(' ')
}

/** The history of one version, which is the same for both sides. */
export function TermsHistory({ id, other }: { id: string; other: string }) {
  return <HistoryPanel history={useTermsHistory(id)} other={other} changesOf={changesOf} />
}
