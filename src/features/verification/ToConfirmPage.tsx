import { useFailureToast } from '#platform/query.web.ts'
import { Empty, LoadFailed } from '#platform/ui/Empty.tsx'
import { PageTitle } from '#platform/ui/PageTitle.tsx'
import { Loading } from '#platform/ui/Skeleton.tsx'
import { AnswerBoard } from './AnswerBoard.tsx'
import { accountAnswers, useLinkedSessions } from './client.web.ts'
import { FamilyRequests, LinkedFamilies } from './Families.tsx'

export default function ToConfirmPage() {
  const linked = useLinkedSessions('all')
  useFailureToast(linked.error, 'Failed to fetch sessions')
  const sessions = linked.data?.sessions ?? []
  const waits = sessions.some(
    (session) => !session.verified_by_tutor && session.status === 'completed' && !session.is_read_only,
  )
  return (
    <div className="mx-auto max-w-[46rem]">
      <PageTitle
        title="Sessions to confirm"
        subtitle="What families logged with you. Confirm what took place, send back what is not right."
      />
      <FamilyRequests />
      {linked.isPending && <LoadingBoard />}
      {linked.isError && (
        <div className="mt-5">
          <LoadFailed title="Your sessions did not load" onRetry={() => void linked.refetch()} />
        </div>
      )}
      {linked.isSuccess && !waits && (
        <div className="mt-5">
          <Empty
            title="Nothing to confirm"
            line={
              sessions.length > 0
                ? 'You have answered everything.'
                : 'When a family asks you to confirm sessions, they show up here.'
            }
          />
        </div>
      )}
      {linked.isSuccess && <AnswerBoard sessions={sessions} answers={accountAnswers} />}
      <LinkedFamilies />
    </div>
  )
}

/** Boxes in the shape of the board. */
export function LoadingBoard() {
  return (
    <Loading label="Loading sessions...">
      <div className="sk mt-7 h-6 w-40" />
      <div className="card mt-4 grid gap-6 p-5">
        <div className="sk h-16" />
        <div className="sk h-16" />
      </div>
    </Loading>
  )
}
