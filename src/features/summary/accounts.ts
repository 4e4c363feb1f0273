// A month's tutors or students, each with their sessions and the amounts paid and due.
import type { Balance } from '#features/payments/balance.ts'
import { accountKey } from '#features/payments/balance-text.ts'
import type { Group } from './summary.ts'

export interface AccountLine {
  key: string
  name: string
  /** Undefined if there were no sessions this month, or if the account is a family with several students. */
  group: Group | undefined
  /** Undefined if the person's balance is part of another account, such as the family's. */
  balance: Balance | undefined
}

const UNKNOWN = 'unknown'

/**
 * Matches each account with its group of sessions. An account that doesn't match exactly one group gets a
 * line below the groups. Accounts that only this side sees come last.
 */
export function accountLines(groups: readonly Group[], balances: readonly Balance[]): AccountLine[] {
  const shared = balances.filter((balance) => !balance.is_only_yours)
  const accountsOf = (id: string) => shared.filter((balance) => groupOf(balance) === id)
  const joined = groups.map((group) => {
    const [balance, ...others] = accountsOf(group.id ?? UNKNOWN)
    const own = others.length === 0 ? balance : undefined
    return { key: group.id ?? UNKNOWN, name: group.name, group, balance: own }
  })
  const placed = new Set(joined.map(({ balance }) => balance))
  const alone = [...shared, ...balances.filter((balance) => balance.is_only_yours)].filter(
    (balance) => !placed.has(balance),
  )
  return [
    ...joined,
    ...alone.map((balance) => ({
      key: `account ${accountKey(balance)}`,
      name: balance.name,
      group: undefined,
      balance,
    })),
  ]
}

/** The id of the account's tutor or student; undefined for a family with several students. */
function groupOf({ id, connection_id: connection }: Balance): string | undefined {
  return id ?? (connection === null ? UNKNOWN : undefined)
}
