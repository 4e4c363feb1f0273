import { lazy } from 'react'
import type { Dashboard } from './dashboard.ts'
import { useOnceTrue } from './client.web.ts'

const DueSection = lazy(() => import('./DueSection.tsx'))

/** Past classes that nobody logged; their code is loaded once there is one. From then on they stay, so that an answered one doesn't disappear. */
export function DueClasses({ due, limit }: { due: Dashboard['due']; limit?: number | undefined }) {
  return useOnceTrue(due.length > 0) && <DueSection due={due} limit={limit} />
}
