// Amounts on signed-in screens, in the workspace's own currency.
import { createContext, useContext } from 'react'
import { type Currency, formatAmount } from '#kernel/money.ts'

/** The current workspace's currency; the frame around the screens provides it. */
export const CurrencyContext = createContext<Currency | undefined>(undefined)

/** Formats amounts from the API in the workspace's own currency; throws outside the app's frame. */
export function useMoney(): (amount: number) => string {
  const currency = useContext(CurrencyContext)
  if (!currency) throw new Error('useMoney was called outside the app frame')
  return (amount) => formatAmount(amount, currency)
}
