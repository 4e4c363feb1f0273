import { Link } from 'react-router'
import { paths } from '#features/site/paths.ts'
import { dayIn } from '#kernel/calendar-day.ts'
import { SectionHeading } from '#platform/ui/Card.tsx'
import { ListRetry } from '#platform/ui/ListField.tsx'
import { AnswerBoard } from './AnswerBoard.tsx'
import { accountAnswers, useLinkedSessions } from './client.web.ts'
import { FamilyRequests } from './Families.tsx'
import { byWeek } from './verification.ts'

/** How many of each the dashboard shows at once; the rest stands on its own page. */
const SHOWN = 3

/** The tutor dashboard's sessions to confirm: families that ask, this week's sessions that wait, and earlier ones. Nothing where nothing waits. */
export function ToConfirmCard() {
  const waiting = useLinkedSessions('waiting')
  const { thisWeek, earlier } = byWeek(waiting.data?.sessions ?? [], dayIn(new Date()))
  const count = thisWeek.length + earlier.length
  return (
    <div id="to-confirm">
      <FamilyRequests />
      <ListRetry list={waiting} plural="sessions to confirm" />
      {count > 0 && (
        <section className="mt-6">
          <SectionHeading
            action={
              <Link to={paths.toConfirm} className="link inline-flex min-h-11 items-center text-[.9375rem]">
                {thisWeek.length > SHOWN || earlier.length > SHOWN ? `See all ${count}` : 'See all'}
              </Link>
            }
          >
            Sessions to confirm
          </SectionHeading>
          {thisWeek.length > 0 && (
            <AnswerBoard isShort sessions={thisWeek.slice(0, SHOWN)} answers={accountAnswers} />
          )}
          {earlier.length > 0 && (
            <>
              <h3 className={`mb-2.5 ${thisWeek.length > 0 ? 'mt-5' : ''}`}>Earlier</h3>
              <AnswerBoard isShort sessions={earlier.slice(0, SHOWN)} answers={accountAnswers} />
            </>
          )}
        </section>
      )}
    </div>
  )
}
