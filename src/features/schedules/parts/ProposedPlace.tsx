import { useCanWrite, useSide } from '#features/accounts/client.web.ts'
import { CallFailed } from '#platform/api.web.ts'
import { Button } from '#platform/ui/Button.tsx'
import { useToast } from '#platform/ui/Toast.tsx'
import { useAnswerClass } from '../client.web.ts'
import type { Occurrence } from '../occurrence.ts'
import { placeText } from '../proposal-text.ts'

/** Where one side would like a shared class to be, with the reader's answers. */
export function ProposedPlace({ occurrence, onDone }: { occurrence: Occurrence; onDone: () => void }) {
  const reader = useSide()
  const canWrite = useCanWrite()
  const toast = useToast()
  const answer = useAnswerClass()
  const { proposed } = occurrence
  if (!proposed) return null
  const { by, date, start_time: time, yours } = proposed
  const place = date && time ? placeText({ date, start_time: time, yours }) : 'as planned'
  const other = reader === 'parent' ? occurrence.tutor_name : 'The family'
  const say = (said: 'accept' | 'keep', success: string) =>
    answer.mutate(
      { of: occurrence, answer: said },
      {
        onSuccess: () => {
          toast.success(success)
          onDone()
        },
        onError: (error) =>
          toast.error(
            'Error',
            error instanceof CallFailed ? error.problem.title : 'Failed to send your answer',
          ),
      },
    )
  return (
    <div className="grid gap-3">
      <p className="num font-semibold wrap-anywhere">
        {by === 'other' ? (
          <>
            <bdi>{other}</bdi> asks for {place}
          </>
        ) : (
          <>
            You asked for {place}. Waiting for <bdi>{other}</bdi>.
          </>
        )}
      </p>
      {canWrite && by === 'other' && (
        <Button busy={answer.isPending} busyText="Accepting..." onClick={() => say('accept', 'Agreed')}>
          Accept
        </Button>
      )}
      {canWrite && (date !== null || by === 'you') && (
        <Button tone="secondary" busy={answer.isPending} onClick={() => say('keep', 'Class stays as it is')}>
          {by === 'other' ? 'Keep it as it is' : 'Take back'}
        </Button>
      )}
    </div>
  )
}
