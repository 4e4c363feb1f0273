import { useSide } from '#features/accounts/client.web.ts'
import { dayIn } from '#kernel/calendar-day.ts'
import { SectionHeading } from '#platform/ui/Card.tsx'
import { ListRetry } from '#platform/ui/ListField.tsx'
import { useTerms, useWaitingTerms } from './client.web.ts'
import { applyingOn } from './terms.ts'
import { TermsAnswer } from './TermsAnswer.tsx'

/** Terms that wait for this side's answer. Renders nothing if there are none. */
export function WaitingTermsCard({ limit = Infinity }: { limit?: number | undefined }) {
  const side = useSide()
  const waiting = useWaitingTerms()
  const all = useTerms()
  const shown = waiting.data?.terms.slice(0, limit) ?? []
  return (
    <>
      <ListRetry list={waiting} plural="terms to agree on" />
      {shown.length > 0 && (
        <section className="mt-6" aria-label="Terms to agree on">
          <SectionHeading>Terms to agree on</SectionHeading>
          <ul className="grid gap-3">
            {shown.map((terms) => (
              <li key={terms.id} className="card px-5 py-4">
                <TermsAnswer
                  terms={terms}
                  applying={applyingOn(
                    all.data?.terms.filter((one) => one.connection_id === terms.connection_id) ?? [],
                    dayIn(new Date()),
                  )}
                  other={terms.other_name ?? (side === 'parent' ? 'the tutor' : 'the family')}
                />
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}
