import { useState } from 'react'
import { deviceProblem, stopAsking } from '#features/passkeys/ceremony.web.ts'
import { problemTitle } from '#platform/api.web.ts'
import { Button } from '#platform/ui/Button.tsx'
import { FormDialog } from '#platform/ui/FormDialog.tsx'
import { useToast } from '#platform/ui/Toast.tsx'
import { useCloseMonth } from './client.web.ts'
import type { ClosedMonth } from './closing.ts'

interface SignMonthDialogProps {
  title: string
  one: ClosedMonth
  onDone: (month: ClosedMonth) => void
  onClose: () => void
}

/** Closes a month, or asks the other side to, with or without a signature. */
export function SignMonthDialog({ title, one, onDone, onClose }: SignMonthDialogProps) {
  const close = useCloseMonth()
  const sign = useCloseMonth()
  const toast = useToast()
  const [problem, setProblem] = useState<string>()
  const run = async (isSigned: boolean) => {
    setProblem(undefined)
    try {
      const month = await (isSigned ? sign : close).mutateAsync({ ...one, isSigned })
      onClose()
      onDone(month)
    } catch (error) {
      const text = deviceProblem(error) ?? problemTitle(error, 'The month could not be closed')
      setProblem(text)
      toast.error('Error', text, { isAtForm: true })
    }
  }
  const leave = () => {
    void stopAsking()
    onClose()
  }
  return (
    <FormDialog
      title={title}
      isDirty={false}
      onClose={leave}
      problem={problem}
      footer={
        <div className="flex flex-1 flex-wrap gap-2.5">
          <Button
            className="max-sm:grow"
            tone="secondary"
            busy={close.isPending}
            busyText="Closing..."
            blockedReason={sign.isPending ? '' : undefined}
            onClick={() => void run(false)}
          >
            Close without signing
          </Button>
          <Button
            className="grow whitespace-nowrap"
            busy={sign.isPending}
            busyText="Waiting for your passkey..."
            blockedReason={close.isPending ? '' : undefined}
            onClick={() => void run(true)}
          >
            Sign with your passkey
          </Button>
        </div>
      }
    >
      <p className="text-ink-2">
        A signature from your passkey goes on the page, so anyone can check that it was you. It’s optional.
        The month counts the same without it.
      </p>
    </FormDialog>
  )
}
