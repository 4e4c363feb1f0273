import { CloudUpload } from 'lucide-react'
import { useMe, useSeesAmounts, useSide } from '#features/accounts/client.web.ts'
import { Button } from '#platform/ui/Button.tsx'
import { FormDialog } from '#platform/ui/FormDialog.tsx'
import { factsOf, FactList, Written, WrittenWords } from './SessionFacts.tsx'
import { sessionName } from './standing-text.ts'
import { looksSame, type WaitingSession } from './waiting.ts'

/** A sheet for a session waiting on this device. Shows everything that will be sent. */
export function WaitingDialog({ item, onClose }: { item: WaitingSession; onClose: () => void }) {
  const { currency } = useMe()
  const reader = useSide()
  const seesAmounts = useSeesAmounts()
  const { input, shown } = item
  const session = {
    date: shown.date,
    duration: shown.hours,
    start_time: input.start_time || null,
    student_name: shown.student,
    tutor_name: shown.tutor,
    subject: shown.subject,
    total_amount: shown.amount,
    currency,
  }
  return (
    <FormDialog
      title={sessionName(session)}
      isDirty={false}
      onClose={onClose}
      footer={
        <Button tone="secondary" className="flex-1" onClick={onClose}>
          Done
        </Button>
      }
    >
      <p className="ver mb-4">
        <CloudUpload className="size-4" aria-hidden="true" />
        {item.refusal && !looksSame(item) ? 'Not accepted, kept on this device' : 'Waiting to be sent'}
      </p>
      <FactList facts={factsOf(session, { reader, seesAmounts })} />
      <WrittenWords session={input} />
      <Written
        label="Notes"
        help={`Only your ${reader === 'parent' ? 'family' : 'practice'} can see this`}
        text={input.notes}
      />
    </FormDialog>
  )
}
