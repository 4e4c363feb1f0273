import { memo } from 'react'
import { useSeesAmounts } from '#features/accounts/client.web.ts'
import { Loading, WeeksPlaceholder } from '#platform/ui/Skeleton.tsx'

/**
 * Placeholder for either dashboard until everything has loaded. Memoized because each response renders the
 * dashboard again.
 */
export const LoadingDashboard = memo(function LoadingDashboard() {
  const seesAmounts = useSeesAmounts()
  return (
    <Loading label="Loading dashboard...">
      <div className="lg:grid lg:grid-cols-2 lg:gap-x-8">
        <div>
          {seesAmounts && (
            <div className="card mt-5">
              <div className="grid gap-3 px-5 py-4">
                <div className="sk h-5 w-24" />
                <div className="sk h-11 w-44" />
                <div className="sk h-4 w-3/4" />
              </div>
              <div className="grid h-16 items-center border-t border-line px-5">
                <div className="sk h-5 w-1/2" />
              </div>
            </div>
          )}
          <div className="card strip mt-5">
            {[0, 1, 2].map((index) => (
              <div key={index} className="grid gap-2">
                <div className="sk h-8 w-10" />
                <div className="sk h-3 w-full" />
              </div>
            ))}
          </div>
          <div className="mt-7 grid gap-2.5">
            <div className="mb-2.5 grid h-11 items-center">
              <div className="sk h-6 w-36" />
            </div>
            <div className="sk h-14 w-full" />
            <div className="grid grid-cols-2 gap-2.5">
              <div className="sk h-14" />
              <div className="sk h-14" />
            </div>
          </div>
          <div className="card list mt-7">
            {[0, 1, 2].map((index) => (
              <div key={index} className="grid h-[76px] items-center px-5">
                <div className="sk h-5 w-2/3" />
              </div>
            ))}
          </div>
        </div>
        {seesAmounts && (
          <div className="mt-5 max-lg:hidden">
            <WeeksPlaceholder />
          </div>
        )}
      </div>
    </Loading>
  )
})
