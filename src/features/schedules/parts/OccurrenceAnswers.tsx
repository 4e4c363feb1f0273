import { Check } from 'lucide-react'
import { useNavigate } from 'react-router'
import { paths } from '#features/site/paths.ts'
import { Button } from '#platform/ui/Button.tsx'
import { useToast } from '#platform/ui/Toast.tsx'
import { unlog, useChangeOccurrence, useLogOccurrence } from '../client.web.ts'
import { formOfOccurrence, type Occurrence } from '../occurrence.ts'

/** The three answers to 'Did this class happen?': Yes logs it, Edit opens the form filled in, No skips it (decisions section 4). */
export function OccurrenceAnswers({ occurrence, onDone }: { occurrence: Occurrence; onDone?: () => void }) {
  const toast = useToast()
  const navigate = useNavigate()
  const log = useLogOccurrence()
  const change = useChangeOccurrence()
  const yes = async () => {
    try {
      const session = await log.mutateAsync(occurrence)
      toast.success('Session added successfully', undefined, {
        label: 'Undo',
        run: () => void unlog(session).catch(() => toast.error('Error', 'Failed to delete session')),
      })
      onDone?.()
    } catch {
      toast.error('Error', 'Failed to add session')
    }
  }
  const no = async () => {
    try {
      await change.mutateAsync({ occurrence, place: { status: 'skipped' } })
      toast.success('Class skipped', undefined, {
        label: 'Undo',
        run: () => change.mutate({ occurrence, place: { status: 'planned' } }),
      })
      onDone?.()
    } catch {
      toast.error('Error', 'Failed to skip the class')
    }
  }
  const isBusy = log.isPending || change.isPending
  const about = `${occurrence.student_name}, ${occurrence.date}`
  return (
    <div className="flex gap-2 md:max-w-sm">
      <Button
        size="small"
        className="flex-1"
        aria-label={`Yes, ${about}`}
        busy={log.isPending}
        blockedReason={change.isPending ? '' : undefined}
        busyText="Adding..."
        onClick={() => void yes()}
      >
        <Check className="i" aria-hidden="true" />
        Yes
      </Button>
      <Button
        size="small"
        tone="secondary"
        aria-label={`Edit, ${about}`}
        blockedReason={isBusy ? '' : undefined}
        onClick={() => navigate(paths.addSession, { state: { session: formOfOccurrence(occurrence) } })}
      >
        Edit
      </Button>
      <Button
        size="small"
        tone="secondary"
        aria-label={`No, ${about}`}
        blockedReason={isBusy ? '' : undefined}
        onClick={() => void no()}
      >
        No
      </Button>
    </div>
  )
}
