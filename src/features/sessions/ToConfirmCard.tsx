import { Link } from 'react-router'
import { useSide } from '#features/accounts/client.web.ts'
import { paths } from '#features/site/paths.ts'
import { dayIn } from '#kernel/calendar-day.ts'
import { SectionHeading } from '#platform/ui/Card.tsx'
import { ListRetry } from '#platform/ui/ListField.tsx'
import { AnswerList } from './AnswerList.tsx'
import { accountAnswers, useShared } from './client.web.ts'
import { byWeek } from './confirmation.ts'

/** How many the dashboard lists, this week's before earlier ones, and at least one of each; a page of its own lists them all. */
const SHOWN = 3

/** The dashboard's sessions to confirm: this week's and earlier ones. Nothing if none are waiting. @param hasSeveral whether the reader shares sessions with several others, so that each row names whom it is with */
export function ToConfirmCard({ hasSeveral }: { hasSeveral: boolean }) {
  const reader = useSide()
  const waiting = useShared('waiting')
  const { thisWeek, earlier } = byWeek(waiting.data?.sessions ?? [], dayIn(new Date()))
  const count = thisWeek.length + earlier.length
  const listed = [...thisWeek.slice(0, SHOWN), ...earlier.slice(0, Math.max(1, SHOWN - thisWeek.length))]
  return (
    <div id="to-confirm">
      <ListRetry list={waiting} plural="sessions to confirm" />
      {count > 0 && (
        <section className="mt-6">
          <SectionHeading
            action={
              <Link to={paths.toConfirm} className="link inline-flex min-h-11 items-center text-[.9375rem]">
                {count > listed.length ? `See all ${count}` : 'See all'}
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
              sessions={listed.filter((one) => thisWeek.includes(one))}
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
                sessions={listed.filter((one) => earlier.includes(one))}
                answers={accountAnswers}
              />
            </>
          )}
        </section>
      )}
    </div>
  )
}
