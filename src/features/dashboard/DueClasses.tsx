import { lazy, useState } from 'react'
import type { Dashboard } from './dashboard.ts'

const DueSection = lazy(() => import('./DueSection.tsx'))

/** Past classes that nobody logged; their code is loaded once there is one. From then on they stay, so that an answered one doesn't disappear. */
export function DueClasses({ due }: { due: Dashboard['due'] }) {
  const [isNeeded, setIsNeeded] = useState(false)
  if (due.length > 0 && !isNeeded) setIsNeeded(true)
  return isNeeded ? <DueSection due={due} /> : null
}
