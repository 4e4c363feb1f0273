import { paths } from '#features/site/paths.ts'
import { ButtonLink } from '#platform/ui/Button.tsx'
import { Empty } from '#platform/ui/Empty.tsx'

/** Shown instead of a form to someone who has read-only access. */
export function LookOnly() {
  return (
    <Empty
      isPage
      title="You can view this family's records, but you can't change them."
      action={<ButtonLink to={paths.dashboard}>Back to Dashboard</ButtonLink>}
    />
  )
}
