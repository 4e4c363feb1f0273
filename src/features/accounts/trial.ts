// When the free trial starts and ends. Used for both the account and the plan.

export interface Trial {
  since: Date
  /** TRIAL_DAYS. */
  days: number
  /** Days earned from referrals, oldest first. */
  rewards: { days: number; at: Date }[]
}

const DAY_MS = 86_400_000

/**
 * When the trial ends: the first instant that's no longer part of it. Days earned after the trial was over
 * count from the day they were earned.
 */
export function trialEnd({ since, days, rewards }: Trial): Date {
  return new Date(
    rewards.reduce(
      (end, reward) => Math.max(end, reward.at.getTime()) + reward.days * DAY_MS,
      since.getTime() + days * DAY_MS,
    ),
  )
}
