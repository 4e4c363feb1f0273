// The free trial: from when to when it runs. The account and the plan both get its end from here.

export interface Trial {
  since: Date
  /** TRIAL_DAYS. */
  days: number
  /** Added by friends, oldest first. */
  rewards: { days: number; at: Date }[]
}

const DAY_MS = 86_400_000

/** The trial's end: the first instant after it. Days that are added after it was over count from the day they were added. */
export function trialEnd({ since, days, rewards }: Trial): Date {
  return new Date(
    rewards.reduce(
      (end, reward) => Math.max(end, reward.at.getTime()) + reward.days * DAY_MS,
      since.getTime() + days * DAY_MS,
    ),
  )
}
