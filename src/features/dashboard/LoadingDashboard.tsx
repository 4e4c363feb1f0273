import { Loading } from '#platform/ui/Skeleton.tsx'

/** Stands for either dashboard until all of it is there. */
export function LoadingDashboard() {
  return (
    <Loading label="Loading dashboard...">
      <div className="card mt-5 grid grid-cols-3 gap-4 p-4">
        {[0, 1, 2].map((index) => (
          <div key={index} className="grid gap-2">
            <div className="sk h-8 w-10" />
            <div className="sk h-3 w-full" />
          </div>
        ))}
      </div>
      <div className="mt-7 grid gap-2.5">
        <div className="sk h-14 w-full" />
        <div className="grid grid-cols-2 gap-2.5">
          <div className="sk h-14" />
          <div className="sk h-14" />
        </div>
      </div>
      <div className="card mt-7 h-56 p-5">
        <div className="sk h-full w-full" />
      </div>
    </Loading>
  )
}
