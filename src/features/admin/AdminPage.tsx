import { useMe } from '#features/accounts/client.web.ts'
import type { OutputOf } from '#kernel/endpoint.ts'
import { useFailureToast } from '#platform/query.web.ts'
import { LoadFailed } from '#platform/ui/Empty.tsx'
import { PageTitle } from '#platform/ui/PageTitle.tsx'
import { Loading } from '#platform/ui/Skeleton.tsx'
import type { ReadOverview } from './admin.ts'
import { useOverview } from './client.web.ts'
import { BackupsSection } from './parts/BackupsSection.tsx'
import { DrillSection } from './parts/DrillSection.tsx'
import { PeopleSection } from './parts/PeopleSection.tsx'
import { WorkSection } from './parts/WorkSection.tsx'

export default function AdminPage() {
  const overview = useOverview()
  useFailureToast(overview.error, 'Failed to fetch the overview')
  return (
    <>
      <PageTitle title="Administration" />
      {overview.isPending && (
        <Loading label="Loading the overview...">
          <Counts />
        </Loading>
      )}
      {overview.isError && (
        <div className="mt-5">
          <LoadFailed title="The overview didn’t load" onRetry={() => void overview.refetch()} />
        </div>
      )}
      {overview.isSuccess && <Counts of={overview.data} />}
      <PeopleSection />
      {overview.isSuccess && <DrillSection backups={overview.data.backups} />}
      {overview.isSuccess && <WorkSection work={overview.data.work} />}
      <BackupsSection />
    </>
  )
}

/** How many accounts there are of each kind, or a placeholder of the same size while that's loading. */
function Counts({ of }: { of?: OutputOf<typeof ReadOverview> }) {
  const { takes_payments: takesPayments } = useMe()
  const counts = [
    ['People', of?.people],
    ['Confirmed', of?.confirmed],
    ['Signed in', of?.signed_in],
    ...(takesPayments ? [['Subscribed', of?.subscribed] as const] : []),
    ['Disabled', of?.disabled],
  ] as const
  return (
    <dl className="card mt-5 grid grid-cols-2 gap-4 p-5 sm:grid-cols-5">
      {counts.map(([label, count]) => (
        <div key={label} className="flex flex-col-reverse justify-end">
          <dt className="k">{label}</dt>
          <dd className="figure">{count ?? <span className="sk inline-block h-[.7em] w-10" />}</dd>
        </div>
      ))}
    </dl>
  )
}
