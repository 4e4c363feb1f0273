import { Link } from 'react-router'
import { useSide } from '#features/accounts/client.web.ts'
import { paths } from '#features/site/paths.ts'
import { dayIn } from '#kernel/calendar-day.ts'
import { SectionHeading } from '#platform/ui/Card.tsx'
import { ListRetry } from '#platform/ui/ListField.tsx'
import { AnswerList } from './AnswerList.tsx'
import { accountAnswers, useShared } from './client.web.ts'
import { byWeek } from './confirmation.ts'

/** How many of each the dashboard shows at once; the rest stands on its own page. */
const SHOWN = 3

/** The dashboard's sessions to confirm: this week's that wait for the own word, and earlier ones. Nothing where nothing waits. @param hasSeveral whether the reader shares sessions with several others, so that each row names whom it is with */
export function ToConfirmCard({ hasSeveral }: { hasSeveral: boolean }) {
  const reader = useSide()
  const waiting = useShared('waiting')
  const { thisWeek, earlier } = byWeek(waiting.data?.sessions ?? [], dayIn(new Date()))
  const count = thisWeek.length + earlier.length
  return (
    <div id="to-confirm">
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
            <AnswerList
              isShort
              reader={reader}
              hasSeveral={hasSeveral}
              sessions={thisWeek.slice(0, SHOWN)}
              answers={accountAnswers}
            />
          )}
          {earlier.length > 0 && (
            <>
              <h3 className={`mb-2.5 ${thisWeek.length > 0 ? 'mt-5' : ''}`}>Earlier</h3>
              <AnswerList
                isShort
                reader={reader}
                hasSeveral={hasSeveral}
                sessions={earlier.slice(0, SHOWN)}
                answers={accountAnswers}
              />
            </>
          )}
        </section>
      )}
    </div>
  )
}
