import { lazy } from 'react'
import type { Dashboard } from './dashboard.ts'
import { useOnceTrue } from './client.web.ts'

const DueSection = lazy(() => import('./DueSection.tsx'))

/**
 * Past classes that nobody logged. The code is loaded once there's at least one such class. The section then
 * stays, so that a class doesn't disappear when you answer it.
 */
export function DueClasses({ due, limit }: { due: Dashboard['due']; limit?: number | undefined }) {
  return useOnceTrue(due.length > 0) && <DueSection due={due} limit={limit} />
}
