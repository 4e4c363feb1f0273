import { paths } from '#features/site/paths.ts'
import { ButtonLink } from '#platform/ui/Button.tsx'
import { Empty } from '#platform/ui/Empty.tsx'

/** Shown instead of a form to someone who has read-only access. */
export function LookOnly() {
  return (
    <Empty
      isPage
      title="You can look at this family's records, but not change them."
      action={<ButtonLink to={paths.dashboard}>Back to Dashboard</ButtonLink>}
    />
  )
}
