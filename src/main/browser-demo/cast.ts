// The story's people as the demo's two sides know them, with made-up ids.
import type { Side } from '#features/access/role.ts'
import type { Login, Me } from '#features/accounts/account.ts'
import { currencyOf } from '#kernel/currency.ts'
import { centsOfDollars } from '#kernel/money.ts'
import { regionOfBrowser } from '#platform/region.web.ts'
import { CHILDREN as ALL_CHILDREN, INGRID, PEOPLE as ALL_PEOPLE } from '../story/cast.ts'

/** Made-up ids in the same format as real ones. */
const id = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`

export const SIDES: readonly Side[] = ['family', 'practice']
export const CONNECTION = id(1)
export const CURRENCY = currencyOf('USD')

/** The tutor in the model. */
export const TUTOR = { id: id(2), hasAccount: true, rate: centsOfDollars(INGRID.rate) as number }
/** The tutor on each side's list. On the practice's, the tutor's own entry is called 'You'. */
export const TUTORS: Record<Side, { id: string; name: string }> = {
  family: { id: TUTOR.id, name: INGRID.name },
  practice: { id: id(3), name: 'You' },
}

/** The children on both sides' lists, with their ids in the model. */
export const CHILDREN = ALL_CHILDREN.flatMap(({ names: { family, practice }, ...child }, at) =>
  family && practice
    ? [
        {
          ...child,
          names: { family, practice },
          child: { firstName: child.firstName, id: id(100 + at), student: id(200 + at) },
        },
      ]
    : [],
)

export const PEOPLE = {
  family: { ...ALL_PEOPLE.family, account: id(8), workspace: id(9) },
  practice: { ...ALL_PEOPLE.practice, account: id(10), workspace: id(11) },
}
/** What each side calls the other. */
export const OTHER_NAMES: Record<Side, string> = {
  family: PEOPLE.practice.name,
  practice: PEOPLE.family.name,
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
    region: regionOfBrowser(),
    has_chosen_region: true,
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
