// Amounts on signed-in screens, in the workspace's currency.
import { createContext, useContext } from 'react'
import { type Currency, formatAmount } from '#kernel/money.ts'

export const CurrencyContext = createContext<Currency | undefined>(undefined)

/** Returns a function that formats API amounts in the workspace's currency. Throws outside the app shell. */
export function useMoney(): (amount: number) => string {
  const currency = useContext(CurrencyContext)
  if (!currency) throw new Error('useMoney was called outside the app frame')
  return (amount) => formatAmount(amount, currency)
}
