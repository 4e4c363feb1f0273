import { Copy, Download } from 'lucide-react'
import { type ComponentProps, useState } from 'react'
import { useMutation } from '@tanstack/react-query'
import { refreshWaysIn, useWaysIn } from '#features/passkeys/client.web.ts'
import { dayIn, formatDay } from '#kernel/calendar-day.ts'
import type { OutputOf } from '#kernel/endpoint.ts'
import { call, problemTitle } from '#platform/api.web.ts'
import { saveFile } from '#platform/file.web.ts'
import { Button } from '#platform/ui/Button.tsx'
import { ConfirmDialog } from '#platform/ui/ConfirmDialog.tsx'
import { late } from '#platform/ui/late.tsx'
import { SettingRow } from '#platform/ui/SettingRow.tsx'
import { useToast } from '#platform/ui/Toast.tsx'
import { useMe } from './client.web.ts'
import { MakeRecoveryCodes, StartSecondStep, TurnOffSecondStep } from './second-step.ts'

const SecondStepDialog = late(async () => (await import('./SecondStepDialog.tsx')).SecondStepDialog)

type Started = OutputOf<typeof StartSecondStep>

/** The second step of signing in with the password. Whoever has no password needs none. */
export function SecondStepSection() {
  const { has_password: hasPassword } = useMe()
  const { data: ways } = useWaysIn()
  const toast = useToast()
  const start = useMutation({ mutationFn: () => call(StartSecondStep, {}) })
  const [started, setStarted] = useState<Started>()
  const [codes, setCodes] = useState<string[]>()
  const [asks, setAsks] = useState<'off' | 'codes'>()
  const step = ways?.second_step
  if (!ways || (!hasPassword && !step)) return null
  const setUp = () =>
    start.mutate(undefined, {
      onSuccess: setStarted,
      onError: (error) => toast.error('Error', problemTitle(error, 'Failed to set up the second step')),
    })
  return (
    <section className="card list" aria-labelledby="second-step">
      <div className="flex min-h-16 flex-wrap items-center justify-between gap-3 px-5 py-3">
        <div className="min-w-32 flex-1">
          <h2 id="second-step">Second step</h2>
          <p className="text-small leading-snug text-ink-2">
            {step
              ? `On since ${formatDay(dayIn(new Date(step.on_since)), { month: 'short', day: 'numeric' })}. Your password needs a code from your app, too`
              : 'Besides your password, ask for a code from an app on your phone'}
          </p>
        </div>
        {step ? (
          <Button
            tone="secondary"
            size="small"
            aria-label="Turn off the second step"
            onClick={() => setAsks('off')}
          >
            Turn off
          </Button>
        ) : (
          <Button
            tone="secondary"
            size="small"
            aria-label="Set up the second step"
            busy={start.isPending}
            busyText="Starting..."
            onClick={setUp}
          >
            Set up
          </Button>
        )}
      </div>
      {step && (
        <SettingRow
          title="Recovery codes"
          line={`${step.recovery_codes_left} left. Each signs you in once when you don’t have your phone`}
        >
          <Button tone="secondary" size="small" onClick={() => setAsks('codes')}>
            New codes
          </Button>
        </SettingRow>
      )}
      {step && codes && <RecoveryCodes codes={codes} />}
      {started && (
        <SecondStepDialog
          started={started}
          onClose={() => setStarted(undefined)}
          onTurnedOn={(made) => {
            setStarted(undefined)
            setCodes(made)
            toast.success('Second step turned on', 'Keep your recovery codes before you leave this page.')
            void refreshWaysIn()
          }}
        />
      )}
      {asks === 'codes' && (
        <ChangeQuestion
          title="Get new recovery codes?"
          text="The ones you have now stop working."
          confirmLabel="Get new codes"
          busyText="Getting new codes..."
          change={async () => setCodes((await call(MakeRecoveryCodes, {})).recovery_codes)}
          failure="Failed to get new codes"
          onClose={() => setAsks(undefined)}
        />
      )}
      {asks === 'off' && (
        <ChangeQuestion
          title="Turn off the second step?"
          text="Your password alone will sign you in. Your recovery codes stop working."
          confirmLabel="Turn off"
          busyText="Turning off..."
          change={async () => {
            await call(TurnOffSecondStep, {})
            toast.success('Second step turned off')
          }}
          failure="Failed to turn off the second step"
          onClose={() => setAsks(undefined)}
        />
      )}
    </section>
  )
}

/** Recovery codes that were just made. They're never shown again. */
function RecoveryCodes({ codes }: { codes: string[] }) {
  const toast = useToast()
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(codes.join('\n'))
      toast.success('Copied!', 'Recovery codes copied to clipboard')
    } catch {
      toast.error('Error', 'The codes could not be copied. Select them and copy them yourself.')
    }
  }
  const save = () =>
    saveFile(
      new Blob([`Recovery codes for Tutorlog. Each works once.\n\n${codes.join('\n')}\n`], {
        type: 'text/plain',
      }),
      'tutorlog-recovery-codes.txt',
    )
  return (
    <div className="px-5 py-4">
      <p className="font-semibold">Keep these codes where you’ll find them without your phone</p>
      <p className="mt-1 text-small text-ink-2">
        For example, print them or put them in a password manager. They’re shown only now.
      </p>
      <ul
        aria-label="Recovery codes"
        className="mt-3 grid grid-cols-2 gap-x-6 gap-y-1 rounded-md bg-sunken px-4 py-3 font-mono select-all"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="mt-3 flex flex-wrap gap-3">
        <Button tone="secondary" onClick={() => void copy()}>
          <Copy className="i" aria-hidden="true" />
          Copy
        </Button>
        <Button tone="secondary" onClick={save}>
          <Download className="i" aria-hidden="true" />
          Download
        </Button>
      </div>
    </div>
  )
}

interface ChangeQuestionProps extends Pick<
  ComponentProps<typeof ConfirmDialog>,
  'title' | 'text' | 'confirmLabel' | 'busyText'
> {
  change: () => Promise<void>
  failure: string
  onClose: () => void
}

/** Asks before a change of the second step, and makes it. */
function ChangeQuestion({ change, failure, onClose, ...words }: ChangeQuestionProps) {
  const toast = useToast()
  const { mutate, isPending } = useMutation({
    mutationFn: change,
    onError: (error) => toast.error('Error', problemTitle(error, failure)),
    onSettled: () => {
      onClose()
      return refreshWaysIn()
    },
  })
  return <ConfirmDialog {...words} isBusy={isPending} onConfirm={() => mutate()} onCancel={onClose} />
}
