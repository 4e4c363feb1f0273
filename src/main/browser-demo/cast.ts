// The people in the demo: a family with two children, and their tutor.
import type { Login, Me } from '#features/accounts/account.ts'
import { currencyOf } from '#kernel/currency.ts'
import type { Child, Side, Tutor } from '../money-model.ts'

/** Made-up ids in the same format as real ones. */
const id = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`

export const CONNECTION = id(1)
export const CURRENCY = currencyOf('USD')

/** The tutor; the rate is in cents per hour. */
export const INGRID: Tutor = { id: id(2), hasAccount: true, rate: 5200 }
/** The tutor's own entry in the practice's list of tutors. */
export const SELF = id(3)
const MAYA: Child = { firstName: 'Maya', id: id(4), student: id(5) }
const NOAH: Child = { firstName: 'Noah', id: id(6), student: id(7) }

export interface ChildFacts {
  child: Child
  /** The child's name on each side's list. */
  names: Record<Side, string>
  grade: string
  subject: string
  minutes: number
  start: string
}
export const CHILDREN: readonly ChildFacts[] = [
  {
    child: MAYA,
    names: { family: 'Maya Whitfield', practice: 'Maya W.' },
    grade: '8th Grade',
    subject: 'Math',
    minutes: 60,
    start: '16:30',
  },
  {
    child: NOAH,
    names: { family: 'Noah Whitfield', practice: 'Noah W.' },
    grade: '5th Grade',
    subject: 'Reading',
    minutes: 45,
    start: '15:30',
  },
]

interface Person {
  account: string
  workspace: string
  name: string
  email: string
  role: 'parent' | 'tutor'
}
export const PEOPLE: Record<Side, Person> = {
  family: {
    account: id(8),
    workspace: id(9),
    name: 'Dana Whitfield',
    email: 'family@example.com',
    role: 'parent',
  },
  practice: {
    account: id(10),
    workspace: id(11),
    name: 'Ingrid Halvorsen',
    email: 'tutor@example.com',
    role: 'tutor',
  },
}

const YEAR_MS = 31_536_000_000

/** A login that stays valid while the demo is open. */
export function loginOf(side: Side, now: Date): Login {
  const { account, workspace, name, email, role } = PEOPLE[side]
  const ends = new Date(now.getTime() + YEAR_MS).toISOString()
  const user: Me = {
    id: account,
    email,
    email_confirmed_at: now.toISOString(),
    role,
    workspace: { id: workspace, kind: side, role: 'owner', can_write: true, owner_name: name, is_only: true },
    can_see_amounts: true,
    has_all_students: true,
    full_name: name,
    avatar_url: null,
    time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    has_chosen_time_zone: true,
    currency: CURRENCY,
    trial_ends_at: ends,
    has_password: true,
    deletion_due_at: null,
    speech_engine: 'off',
    takes_payments: false,
    is_trial_ahead: false,
    version: 1,
  }
  return { user, expires_at: ends, expires_in: YEAR_MS / 1000 }
}
