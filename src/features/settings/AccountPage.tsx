import { ArrowLeft } from 'lucide-react'
import { Link } from 'react-router'
import { leftWorkspace, readLogin, useMe } from '#features/accounts/client.web.ts'
import { SecondStepSection } from '#features/accounts/SecondStepSection.tsx'
import { StartSection } from '#features/accounts/StartSection.tsx'
import { PasskeysSection } from '#features/passkeys/PasskeysSection.tsx'
import { PlanSection } from '#features/billing/PlanSection.tsx'
import { NoticesSection } from '#features/notices/NoticesSection.tsx'
import { WaysSection } from '#features/payments/WaysSection.tsx'
import { PrivacySection } from '#features/privacy/PrivacySection.tsx'
import { PushSection } from '#features/push/PushSection.tsx'
import { ReferralSection } from '#features/referrals/ReferralSection.tsx'
import { useStudents } from '#features/students/client.web.ts'
import { FeedCard } from '#features/schedules/FeedCard.tsx'
import { ActivitySection } from '#features/security/ActivitySection.tsx'
import { signUpPolicy } from '#features/site/address.ts'
import { paths } from '#features/site/paths.ts'
import { LearnedNamesSection } from '#features/voice/LearnedNamesSection.tsx'
import { MembersSection } from '#features/workspaces/MembersSection.tsx'
import { PageTitle } from '#platform/ui/PageTitle.tsx'
import { DevicesSection } from './parts/DevicesSection.tsx'
import { ProfileSection } from './parts/ProfileSection.tsx'
import { SignInSection } from './parts/SignInSection.tsx'

/** Account settings, starting with the people who share the records. What few people need comes last. */
export default function AccountPage() {
  const { role, workspace, time_zone, has_all_students, can_see_amounts, takes_payments } = useMe()
  const isOwner = workspace?.role === 'owner'
  // Only these members can confirm months, so only they get emails about it.
  const answers = !workspace || (workspace.can_write && can_see_amounts && has_all_students)
  const students = useStudents('all')
  return (
    <div className="mx-auto max-w-[44rem]">
      <div className="-ml-3 flex items-center gap-1">
        <Link to={paths.dashboard} className="ib mt-1" aria-label="Back to dashboard">
          <ArrowLeft className="i" aria-hidden="true" />
        </Link>
        <PageTitle title="Account settings" />
      </div>
      <div className="in-order mt-4 grid gap-4">
        {workspace && (
          <MembersSection
            kind={workspace.kind}
            students={students.data ?? []}
            role={workspace.role}
            takesPayments={takes_payments}
            onLeft={() => void leftWorkspace()}
            onRoleChanged={() => void readLogin()}
          />
        )}
        {(isOwner || !workspace) && <PlanSection />}
        {workspace?.kind === 'practice' && has_all_students && <WaysSection />}
        <ProfileSection />
        <SignInSection />
        <PasskeysSection />
        <SecondStepSection />
        <NoticesSection
          isParent={role === 'parent'}
          answers={answers}
          logs={workspace?.role !== 'viewer'}
          owes={role === 'parent' && can_see_amounts && has_all_students}
          timeZone={time_zone}
        />
        <PushSection />
        <FeedCard />
        <LearnedNamesSection />
        <DevicesSection />
        <ActivitySection />
        <PrivacySection />
        {signUpPolicy() === 'open' && <ReferralSection />}
        {workspace && role !== 'admin' && <StartSection />}
        <p className="text-small text-ink-2">
          Questions?{' '}
          <a className="link inline-flex min-h-11 items-center" href={paths.help}>
            Go to Help
          </a>
        </p>
      </div>
    </div>
  )
}
