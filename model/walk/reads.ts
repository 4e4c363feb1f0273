// What members see, read with their role, search path and policies. Comparing everything over HTTP would take
// several times as long.
import { listConnections, listPairs } from '#features/connections/queries.server.ts'
import { listPayments, readPayment } from '#features/payments/queries.server.ts'
import { readLedgers } from '#features/payments/balance-queries.server.ts'
import { listSessions, readSession } from '#features/sessions/queries.server.ts'
import { monthPortions } from '#features/summary/queries.server.ts'
import { summarize, weeksOf } from '#features/summary/summary.ts'
import type { CalendarDay } from '#kernel/calendar-day.ts'
import type { WorkspaceId } from '#kernel/id.ts'
import type { Tx } from '#platform/db/db.server.ts'
import type { Member } from '../terms.ts'
import { server } from './here.ts'

const [FIRST, LAST] = ['2026-01-01' as CalendarDay, '2028-01-01' as CalendarDay]

function as<Result>(who: Member, work: (tx: Tx, id: WorkspaceId) => Promise<Result>): Promise<Result> {
  const id = who.workspace.id as WorkspaceId
  const role = who.role === 'none' ? undefined : who.role
  return server.db.readAsMember(
    { accountId: who.account.id, workspace: { id, kind: who.workspace.side, role } },
    (tx) => work(tx, id),
  )
}
const viewerOf = ({ workspace: { id, side } }: Member) => ({
  workspace: id as WorkspaceId,
  side,
  now: new Date(),
})

export const readEntry = {
  session: (who: Member, id: string) => as(who, (tx, own) => readSession(tx, own, id)),
  payment: (who: Member, id: string) => as(who, (tx, own) => readPayment(tx, own, id)),
}
export const listEntries = {
  session: (who: Member) => as(who, (tx, own) => listSessions(tx, own, {}, 1000)),
  payment: (who: Member) => as(who, (tx, own) => listPayments(tx, own, FIRST, LAST)),
}
export const listLinks = (who: Member) => as(who, (tx) => listConnections(tx, viewerOf(who)))
export const listLinkPairs = (who: Member, link: string) =>
  as(who, (tx) => listPairs(tx, viewerOf(who), link))
export const listLedgers = (who: Member) =>
  as(who, (tx, own) => readLedgers(tx, own, who.workspace.side === 'family' ? 'tutor' : 'student', LAST))
export async function readMonth(who: Member, month: string) {
  const weeks = weeksOf(month)
  const [from, to] = [weeks[0]?.from ?? FIRST, weeks.at(-1)?.to ?? LAST]
  return summarize(month, await as(who, (tx, own) => monthPortions(tx, own, from, to)))
}
