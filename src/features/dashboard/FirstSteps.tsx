import type { ReactNode } from 'react'
import { useCanAddPeople, useMe } from '#features/accounts/client.web.ts'
import { type Dashboard, onboardingSteps, showsOnboarding } from './dashboard.ts'
import { OnboardingCard } from './OnboardingCard.tsx'
import { QuickActions } from './QuickActions.tsx'
import { WelcomeCard } from './WelcomeCard.tsx'

interface FirstStepsProps {
  state: Dashboard
  of: 'parent' | 'tutor'
  /** Whether the card above asks about sessions that came along with the account. It comes first. */
  isArriving?: boolean
  /** Passes the quick actions to the dashboard and renders it. */
  children: (actions: ReactNode) => ReactNode
}

/**
 * The checklist and the welcome card, shown above a parent's or tutor's dashboard while there's something to
 * set up.
 */
export function FirstSteps({ state, of, isArriving = false, children }: FirstStepsProps) {
  const steps = onboardingSteps(of, state)
  const isAdmin = useMe().role === 'admin'
  const canAdd = useCanAddPeople() && !isAdmin && !isArriving
  const hasChecklist = canAdd && showsOnboarding(steps, state.onboarding_dismissed)
  // The welcome card stays until the user completes the step it suggests (docs/product-decisions.md, section
  // 10).
  const isNew = canAdd && state.total_students === 0
  return (
    <>
      {(hasChecklist || isNew) && (
        <div className="lg:grid lg:grid-cols-2 lg:items-start lg:gap-6">
          {hasChecklist && <OnboardingCard steps={steps} />}
          {isNew && <WelcomeCard role={of} />}
        </div>
      )}
      {children(
        <QuickActions
          role={of}
          isLoud={!hasChecklist && !isNew && !isArriving}
          hasSessions={state.has_sessions}
        />,
      )}
    </>
  )
}
