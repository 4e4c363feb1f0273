// The keyboard shortcuts, as listed when you press "?".
import { paths } from '#features/site/paths.ts'
import { obstacleTo, type Reader } from './page-rights.ts'

type Does = 'find' | 'list' | { to: string }

export interface Shortcut {
  /** Keys to press in sequence, or together with Ctrl (⌘ on a Mac). */
  keys: string[]
  withCtrl?: boolean
  label: string
  does: Does
}

const SHORTCUTS: Shortcut[] = [
  { keys: ['k'], withCtrl: true, label: 'Find a person, session or page', does: 'find' },
  { keys: ['/'], label: 'Find a person, session or page', does: 'find' },
  { keys: ['n'], label: 'Add a session', does: { to: paths.addSession } },
  { keys: ['g', 'd'], label: 'Go to the dashboard', does: { to: paths.dashboard } },
  { keys: ['g', 's'], label: 'Go to the summary', does: { to: paths.summary } },
  { keys: ['g', 'c'], label: 'Go to your children', does: { to: paths.children } },
  { keys: ['g', 't'], label: 'Go to your tutors', does: { to: paths.tutors } },
  { keys: ['g', 'c'], label: 'Go to your students', does: { to: paths.students } },
  { keys: ['g', 'r'], label: 'Go to your schedules', does: { to: paths.schedules } },
  { keys: ['g', 'p'], label: 'Go to payments', does: { to: paths.payments } },
  { keys: ['?'], label: 'Show this list', does: 'list' },
]

/** The shortcuts that this person can use, leaving out those that lead to a page they can't open. */
export function shortcutsFor(reader: Reader): Shortcut[] {
  return SHORTCUTS.filter(({ does }) => typeof does === 'string' || !obstacleTo(does.to, reader)).map(
    (shortcut) =>
      isTo(shortcut, paths.summary) && !reader.seesAmounts
        ? { ...shortcut, label: 'Go to sessions' }
        : shortcut,
  )
}
const isTo = ({ does }: Shortcut, path: string) => typeof does !== 'string' && does.to === path

/**
 * The shortcut that matches the last keys pressed; undefined if there isn't one.
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
