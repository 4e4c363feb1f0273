import { useState } from 'react'
import { readInterruption } from '#platform/ui/interruption.web.ts'

/** Shown on the sign-in page to someone whose login expired while they were working. */
export function SignedOutNote() {
  const [interruption] = useState(() => (typeof window === 'undefined' ? undefined : readInterruption()))
  if (!interruption) return null
  return (
    <p className="mt-4 rounded-md border border-line bg-surface p-4" role="status">
      {interruption.hasDraft ? 'You were signed out. Your draft is saved.' : 'You were signed out.'} Sign in
      to pick up where you left off.
    </p>
  )
}
