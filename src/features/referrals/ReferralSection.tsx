import { paths } from '#features/site/paths.ts'
import { ButtonLink } from '#platform/ui/Button.tsx'
import { LoadFailed } from '#platform/ui/Empty.tsx'
import { SettingRow } from '#platform/ui/SettingRow.tsx'
import { LoadingCard } from '#platform/ui/Skeleton.tsx'
import { useReferral } from './client.web.ts'
import { RewardLine } from './RewardLine.tsx'

export function ReferralSection() {
  const referral = useReferral()
  if (referral.isPending)
    return <LoadingCard label="Loading your invitations..." lines={['h-5 w-40', 'h-4 w-4/5']} />
  if (referral.isError)
    return <LoadFailed title="Your invitations didn’t load" onRetry={() => void referral.refetch()} />
  return (
    <section className="card list" aria-label="Invitations">
      <SettingRow title="Do you know someone who’d like Tutorlog?">
        <ButtonLink tone="secondary" size="small" to={paths.inviteFriends}>
          Invite Friends
        </ButtonLink>
      </SettingRow>
      <div className="grid gap-1 px-5 py-4 text-small">
        <RewardLine referral={referral.data} />
      </div>
    </section>
  )
}
