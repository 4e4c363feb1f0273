// The keyboard shortcuts, as listed behind "?".
import { paths } from '#features/site/paths.ts'

type Does = 'find' | 'list' | { to: string }

export interface Shortcut {
  /** Keys to press in sequence, or together with Ctrl (⌘ on a Mac). */
  keys: string[]
  withCtrl?: boolean
  label: string
  does: Does
  only?: 'parent' | 'tutor'
}

export const SHORTCUTS: Shortcut[] = [
  { keys: ['k'], withCtrl: true, label: 'Find a person, session or page', does: 'find' },
  { keys: ['/'], label: 'Find a person, session or page', does: 'find' },
  { keys: ['n'], label: 'Add a session', does: { to: paths.addSession } },
  { keys: ['g', 'd'], label: 'Go to the dashboard', does: { to: paths.dashboard } },
  { keys: ['g', 's'], label: 'Go to the summary', does: { to: paths.summary } },
  { keys: ['g', 'c'], label: 'Go to your children', does: { to: paths.children }, only: 'parent' },
  { keys: ['g', 't'], label: 'Go to your tutors', does: { to: paths.tutors }, only: 'parent' },
  { keys: ['g', 'c'], label: 'Go to your students', does: { to: paths.students }, only: 'tutor' },
  { keys: ['g', 'r'], label: 'Go to your schedules', does: { to: paths.schedules } },
  { keys: ['g', 'p'], label: 'Go to payments', does: { to: paths.payments } },
  { keys: ['?'], label: 'Show this list', does: 'list' },
]

/** The shortcuts a role has; someone who can't log sessions has none for adding one. */
export function shortcutsFor(role: 'parent' | 'tutor' | 'admin', canLog: boolean): Shortcut[] {
  return SHORTCUTS.filter(
    ({ only, does }) =>
      (!only || only === role) && (canLog || typeof does === 'string' || does.to !== paths.addSession),
  )
}

/**
 * The shortcut for the last two keys; undefined if there is none.
 * @param pressed at most two keys, newest last
 */
export function shortcutOf(
  pressed: readonly string[],
  isCtrl: boolean,
  shortcuts: readonly Shortcut[],
): Shortcut | undefined {
  return shortcuts.find(
    ({ keys, withCtrl = false }) =>
      withCtrl === isCtrl &&
      pressed.length >= keys.length &&
      keys.every((key, place) => pressed.at(place - keys.length) === key),
  )
}
