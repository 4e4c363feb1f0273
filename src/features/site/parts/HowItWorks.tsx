import type { ReactNode } from 'react'
import { Ticks } from '#platform/ui/Ticks.tsx'

export function HowItWorks() {
  return (
    <section className="border-y border-line bg-surface" aria-labelledby="verification">
      <div className="mx-auto max-w-site px-[var(--gutter)] py-16 lg:py-24">
        <h2 id="verification" className="max-w-[20ch] text-[2rem]! leading-[1.1]! lg:text-[2.75rem]!">
          How session verification works
        </h2>
        <p className="mt-3 max-w-[38rem] text-lead text-ink-2">
          A session is agreed once both sides have confirmed it.
        </p>
        <ol className="mt-9 grid gap-4 lg:grid-cols-3 lg:gap-6">
          <Step
            drawing={<Ticks by={['parent']} width={72} />}
            title="1. You log it"
            text="Enter the child, tutor, date and hours. The rate fills in automatically."
            legend="Blue check mark: the parent"
            tone="text-parent"
          />
          <Step
            drawing={<Ticks width={72} />}
            title="2. Your tutor confirms"
            text="They see the session on their dashboard and confirm that it took place."
            legend="Green check mark: the tutor"
            tone="text-tutor"
          />
          <Step
            drawing={
              <span className="disp num text-[2.25rem] leading-none">
                <span className="hl">$247.50</span>
              </span>
            }
            title="3. The month adds up"
            text="Agreed sessions add up to a total you both agree on."
            legend="Both check marks: agreed"
            tone="text-ink"
          />
        </ol>
        <p className="mt-6 max-w-[38rem] text-ink-2">
          Are the hours wrong? Your tutor says it isn’t right and why, and it stays out of the agreed total
          until you fix it.
        </p>
      </div>
    </section>
  )
}

interface StepProps {
  drawing: ReactNode
  title: string
  text: string
  legend: string
  tone: string
}

function Step({ drawing, title, text, legend, tone }: StepProps) {
  return (
    <li className="rounded-xl bg-page p-6">
      <div className="flex h-14 items-center">{drawing}</div>
      <h3 className="disp mt-4 text-[1.1875rem]! font-bold!">{title}</h3>
      <p className="mt-1.5 text-ink-2">{text}</p>
      <p className={`mt-3 text-small font-semibold ${tone}`}>{legend}</p>
    </li>
  )
}
