import { useMe } from '#features/accounts/client.web.ts'
import { useFailureToast } from '#platform/query.web.ts'
import { LoadFailed } from '#platform/ui/Empty.tsx'
import { PageTitle } from '#platform/ui/PageTitle.tsx'
import { Loading } from '#platform/ui/Skeleton.tsx'
import { useOverview } from './client.web.ts'
import { PeopleSection } from './parts/PeopleSection.tsx'
import { WorkSection } from './parts/WorkSection.tsx'

/** The admin page: account counts, a searchable list of people, and failed work. */
export default function AdminPage() {
  const { takes_payments: takesPayments } = useMe()
  const overview = useOverview()
  useFailureToast(overview.error, 'Failed to fetch the overview')
  return (
    <>
      <PageTitle title="Administration" />
      {overview.isPending && (
        <div className="mt-5">
          <Loading label="Loading the overview...">
            <div className="card h-[158px] p-5 sm:h-[91px]">
              <div className="sk h-full" />
            </div>
          </Loading>
        </div>
      )}
      {overview.isError && (
        <div className="mt-5">
          <LoadFailed title="The overview didn’t load" onRetry={() => void overview.refetch()} />
        </div>
      )}
      {overview.isSuccess && (
        <dl className="card mt-5 grid grid-cols-2 gap-4 p-5 sm:grid-cols-5">
          {(
            [
              ['People', overview.data.people],
              ['Confirmed', overview.data.confirmed],
              ['Signed in', overview.data.signed_in],
              ...(takesPayments ? [['Subscribed', overview.data.subscribed] as const] : []),
              ['Disabled', overview.data.disabled],
            ] as const
          ).map(([label, value]) => (
            <div key={label} className="flex flex-col-reverse justify-end">
              <dt className="k">{label}</dt>
              <dd className="figure">{value}</dd>
            </div>
          ))}
        </dl>
      )}
      <PeopleSection />
      {overview.isSuccess && <WorkSection work={overview.data.work} />}
    </>
  )
}
