import { lazy } from 'react'
import type { Dashboard } from './dashboard.ts'
import { useOnceTrue } from './client.web.ts'

const DueSection = lazy(() => import('./DueSection.tsx'))

/**
 * Past classes that nobody logged. The code loads once there's at least one such class. After that, the
 * section stays, so that an answered class doesn't disappear.
 */
export function DueClasses({ due, limit }: { due: Dashboard['due']; limit?: number | undefined }) {
  return useOnceTrue(due.length > 0) && <DueSection due={due} limit={limit} />
}
