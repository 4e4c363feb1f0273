import { Check } from 'lucide-react'
import { ButtonLink } from '#platform/ui/Button.tsx'

const WORDS = {
  parent: {
    helps: [
      "See all your children's sessions",
      'Check which ones the tutor has confirmed',
      'See what you owe before the month ends',
    ],
    next: 'Add Your First Child',
    to: '/children?new=first',
    tip: 'give each tutor an hourly rate and payment works itself out.',
  },
  tutor: {
    helps: [
      "See all your students and what's next",
      'Confirm the sessions that took place',
      "See what you've earned this month",
    ],
    next: 'Add Your First Student',
    to: '/students',
    tip: 'make a schedule for every regular student and logging takes one tap.',
  },
}

/** For new users: what the dashboard is for, and the first step. */
export function WelcomeCard({ role }: { role: 'parent' | 'tutor' }) {
  const { helps, next, to, tip } = WORDS[role]
  return (
    <section className="mt-4 rounded-lg bg-accent-soft p-5 lg:mt-5">
      <h2>Welcome to Tutorlog</h2>
      <p className="mt-1.5 text-ink-2">From here you can:</p>
      <ul className="mt-2 grid gap-2">
        {helps.map((help) => (
          <li key={help} className="flex gap-3">
            <Check className="mt-0.5 size-5 shrink-0 text-accent" strokeWidth={3} aria-hidden="true" />
            {help}
          </li>
        ))}
      </ul>
      <ButtonLink to={to} className="mt-4 w-full">
        Next step: {next}
      </ButtonLink>
      <p className="mt-3 text-small text-ink-2">Tip: {tip}</p>
    </section>
  )
}
