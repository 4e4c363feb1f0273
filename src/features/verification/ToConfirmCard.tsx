import { Link } from 'react-router'
import { paths } from '#features/site/paths.ts'
import { SectionHeading } from '#platform/ui/Card.tsx'
import { ListRetry } from '#platform/ui/ListField.tsx'
import { AnswerBoard } from './AnswerBoard.tsx'
import { accountAnswers, useLinkedSessions } from './client.web.ts'
import { FamilyRequests } from './Families.tsx'

/** What the dashboard shows at once; the rest stands on its own page. */
const SHOWN = 3

/** The tutor dashboard's sessions to confirm: families that ask, and the newest sessions that wait. Nothing where nothing waits. */
export function ToConfirmCard() {
  const waiting = useLinkedSessions('waiting')
  const sessions = waiting.data?.sessions ?? []
  return (
    <div id="to-confirm">
      <FamilyRequests />
      <ListRetry list={waiting} plural="sessions to confirm" />
      {sessions.length > 0 && (
        <section className="mt-6">
          <SectionHeading
            action={
              <Link to={paths.toConfirm} className="link inline-flex min-h-11 items-center text-[.9375rem]">
                {sessions.length > SHOWN ? `See all ${sessions.length}` : 'See all'}
              </Link>
            }
          >
            Sessions to confirm
          </SectionHeading>
          <AnswerBoard isShort sessions={sessions.slice(0, SHOWN)} answers={accountAnswers} />
        </section>
      )}
    </div>
  )
}
