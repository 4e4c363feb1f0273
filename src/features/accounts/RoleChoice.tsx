import { ArrowLeft, Check, GraduationCap, Users } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#platform/ui/Button.tsx'

const CHOICES = [
  {
    role: 'parent',
    name: 'Parent',
    text: "Track your children's tutoring sessions",
    Icon: Users,
    on: 'border-parent bg-parent-soft',
    solid: 'bg-parent',
    mark: 'border-parent bg-parent text-on-accent',
  },
  {
    role: 'tutor',
    name: 'Tutor',
    text: 'Manage your students and schedules',
    Icon: GraduationCap,
    on: 'border-tutor bg-tutor-soft',
    solid: 'bg-tutor',
    mark: 'border-tutor bg-tutor text-on-accent',
  },
] as const

interface RoleChoiceProps {
  submitLabel: string
  busyText: string
  /** The preselected role; defaults to parent. */
  initial?: 'parent' | 'tutor' | undefined
  onChoose: (role: 'parent' | 'tutor') => Promise<void>
  onBack?: () => void
}

export function RoleChoice({ submitLabel, busyText, initial = 'parent', onChoose, onBack }: RoleChoiceProps) {
  const [role, setRole] = useState<'parent' | 'tutor'>(initial)
  const [isBusy, setIsBusy] = useState(false)
  const submit = async () => {
    setIsBusy(true)
    await onChoose(role).finally(() => setIsBusy(false))
  }
  return (
    <form
      method="post"
      className="mt-6 grid gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isBusy) void submit()
      }}
    >
      <div className="grid gap-3" role="radiogroup" aria-label="Who are you here as?">
        {CHOICES.map(({ role: value, name, text, Icon, on, solid, mark }) => {
          const isChosen = role === value
          return (
            <label
              key={value}
              className={`radio-card gap-4 rounded-lg p-5 ${isChosen ? on : 'border-line bg-surface'}`}
            >
              <input
                type="radio"
                name="role"
                value={value}
                checked={isChosen}
                onChange={() => setRole(value)}
                className="absolute inset-0 size-full cursor-pointer opacity-0"
              />
              <span className={`grid size-13 shrink-0 place-items-center rounded-md text-on-accent ${solid}`}>
                <Icon className="size-6" aria-hidden="true" />
              </span>
              <span className="flex-1">
                <span className="disp block text-[1.25rem] leading-tight">{name}</span>
                <span className="mt-1 block leading-snug text-ink-2">{text}</span>
              </span>
              <span
                className={`grid size-6 shrink-0 place-items-center rounded-full border-2 ${isChosen ? mark : 'border-control'}`}
              >
                {isChosen && <Check className="size-4" strokeWidth={3.5} aria-hidden="true" />}
              </span>
            </label>
          )
        })}
      </div>
      <div className="mt-4 grid gap-2">
        <Button type="submit" busy={isBusy} busyText={busyText}>
          {submitLabel}
        </Button>
        {onBack && (
          <Button tone="quiet" onClick={onBack}>
            <ArrowLeft className="size-5" aria-hidden="true" />
            Back to form
          </Button>
        )}
      </div>
    </form>
  )
}
