// A person's balances: which accounts are theirs, and what they say.
import type { AccountName, Balance, Owed as Figure } from '#features/payments/balance.ts'
import { formatAmount } from '#kernel/money.ts'

export type Kind = 'tutor' | 'child' | 'student'

/** Whose balance it is. Students may belong to families that share an account with the practice. */
export interface Holder {
  id: string
  families?: readonly { connection_id: string }[]
}

/** An account with what's owed on it. */
export interface Owed extends Pick<
  AccountName,
  'id' | 'connection_id' | 'name' | 'students' | 'currency' | 'is_only_yours'
> {
  balance: number
  /** What of it is due by the terms, and since when. */
  due: DueAmounts
}
type DueAmounts = Figure['accounts'][number]['due']

interface AllAccounts {
  accounts: readonly AccountName[]
  balances: readonly Balance[]
  owed: readonly Pick<Figure, 'accounts'>[]
}

/** The accounts a person is part of: those shared with the other side first. */
export function accountsOf({ accounts, balances, owed }: AllAccounts, { id, families = [] }: Holder): Owed[] {
  const isSame = (one: Pick<AccountName, 'id' | 'connection_id'>, other: AccountName) =>
    one.id === other.id && one.connection_id === other.connection_id
  const counted = owed.flatMap(({ accounts: own }) => own)
  return accounts
    .filter(
      (account) =>
        account.id === id ||
        families.some(({ connection_id: connection }) => connection === account.connection_id),
    )
    .map((account) => ({
      ...account,
      balance: balances.find((balance) => isSame(balance, account))?.balance ?? 0,
      due: counted.find((one) => isSame(one, account))?.due ?? [],
    }))
    .filter(({ balance, is_only_yours: isOnlyYours }) => balance !== 0 || !isOnlyYours)
}

/** What a balance is called: who owes whom. */
export function owedLabel(balance: number, side: 'parent' | 'tutor'): string {
  if (balance === 0) return 'Nothing due'
  if (balance < 0) return 'Paid ahead'
  return side === 'parent' ? 'You owe' : 'You’re owed'
}

/** "You owe $445.01". */
export function owedInWords(
  { balance, currency }: Pick<Owed, 'balance' | 'currency'>,
  side: 'parent' | 'tutor',
): string {
  const label = owedLabel(balance, side)
  return balance === 0 ? label : `${label} ${formatAmount(Math.abs(balance), currency)}`
}
