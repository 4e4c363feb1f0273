import type { Referral } from './referral.ts'

/** What inviting brings, and what it has brought so far. */
export function RewardLine({ referral }: { referral: Referral }) {
  const { bonus_days: bonus, friends_joined: friends, days_earned: days } = referral
  return (
    <div className="card mt-5 grid gap-1 p-5">
      {bonus > 0 && <p>When a friend signs up with your link and confirms their email, each of you gets <span className="hl font-semibold">{bonus} more days</span> of trial.</p>}
      <p className="text-ink-2">{friends === 0 ? 'No friend has joined yet.' : `${friends} ${friends === 1 ? 'friend has' : 'friends have'} joined.`}{days > 0 && ` ${days} days were added to your trial.`}</p>
    </div>
  )
}
