import { Mic } from 'lucide-react'
import type { ReactNode } from 'react'
import { Badge } from '#platform/ui/Badge.tsx'

const FOR_PARENTS = [
  'All your children and all their tutors in one place',
  'Log a session with a form, or just say it out loud',
  'Payments calculated from each tutor’s hourly rate, to the cent',
  'A monthly summary by tutor and by child',
]
const FOR_TUTORS = [
  'Every student with their grade and your notes',
  'Recurring schedules: weekly, bi‑weekly, monthly or custom',
  'Confirm a session with one tap after it happens',
  'A session log that families have already agreed to',
]
const WEEKDAYS = ['S', 'M', 'T', 'W', 'T', 'F', 'S']

export function TwoSides() {
  return (
    <section className="mx-auto max-w-site px-[var(--gutter)] py-16 lg:py-24" aria-labelledby="sides">
      <h2 id="sides" className="text-[2rem]! leading-[1.1]! lg:text-[2.75rem]!">
        One log, two sides
      </h2>
      <div className="mt-8 grid gap-4 lg:grid-cols-2 lg:gap-6">
        <Side title="For parents" tone="parent" points={FOR_PARENTS}>
          <div className="flex items-center gap-3">
            <span className="grid size-11 shrink-0 place-items-center rounded-full bg-parent text-on-accent">
              <Mic className="i" aria-hidden="true" />
            </span>
            <p className="leading-snug">“Maya had an hour and a half of algebra with Ingrid on Tuesday.”</p>
          </div>
          <p className="num mt-3 border-t border-line pt-3 text-small text-ink-2">
            Maya, Algebra, Tue, Nov 17, 1.5 h, $67.50
          </p>
        </Side>
        <Side title="For tutors" tone="tutor" points={FOR_TUTORS}>
          <div className="flex items-center justify-between gap-3">
            <div>
              <p className="font-semibold">Theo Whitfield, Reading</p>
              <p className="text-small text-ink-2">Thursdays at 4:30 PM, 1 h</p>
            </div>
            <Badge tone="tutor">Weekly</Badge>
          </div>
          <div className="wk mt-3" data-role="tutor" aria-hidden="true">
            {WEEKDAYS.map((letter, day) => (
              <span key={day} className={day === 4 ? 'on' : undefined}>
                {letter}
              </span>
            ))}
          </div>
        </Side>
      </div>
    </section>
  )
}

const TONES = {
  parent: { panel: 'bg-parent-soft', title: 'text-parent', stroke: 'var(--color-parent)' },
  tutor: { panel: 'bg-tutor-soft', title: 'text-tutor', stroke: 'var(--color-tutor)' },
}

function Side({
  title,
  tone,
  points,
  children,
}: {
  title: string
  tone: 'parent' | 'tutor'
  points: string[]
  children: ReactNode
}) {
  const { panel, title: titleTone, stroke } = TONES[tone]
  return (
    <article className={`rounded-xl p-6 lg:p-9 ${panel}`}>
      <h3 className={`disp text-[1.5rem]! font-bold! ${titleTone}`}>{title}</h3>
      <ul className="mt-5 grid gap-3.5">
        {points.map((point) => (
          <li key={point} className="flex gap-3">
            <svg className="mt-1 shrink-0" width="20" height="18" viewBox="0 0 20 18" aria-hidden="true">
              <path
                d="M2.5 10l5 5L17 3.5"
                fill="none"
                stroke={stroke}
                strokeWidth="3"
                strokeLinecap="round"
                strokeLinejoin="round"
              />
            </svg>
            <span>{point}</span>
          </li>
        ))}
      </ul>
      <div className="mt-7 rounded-lg bg-surface p-4">{children}</div>
    </article>
  )
}
