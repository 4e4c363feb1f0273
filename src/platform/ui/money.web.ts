// Amounts on the screens behind the sign-in, in the account's own currency.
import { createContext, useContext } from 'react'
import { type Currency, formatAmount } from '#kernel/money.ts'

/** The currency of whoever is signed in; the frame around the screens provides it. */
export const CurrencyContext = createContext<Currency | undefined>(undefined)

/** Puts amounts of the wire into words, in the account's own currency; throws outside the frame of the app. */
export function useMoney(): (amount: number) => string {
  const currency = useContext(CurrencyContext)
  if (!currency) throw new Error('no currency is provided here')
  return (amount) => formatAmount(amount, currency)
}
