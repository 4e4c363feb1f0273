/** How a planned class ended if it didn't take place. */
export const OUTCOMES = ['canceled_in_time', 'canceled_late', 'no_show', 'canceled_by_tutor'] as const
export type Outcome = (typeof OUTCOMES)[number]

/**
 * Whether the reader would be paid what terms proposed and may waive it, which is until the payer confirms it. A
 * negative amount is a credit, which is owed to the family.
 */
export function isWaivable(
  { amount, other_confirmation }: { amount: number; other_confirmation: string },
  reader: 'parent' | 'tutor',
): boolean {
  return (reader === 'tutor' ? amount > 0 : amount < 0) && other_confirmation !== 'confirmed'
}
