// The tutor's word on a session, and what takes it back. The database keeps the same rules (db/migrations/0007-verification.sql).
import type { Session } from './session.ts'

export type WordState = 'unverified' | 'verified' | 'disputed'

/** What can happen to a session's word. `change` is a change of student, tutor, date, duration or rate; `describe` of notes or subject. */
export type WordEvent = 'confirm' | 'withdraw' | 'dispute' | 'change' | 'describe' | 'answer'

/** Whose event it is: nobody can set the other side's word. */
export const SIDE_OF: Record<WordEvent, 'tutor' | 'family'> = {
  confirm: 'tutor',
  withdraw: 'tutor',
  dispute: 'tutor',
  change: 'family',
  describe: 'family',
  answer: 'family',
}

const NEXT: Record<WordState, Record<WordEvent, WordState | undefined>> = {
  unverified: {
    confirm: 'verified',
    withdraw: undefined,
    dispute: 'disputed',
    change: 'unverified',
    describe: 'unverified',
    answer: undefined,
  },
  verified: {
    confirm: 'verified',
    withdraw: 'unverified',
    dispute: 'disputed',
    change: 'unverified',
    describe: 'verified',
    answer: undefined,
  },
  disputed: {
    confirm: 'verified',
    withdraw: 'unverified',
    dispute: 'disputed',
    change: 'unverified',
    describe: 'disputed',
    answer: 'unverified',
  },
}

/** The state after an event of a side; undefined when that side may not do it, or not now. */
export function wordAfter(
  state: WordState,
  event: WordEvent,
  side: 'tutor' | 'family',
): WordState | undefined {
  return SIDE_OF[event] === side ? NEXT[state][event] : undefined
}

/** The state of a session as it travels. */
export function wordOf(session: Pick<Session, 'verified_by_tutor' | 'status'>): WordState {
  return session.verified_by_tutor ? 'verified' : session.status === 'disputed' ? 'disputed' : 'unverified'
}

/** Where a session stands between the two sides; 'own' is in this log only, and nothing is said of it (decisions section 4). */
export const STANDINGS = ['verified', 'waiting', 'disputed', 'own'] as const
export type Standing = (typeof STANDINGS)[number]

/** Where a session stands. What was verified or sent back stays so when the two part. */
export function standingOf(session: Pick<Session, 'verified_by_tutor' | 'status' | 'is_shared'>): Standing {
  const word = wordOf(session)
  return word !== 'unverified' ? word : session.is_shared ? 'waiting' : 'own'
}
