// What the rows of a session say of its two sides, in the words of whoever reads them.
import type { Session } from './session.ts'
import { standingOf } from './confirmation.ts'

type Reader = 'parent' | 'tutor'

/** What a screen knows of the words on a session. */
export type Said = Pick<
  Session,
  'own_confirmation' | 'other_confirmation' | 'verified_by_tutor' | 'status' | 'deletion_asked_by'
>

/** What the other side is called in a sentence: to a family the tutor's name, to a tutor the family. */
export function otherSide(reader: Reader, tutorName?: string | null): string {
  return reader === 'parent' ? (tutorName ?? 'the tutor') : 'the family'
}

/** The same at the start of a sentence. */
export function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** The line of a shared session: who ticked it, and what that comes to; a badge in place of the ticks where it was sent back or is to be deleted. */
export function sidesOf(
  session: Said,
  reader: Reader,
  tutorName?: string | null,
): { words: string; by: Reader[]; badge?: 'warn' | 'danger' } {
  const { own_confirmation: own, other_confirmation: other } = session
  const standing = standingOf({ ...session, is_shared: true })
  const by = (['parent', 'tutor'] as const).filter(
    (side) => standing === 'verified' || (side === reader ? own : other) === 'confirmed',
  )
  if (standing === 'leaving')
    return {
      by,
      badge: 'warn',
      words:
        session.deletion_asked_by === 'you'
          ? 'You asked to delete it'
          : `${capital(otherSide(reader, tutorName))} asks to delete it`,
    }
  if (standing === 'disputed')
    return { by, badge: 'danger', words: own === 'disputed' ? 'You sent it back' : 'Sent back' }
  if (standing === 'verified') return { by, words: 'Verified' }
  if (own !== 'confirmed') return { by, words: 'Waiting for you' }
  return { by, words: reader === 'parent' ? 'Waiting for tutor' : 'Waiting for the family' }
}
