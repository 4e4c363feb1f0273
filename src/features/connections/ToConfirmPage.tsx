import type { ReactNode } from 'react'
import { QuietAnswers } from '#features/agreements/AnswerRow.tsx'
import { useSide } from '#features/accounts/client.web.ts'
import { AnsweredList } from '#features/sessions/AnsweredList.tsx'
import { useShared } from '#features/sessions/client.web.ts'
import { isTickable, type SharedSession } from '#features/sessions/confirmation.ts'
import { isComing, useFailureToast } from '#platform/query.web.ts'
import { Empty, LoadFailed } from '#platform/ui/Empty.tsx'
import { HelpLink } from '#platform/ui/HelpLink.tsx'
import { PageTitle } from '#platform/ui/PageTitle.tsx'
import { Loading } from '#platform/ui/Skeleton.tsx'
import { useConnections, useHasSeveral } from './client.web.ts'
import { FamiliesCard } from './FamiliesCard.tsx'
import { PairsCard } from './PairsCard.tsx'
import { RequestsCard } from './RequestsCard.tsx'
import { TickList } from './TickList.tsx'

const WORDS = {
  parent: {
    subtitle: 'Sessions that your tutors logged or changed. Uncheck any that aren’t right.',
    others: 'What your tutors recorded or proposed. It counts once you confirm it.',
    none: 'When a connected tutor logs a session, it shows up here.',
  },
  tutor: {
    subtitle: 'Sessions that families logged with you. Uncheck any that aren’t right.',
    others: 'What families recorded or proposed. It counts once you confirm it.',
    none: 'When a family asks you to confirm sessions, they show up here.',
  },
}

interface ToConfirmPageProps {
  /**
   * Downloads the statement for a month that both sides confirmed. Omitted for families, who find it with
   * their statements.
   */
  statement?: ((connectionId: string, month: string) => Promise<void>) | undefined
  /** The payments, charges and terms that need an answer, and how many there are. */
  payments: ReactNode
  paymentCount: number
  arePaymentsComing: boolean
}

/** The page listing sessions that need an answer, past answers, and connections. */
export default function ToConfirmPage(props: ToConfirmPageProps) {
  const { statement, payments, paymentCount, arePaymentsComing } = props
  const reader = useSide()
  const shared = useShared('all')
  const hasSeveral = useHasSeveral()
  useFailureToast(shared.error, 'Failed to fetch sessions')
  const sessions = shared.data?.sessions ?? []
  const waits = sessions.filter((session) => session.waits_for_you && !session.is_read_only)
  const { isAsked, hasTicks, isQuiet, title } = asksOf(waits, paymentCount)
  const showsOther = hasSeveral || new Set(sessions.map((session) => session.connection_id)).size > 1
  // Requests and payments are above the sessions, so we wait until everything can be shown together.
  const connections = useConnections()
  const areOthersComing = shared.isError
    ? connections.isLoading && !connections.isFetched
    : isComing(connections) || arePaymentsComing
  if (shared.isPending || areOthersComing)
    return (
      <div className="mx-auto max-w-[46rem]">
        <PageTitle title="Sessions to confirm" subtitle={WORDS[reader].subtitle} />
        <LoadingAnswers />
      </div>
    )
  return (
    <div className="mx-auto max-w-[46rem]">
      <PageTitle
        title={title}
        subtitle={hasTicks || shared.isError ? WORDS[reader].subtitle : WORDS[reader].others}
      />
      {/* Only one button of the page is filled: the one for all checked sessions, or else that of the only question. */}
      <QuietAnswers value={isAsked}>
        <RequestsCard />
      </QuietAnswers>
      <PairsCard />
      <QuietAnswers value={isQuiet}>{payments}</QuietAnswers>
      {shared.isError && (
        <div className="mt-5">
          <LoadFailed title="Your sessions didn’t load" onRetry={() => void shared.refetch()} />
        </div>
      )}
      {shared.isSuccess && (
        <QuietAnswers value={isQuiet}>
          <TickList sessions={waits} reader={reader} showsOther={showsOther} isByWeek />
        </QuietAnswers>
      )}
      {shared.isSuccess && !isAsked && (
        <div className="mt-5">
          <Empty
            title="Nothing to confirm"
            line={sessions.length > 0 ? 'You’re all caught up.' : WORDS[reader].none}
            action={sessions.length === 0 && <HelpLink topic="connecting">How connecting works</HelpLink>}
          />
        </div>
      )}
      {shared.isSuccess && (
        <AnsweredList
          reader={reader}
          showsOther={showsOther}
          sessions={sessions}
          statement={reader === 'tutor' ? statement : undefined}
        />
      )}
      {reader === 'tutor' && <FamiliesCard />}
    </div>
  )
}

/** What the page asks, which decides what it says above and which of its buttons is filled. */
function asksOf(waits: readonly SharedSession[], paymentCount: number) {
  const hasTicks = waits.some(isTickable)
  const count = waits.length + paymentCount
  const title = count > 0 && waits.length === 0 ? 'To confirm' : 'Sessions to confirm'
  return { isAsked: count > 0, hasTicks, isQuiet: hasTicks || count > 1, title }
}

/** Placeholders shaped like the sessions. */
export function LoadingAnswers() {
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
