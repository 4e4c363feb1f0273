import { useToast } from '#platform/ui/Toast.tsx'
import { useNotices, useUpdateNotices } from './client.web.ts'
import type { NoticeName } from './notice.ts'

const choicesOf = (isParent: boolean): { name: NoticeName; label: string; help: string }[] => [
  {
    name: 'daily_digest',
    label: 'A daily email when sessions or payments are waiting for you',
    help: 'At most one a day, and only when there’s something new.',
  },
  {
    name: 'month_ready',
    label: 'An email when a month is ready to confirm',
    help: 'Sent on the first day of the following month.',
  },
  isParent
    ? {
        name: 'connection_changes',
        label: 'An email when a connection starts or ends',
        help: 'When a tutor accepts your request, declines it or ends the connection.',
      }
    : {
        name: 'connection_changes',
        label: 'An email when a connection ends',
        help: 'When a family ends the connection with you.',
      },
]

export function NoticesSection({ isParent }: { isParent: boolean }) {
  return (
    <section className="card p-5" aria-labelledby="notices">
      <h2 id="notices">Emails</h2>
      <div className="mt-2">
        <Choices isParent={isParent} />
      </div>
    </section>
  )
}

/** Lets you choose which emails you get. Each choice is saved right away. */
function Choices({ isParent }: { isParent: boolean }) {
  const notices = useNotices()
  const update = useUpdateNotices()
  const toast = useToast()
  if (notices.isError)
    return (
      <p className="help">
        Your email settings didn’t load.{' '}
        <button type="button" className="link min-h-11" onClick={() => void notices.refetch()}>
          Try again
        </button>
      </p>
    )
  if (!notices.isSuccess)
    return (
      <div className="late" role="status">
        <span className="sr-only">Loading email settings...</span>
        <div className="sk h-14" />
      </div>
    )
  const choose = async (name: NoticeName, isOn: boolean) => {
    try {
      await update.mutateAsync({ notices: notices.data, input: { [name]: isOn } })
    } catch {
      toast.error('Error', 'Your choice wasn’t saved. Please try again.')
    }
  }
  return (
    <div className="grid gap-1">
      {choicesOf(isParent).map(({ name, label, help }) => (
        <div key={name} className="flex min-h-[52px] items-start gap-3 pb-2">
          <input
            id={name}
            type="checkbox"
            aria-describedby={`${name}-help`}
            className="mt-3 size-5 shrink-0 accent-accent"
            checked={
              update.isPending && update.variables.input[name] !== undefined
                ? update.variables.input[name]
                : notices.data[name]
            }
            onChange={(event) => void choose(name, event.target.checked)}
          />
          <div>
            <label htmlFor={name} className="flex min-h-11 cursor-pointer items-center font-medium">
              {label}
            </label>
            <p id={`${name}-help`} className="help">
              {help}
            </p>
          </div>
        </div>
      ))}
    </div>
  )
}
