// The free trial: from when to when it runs. The account and the plan both tell its end, from here.

export interface Trial {
  since: Date
  /** TRIAL_DAYS. */
  days: number
  /** Added by friends, the oldest first. */
  rewards: { days: number; at: Date }[]
}

const DAY_MS = 86_400_000

/** The trial's end: the first instant that is no longer in it. Days that come after it was over count from the day they came. */
export function trialEnd({ since, days, rewards }: Trial): Date {
  return new Date(
    rewards.reduce(
      (end, reward) => Math.max(end, reward.at.getTime()) + reward.days * DAY_MS,
      since.getTime() + days * DAY_MS,
    ),
  )
}
