import { Button } from './Button.tsx'

interface FormButtonsProps {
  /** The form's id. Leave it out if there's no form, and use onSubmit instead. */
  form?: string
  label: string
  isBusy: boolean
  busyText?: string
  /** Why the form can't be submitted. Without a reason to announce, an empty string. */
  blockedReason?: string
  onSubmit?: () => void
  onCancel: () => void
}

/** The buttons below a form: Cancel, and the one that submits it. */
export function FormButtons({
  form,
  label,
  isBusy,
  busyText = 'Saving...',
  blockedReason,
  onSubmit,
  onCancel,
}: FormButtonsProps) {
  return (
    <>
      <Button tone="secondary" onClick={onCancel}>
        Cancel
      </Button>
      <Button
        type={form ? 'submit' : 'button'}
        form={form}
        className="flex-1"
        busy={isBusy}
        busyText={busyText}
        blockedReason={blockedReason}
        onClick={onSubmit}
      >
        {label}
      </Button>
    </>
  )
}
