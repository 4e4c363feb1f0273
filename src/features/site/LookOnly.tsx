import { paths } from '#features/site/paths.ts'
import { ButtonLink } from '#platform/ui/Button.tsx'
import { Empty } from '#platform/ui/Empty.tsx'

/** A page for writing, opened by someone who may only look: says so, and offers a way back. */
export function LookOnly() {
  return (
    <Empty
      isPage
      title="You can look at this family's records, but not change them."
      action={<ButtonLink to={paths.dashboard}>Back to Dashboard</ButtonLink>}
    />
  )
}
