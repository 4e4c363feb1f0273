import { Check, ChevronRight, X } from 'lucide-react'
import { Link } from 'react-router'
import { IconButton } from '#platform/ui/Button.tsx'
import { useToast } from '#platform/ui/Toast.tsx'
import { dismissOnboarding } from './client.web.ts'
import type { Step } from './dashboard.ts'
import { ASK } from './WaitingKinds.tsx'

export function OnboardingCard({ steps }: { steps: Step[] }) {
  const toast = useToast()
  const done = steps.filter((step) => step.isDone).length
  const next = steps.find((step) => !step.isDone)
  return (
    <section className="card mt-5 overflow-hidden" aria-labelledby="checklist">
      <div className="flex items-start gap-2 pt-2 pr-1.5 pl-5">
        <h2 id="checklist" className="flex-1 pt-2.5">
          Get set up
        </h2>
        <IconButton
          label="Dismiss checklist"
          onClick={() =>
            void dismissOnboarding().catch(() => toast.error('Error', 'Failed to dismiss the checklist'))
          }
        >
          <X className="i" aria-hidden="true" />
        </IconButton>
      </div>
      <div className="flex items-center gap-3 px-5 pb-3">
        <progress className="steps" value={done} max={steps.length} aria-label="Setup progress" />
        <p className="num text-small whitespace-nowrap text-ink-2">
          {done} of {steps.length} complete
        </p>
      </div>
      <ol className="pb-2.5">
        {steps.map((step) => (
          <li key={step.label}>
            <Link
              to={step.to}
              state={step.asks && ASK}
              className="flex min-h-[52px] items-center gap-3.5 px-5 py-2 hover:bg-sunken"
            >
              <span
                className={`grid size-7 shrink-0 place-items-center rounded-full ${
                  step.isDone
                    ? 'bg-accent text-on-accent'
                    : `border-2 ${step === next ? 'border-accent' : 'border-control'}`
                }`}
              >
                {step.isDone && <Check className="size-4" strokeWidth={3.5} aria-hidden="true" />}
              </span>
              <span
                className={`flex-1 leading-snug ${step.isDone ? 'text-ink-3 line-through decoration-1' : step === next ? 'font-semibold' : ''}`}
              >
                {step.label}
              </span>
              {step.isDone ? (
                <span className="sr-only">done</span>
              ) : (
                <ChevronRight className="i text-ink-3" aria-hidden="true" />
              )}
            </Link>
          </li>
        ))}
      </ol>
    </section>
  )
}
