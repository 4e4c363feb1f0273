import { Check, Pencil } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useCanLog, useCanWrite, useSeesAmounts, useSide } from '#features/accounts/client.web.ts'
import { standingOf } from '#features/agreements/answer.ts'
import { priceExplained } from '#features/prices/price-words.ts'
import { UNKNOWN_STUDENT } from '#features/students/student.ts'
import { UNKNOWN_TUTOR } from '#features/tutors/tutor.ts'
import { centsOfDollars } from '#kernel/money.ts'
import { CallFailed } from '#platform/api.web.ts'
import { Button } from '#platform/ui/Button.tsx'
import { Disclosure } from '#platform/ui/Disclosure.tsx'
import { LoadFailed } from '#platform/ui/Empty.tsx'
import { FormDialog } from '#platform/ui/FormDialog.tsx'
import { Loading } from '#platform/ui/Skeleton.tsx'
import { useNewTick } from '#platform/ui/Ticks.tsx'
import { AnswerBox } from './AnswerBox.tsx'
import { sessionAnswers, type ShownSession, useSession } from './client.web.ts'
import { SessionHistory } from './SessionHistory.tsx'
import { OwnWordBox } from './OwnWordBox.tsx'
import type { Session } from './session.ts'
import { keptPriceIn } from './session-price.ts'
import { factsOf, FactList, Written, WrittenWords } from './SessionFacts.tsx'
import { capital, otherSide, sessionName, answersOf } from './standing-text.ts'

const NotRightDialog = lazy(async () => ({
  default: (await import('./NotRightForm.tsx')).NotRightDialog,
}))
const EditSessionDialog = lazy(async () => ({
  default: (await import('./EditSessionDialog.tsx')).EditSessionDialog,
}))

interface SessionDialogProps {
  /** The session as shown in its row. The dialog loads the remaining fields and any changes made since. */
  session: ShownSession
  onClose: () => void
}

/** A session's sheet, with both sides' answers and the session's facts, summary, notes and history. */
export function SessionDialog({ session: shown, onClose }: SessionDialogProps) {
  const query = useSession(shown.id)
  const canLog = useCanLog()
  const canWrite = useCanWrite()
  const reader = useSide()
  const [open, setOpen] = useState<'edit' | 'dispute'>()
  const isGone = query.error instanceof CallFailed && query.error.problem.status === 404
  const session = isGone ? undefined : (query.data ?? ('student_id' in shown ? shown : undefined))
  const title = session ? sessionName(session) : 'date' in shown ? sessionName(shown) : 'Session'
  // Caregivers can't edit someone else's entry. Parents can still edit the notes after the other side's
  // account is closed.
  const canEdit = session && (canWrite || (canLog && !session.is_read_only))
  return (
    <FormDialog
      title={title}
      isDirty={false}
      onClose={onClose}
      footer={
        <>
          <Button tone="secondary" className={canEdit ? '' : 'flex-1'} onClick={onClose}>
            Done
          </Button>
          {canEdit && (
            <Button className="flex-1" onClick={() => setOpen('edit')}>
              <Pencil className="i" aria-hidden="true" />
              Edit
            </Button>
          )}
        </>
      }
    >
      {session ? (
        <SessionSheet session={session} onDispute={() => setOpen('dispute')} onGone={onClose} />
      ) : isGone ? (
        <p>This session is no longer in your log.</p>
      ) : query.isError ? (
        <LoadFailed title="This session didn’t load" onRetry={() => void query.refetch()} />
      ) : (
        <LoadingSession />
      )}
      <Suspense fallback={null}>
        {session && open === 'edit' && (
          <EditSessionDialog session={session} onClose={() => setOpen(undefined)} onGone={onClose} />
        )}
        {session && open === 'dispute' && (
          <NotRightDialog
            session={{ ...session, rate: session.effective_rate }}
            facts={title}
            other={otherSide(reader, session.tutor_name)}
            onSend={(said) => sessionAnswers.dispute(session, said)}
            onClose={() => setOpen(undefined)}
          />
        )}
      </Suspense>
    </FormDialog>
  )
}

/** Why the session costs what it does, in one sentence. */
function WhyAmount({ session }: { session: Session }) {
  const isParent = useSide() === 'parent'
  const seesAmounts = useSeesAmounts()
  const price =
    session.hourly_rate === null
      ? keptPriceIn(session)
      : {
          cents: centsOfDollars(session.hourly_rate),
          lesson_minutes: null,
          source: 'override' as const,
          since: null,
        }
  if (!price || !seesAmounts) return null
  const people = {
    student: session.student_name ?? UNKNOWN_STUDENT,
    tutor: isParent ? (session.tutor_name ?? UNKNOWN_TUTOR) : undefined,
  }
  return <p className="help mt-3">{priceExplained(price, people, session.currency, new Date())}.</p>
}

interface SessionSheetProps {
  session: Session
  onDispute: () => void
  onGone: () => void
}

function SessionSheet({ session, onDispute, onGone }: SessionSheetProps) {
  const reader = useSide()
  const canWrite = useCanWrite()
  const mayAnswer = canWrite && session.is_shared && !session.is_read_only
  return (
    <>
      {mayAnswer && session.other_confirmation === 'disputed' ? (
        <AnswerBox session={session} onDone={() => undefined} />
      ) : (
        <OwnWordBox
          session={session}
          isChanged={false}
          onDispute={onDispute}
          onDone={(left) => left && onGone()}
        />
      )}
      <SidesOf session={session} />
      <FactList facts={factsOf(session, { reader, seesAmounts: useSeesAmounts() })} />
      <WhyAmount session={session} />
      <WrittenWords session={session} />
      <Written
        label="Notes"
        help={`Only your ${reader === 'parent' ? 'family' : 'practice'} can see this`}
        text={session.notes}
      />
      <Disclosure className="mt-4" title={<b className="font-semibold">History</b>}>
        <div className="mt-2">
          <SessionHistory sessionId={session.id} other={capital(otherSide(reader, session.tutor_name))} />
        </div>
      </Disclosure>
    </>
  )
}

/** One line with each side's answer, or a single line saying that the session is only in this log. */
function SidesOf({ session }: { session: Session }) {
  const reader = useSide()
  const canWrite = useCanWrite()
  const answers = answersOf(session, reader, session.tutor_name, canWrite)
  const confirmed = answers.filter(({ isConfirmed }) => isConfirmed)
  const added = useNewTick(
    confirmed.map(({ side }) => side),
    confirmed.map(({ who, says }) => `${who} ${says}`).join(', '),
  )
  if (standingOf(session) === 'own') return <p className="mb-4 text-small text-ink-2">Only yours</p>
  return (
    <ul className="mb-5 grid gap-1.5">
      {answers.map(({ side, who, says, isConfirmed }) => (
        <li key={side} className="flex items-start gap-2">
          <Check
            className={`mt-[3px] size-[18px] shrink-0 ${side === added ? 'draw' : ''} ${isConfirmed ? (side === 'parent' ? 'text-parent' : 'text-tutor') : 'text-ink-3 opacity-40'}`}
            strokeWidth={isConfirmed ? 3 : 1.5}
            aria-hidden="true"
          />
          <span className="min-w-0 wrap-anywhere">
            <b className="font-semibold">{who}</b> <span className="text-ink-2">{says}</span>
          </span>
        </li>
      ))}
    </ul>
  )
}

function LoadingSession() {
  return (
    <Loading label="Loading session...">
      <div className="grid gap-4">
        <div className="sk h-5 w-1/2" />
        <div className="grid grid-cols-2 gap-4">
          {Array.from({ length: 6 }, (_, index) => (
            <div key={index} className="sk h-10" />
          ))}
        </div>
      </div>
    </Loading>
  )
}
