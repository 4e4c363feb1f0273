import { dayIn } from '#kernel/calendar-day.ts'
import { BOTH_SIDES, TickLine } from '#platform/ui/Ticks.tsx'
import { Sentences } from './Sentences.tsx'
import { applyingOn, type Terms } from './terms.ts'
import { TermsAnswer } from './TermsAnswer.tsx'

interface EmailedTermsCardProps {
  terms: readonly Terms[]
  /** What to call the other side within a sentence. */
  other: string
  /** Whether the primary button is elsewhere on the page. */
  isQuiet: boolean
}

/** Terms on an emailed page: those that apply, and those that wait for an answer. Nothing if there are none. */
export function EmailedTermsCard({ terms, other, isQuiet }: EmailedTermsCardProps) {
  const applying = applyingOn(terms, dayIn(new Date()))
  const waiting = terms.find((one) => one.waits_for_you)
  if (!applying && !waiting) return null
  return (
    <section className="mt-10" aria-labelledby="emailed-terms">
      <h2 id="emailed-terms">Terms</h2>
      <div className="card mt-3 grid gap-4 px-5 py-4">
        {applying && applying !== waiting && (
          <div className="grid gap-3">
            <Sentences sentences={applying.sentences} />
            <TickLine by={BOTH_SIDES} words="Agreed" about="Terms" />
          </div>
        )}
        {waiting && (
          <div className={applying && applying !== waiting ? 'border-t border-line pt-4' : ''}>
            <TermsAnswer terms={waiting} applying={applying} other={other} isPrimary={!isQuiet} isEmailed />
          </div>
        )}
      </div>
    </section>
  )
}
