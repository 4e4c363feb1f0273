import { MOST_REWARDS_A_YEAR, type Referral } from './referral.ts'

/** What inviting earns, and what it has earned so far: trial days, and days by which payments moved. */
export function RewardLine({ referral }: { referral: Referral }) {
  const {
    bonus_days: bonus,
    friends_joined: friends,
    days_earned: earned,
    days_credited: credited,
    days_due: due,
  } = referral
  const added = earned - credited - due
  return (
    <>
      {bonus > 0 && (
        <p>
          When a friend signs up with your link and confirms their email, each of you gets{' '}
          <span className="hl font-semibold">{bonus} more days</span>: of trial or, for who pays already,
          until the next payment. You can get them for up to {MOST_REWARDS_A_YEAR} friends a year.
        </p>
      )}
      <p className="text-ink-2">
        {friends === 0
          ? 'No friend has joined yet.'
          : `${friends} ${friends === 1 ? 'friend has' : 'friends have'} joined.`}
        {added > 0 && ` ${added} days were added to your trial.`}
        {credited > 0 && ` Payments of yours moved by ${credited} days.`}
        {due > 0 && ` Your next payment is about to move by ${due} days.`}
      </p>
    </>
  )
}
