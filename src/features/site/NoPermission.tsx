import type { ReactNode } from 'react'
import { paths } from '#features/site/paths.ts'
import { ButtonLink } from '#platform/ui/Button.tsx'
import { Empty } from '#platform/ui/Empty.tsx'

/**
 * Shown instead of a page that's for another role. Links back, or to the right page for the user
 * (docs/product-decisions.md, section 2).
 */
export function NoPermission({ line, children }: { line?: string; children?: ReactNode }) {
  return (
    <Empty
      isPage
      title="You don't have permission to access this page."
      line={line}
      action={
        <div className="flex flex-wrap justify-center gap-3">
          {children}
          <ButtonLink to={paths.dashboard} tone={children ? 'secondary' : 'primary'}>
            Back to Dashboard
          </ButtonLink>
        </div>
      }
    />
  )
}
