import { useMe } from '#features/accounts/client.web.ts'
import { MOST_REWARDS_A_YEAR, type Referral } from './referral.ts'

/**
 * Explains the rewards for inviting friends and shows the ones already earned. On a server that doesn't take
 * payments, shows only how many friends joined.
 */
export function RewardLine({ referral }: { referral: Referral }) {
  const {
    bonus_days: bonus,
    friends_joined: friends,
    days_earned: earned,
    days_credited: credited,
    days_due: due,
  } = referral
  const { takes_payments: takesPayments } = useMe()
  const added = takesPayments ? earned - credited - due : 0
  return (
    <>
      {takesPayments && bonus > 0 && (
        <p>
          When a friend signs up with your link and confirms their email, each of you gets{' '}
          <span className="hl font-semibold">{bonus} more days</span>: on your trial or, if you already pay,
          before your next payment. You can earn them for up to {MOST_REWARDS_A_YEAR} friends a year.
        </p>
      )}
      <p className="text-ink-2">
        {friends === 0
          ? 'No friends have joined yet.'
          : `${friends} ${friends === 1 ? 'friend has' : 'friends have'} joined.`}
        {added > 0 && ` ${added} days were added to your trial.`}
        {credited > 0 && ` Your payments were postponed by ${credited} days.`}
        {due > 0 && ` Your next payment will be postponed by ${due} days.`}
      </p>
    </>
  )
}
