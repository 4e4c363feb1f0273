// Which of a month's sessions are ticked, and what happens to those that are.
import { asksToDelete, isToConfirm } from '#features/agreements/answer.ts'
import type { Session } from '#features/sessions/session.ts'

/** The ticked ids, and the id that was ticked last, where the next range begins. */
export interface Ticked {
  ids: ReadonlySet<string>
  last?: string
}

export const NONE_TICKED: Ticked = { ids: new Set() }

/**
 * What's ticked after a press on one session's checkbox. With Shift held, everything between it and the last one
 * pressed becomes the same.
 * @param shown the ids on screen, in their order
 */
export function afterTick(
  ticked: Ticked,
  shown: readonly string[],
  id: string,
  { isRange }: { isRange: boolean },
): Ticked {
  const isSet = !ticked.ids.has(id)
  const from = isRange && ticked.last !== undefined ? shown.indexOf(ticked.last) : -1
  const at = shown.indexOf(id)
  const range = from < 0 ? [id] : shown.slice(Math.min(from, at), Math.max(from, at) + 1)
  const ids = new Set(ticked.ids)
  for (const one of range)
    if (isSet) ids.add(one)
    else ids.delete(one)
  return { ids, last: id }
}

/** Ticks everything on screen or, if it all is, nothing. */
export function afterTickAll(ticked: Ticked, shown: readonly string[]): Ticked {
  return shown.every((id) => ticked.ids.has(id)) ? NONE_TICKED : { ids: new Set(shown) }
}

/** What can be done with the ticked sessions. */
export function actionsFor(sessions: readonly Session[]): { toConfirm: Session[]; toDelete: Session[] } {
  const open = sessions.filter((session) => !session.is_read_only)
  return {
    toConfirm: open.filter((session) => session.is_shared && isToConfirm(session)),
    toDelete: open.filter((session) => session.deletion_asked_by === null),
  }
}

/** The question before sessions are deleted: how many go, and how many the other side is asked about. */
export function deletionQuestion(
  sessions: readonly Session[],
  other: string,
): { title: string; text: string; confirmLabel: string } {
  const asked = sessions.filter(asksToDelete).length
  const gone = sessions.length - asked
  const some = (count: number) => `${count} ${count === 1 ? 'session' : 'sessions'}`
  const goes = `${some(gone)} will be deleted for good.`
  const asks = `${some(asked)} ${asked === 1 ? 'stays' : 'stay'} in both logs until ${other} agrees.`
  if (asked === 0) return { title: `Delete ${some(gone)}?`, text: goes, confirmLabel: 'Delete' }
  if (gone === 0) return { title: `Ask to delete ${some(asked)}?`, text: asks, confirmLabel: 'Ask' }
  return {
    title: `Delete ${gone}, ask about ${asked}?`,
    text: `${goes} ${asks}`,
    confirmLabel: 'Delete and ask',
  }
}

/** What happened to them, such as "2 sessions deleted, 1 deletion requested". */
export function deletionResult({ deleted, asked }: { deleted: number; asked: number }): string {
  const parts = [
    ...(deleted > 0 ? [`${deleted} ${deleted === 1 ? 'session' : 'sessions'} deleted`] : []),
    ...(asked > 0 ? [`${asked} ${asked === 1 ? 'deletion' : 'deletions'} requested`] : []),
  ]
  return parts.join(', ')
}
