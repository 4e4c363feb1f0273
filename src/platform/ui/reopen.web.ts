// Reopens the form you were typing in when your login expired.
import { useEffect } from 'react'
import { REOPEN } from './interruption.web.ts'

/**
 * Reopens the form for an interrupted draft once its row has loaded.
 * @param kind the part of the draft's name before the colon
 */
export function useReopen<Row extends { id: string }>(
  kind: string,
  rows: readonly Row[] | undefined,
  open: (row: Row | 'new') => void,
): void {
  useEffect(() => {
    const draft = sessionStorage.getItem(REOPEN)
    if (!draft?.startsWith(`${kind}:`)) return
    const id = draft.slice(kind.length + 1)
    const row = id === 'new' ? 'new' : rows?.find((candidate) => candidate.id === id)
    if (!row) return
    sessionStorage.removeItem(REOPEN)
    open(row)
  })
}
