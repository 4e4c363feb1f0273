import { paths } from '#features/site/paths.ts'
import { ButtonLink } from '#platform/ui/Button.tsx'
import { Empty } from '#platform/ui/Empty.tsx'

/** A page of the other role: says so, and offers a way back (decisions, section 2). */
export function NoPermission() {
  return (
    <Empty
      isPage
      title="You don't have permission to access this page."
      action={<ButtonLink to={paths.dashboard}>Back to Dashboard</ButtonLink>}
    />
  )
}
