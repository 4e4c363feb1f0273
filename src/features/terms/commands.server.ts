// The commands for terms. What both sides can do about anything they agree on is in agreements/commands.server.ts.
import { isDeepStrictEqual } from 'node:util'
import { type CalendarDay, dayIn } from '#kernel/calendar-day.ts'
import type { Currency } from '#kernel/money.ts'
import { done, type Outcome, refused } from '#kernel/outcome.ts'
import type { MemberCaller } from '#features/access/admission.server.ts'
import type { AgreedKind, Seen } from '#features/agreements/commands.server.ts'
import { readStudent } from '#features/students/queries.server.ts'
import { readTutor } from '#features/tutors/queries.server.ts'
import {
  accountOfTerms,
  deleteTerms,
  insertTerms,
  isProposing,
  type LockedTerms,
  lockTerms,
  readTerms,
  termsOn,
  updateTerms,
} from './queries.server.ts'
import { type Rules, storedRules } from './rules.ts'
import { MAX_TERMS, type Terms } from './terms.ts'

/** New terms, and whose they are. */
interface NewTerms {
  tutorId: string | null
  studentId: string | null
  connectionId?: string | undefined
  currency?: Currency | undefined
  rules: Rules
}

type Missing = 'no_tutor' | 'no_student' | 'unknown_tutor' | 'unknown_student'

/**
 * Proposes terms to the other side, or saves them if there's none. Rejects unknown people, a currency other than
 * the account's, terms that already apply, and a second proposal while one waits.
 */
export async function proposeTerms(
  caller: MemberCaller,
  { tutorId, studentId, connectionId, currency, rules: typed }: NewTerms,
): Promise<
  Outcome<
    Terms,
    Missing | 'not_connected' | 'other_currency' | 'terms_waiting' | 'same_terms' | 'too_many_rows'
  >
> {
  const { tx, workspace, now } = caller
  const rules = storedRules(typed)
  const people = caller.side === 'family' ? { tutorId, studentId: null } : { tutorId: null, studentId }
  const problem = await missingIn(caller, people, connectionId !== undefined)
  if (problem) return refused(problem)
  const account = await accountOfTerms(tx, workspace, { ...people, named: connectionId ?? null })
  if (!account) return refused('not_connected')
  if (currency && currency !== account.currency) return refused('other_currency')
  const { connectionId: link } = account
  if (link && (await isProposing(tx, workspace, link))) return refused('terms_waiting')
  const of = link
    ? { connectionId: link }
    : people.tutorId
      ? { tutorId: people.tutorId }
      : { studentId: people.studentId ?? '' }
  const applying = await termsOn(tx, workspace, of, FOREVER)
  if (applying && isDeepStrictEqual(applying.stored, rules)) return refused('same_terms')
  const id = await insertTerms(
    tx,
    workspace,
    {
      day: dayIn(now, 'UTC'),
      rules,
      tutor_id: people.tutorId,
      student_id: people.studentId,
      ...(link ? { connection_id: link } : {}),
    },
    MAX_TERMS,
  )
  if (!id) return refused('too_many_rows')
  return done(await existing(readTerms(tx, workspace, id)))
}

/** After any day on which a version begins, so that the newest one applies. */
const FOREVER = '9999-12-31' as CalendarDay

/**
 * Changes proposed terms, which confirms them for this side and resets the other side's answer. Undefined if there
 * are none with this id. Terms that apply stay as they are.
 */
export async function changeTerms(
  { tx, workspace }: MemberCaller,
  { id, version }: Seen,
  typed: Rules,
): Promise<Outcome<Terms, 'changed' | 'other_closed' | 'terms_stay' | 'same_terms'> | undefined> {
  const rules = storedRules(typed)
  const stored = await lockTerms(tx, workspace, id)
  if (!stored) return undefined
  if (version !== undefined && version !== stored.version) return refused('changed')
  if (stored.is_read_only) return refused('other_closed')
  if (stored.connection_id === null || stored.is_verified || stored.deletion_by) return refused('terms_stay')
  const applying = await termsOn(tx, workspace, { connectionId: stored.connection_id }, FOREVER)
  if (applying && isDeepStrictEqual(applying.stored, rules)) return refused('same_terms')
  if (!isDeepStrictEqual(stored.rules, rules)) await updateTerms(tx, workspace, id, { rules })
  return done(await existing(readTerms(tx, workspace, id)))
}

/** How the commands for anything two sides agree on lock, read and write terms. */
export const TERMS: AgreedKind<LockedTerms, Terms> = {
  kind: 'term',
  lock: lockTerms,
  read: readTerms,
  update: updateTerms,
  remove: deleteTerms,
  mayAnswerAlone: () => false,
  proposable: ({ rules }) => ({ rules }),
  changesTo: (_, { rules }) => ({ rules }),
}

async function missingIn(
  { tx, workspace, side }: MemberCaller,
  { tutorId, studentId }: Pick<NewTerms, 'tutorId' | 'studentId'>,
  isNamed: boolean,
): Promise<Missing | undefined> {
  if (side === 'family') {
    if (!tutorId) return isNamed ? undefined : 'no_tutor'
    return (await readTutor(tx, workspace, tutorId)) ? undefined : 'unknown_tutor'
  }
  if (!studentId) return isNamed ? undefined : 'no_student'
  return (await readStudent(tx, workspace, studentId)) ? undefined : 'unknown_student'
}

async function existing(terms: Promise<Terms | undefined>): Promise<Terms> {
  const found = await terms
  if (!found) throw new Error('terms that were just written are not there')
  return found
}
