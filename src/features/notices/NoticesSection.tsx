import { dayIn, formatDay } from '#kernel/calendar-day.ts'
import { formatHour, formatTime } from '#kernel/wall-clock.ts'
import { useToast } from '#platform/ui/Toast.tsx'
import { useNotices, useUpdateNotices } from './client.web.ts'
import type { NoticeName } from './notice.ts'

interface Choice {
  name: NoticeName
  label: string
  help: string
}

/** Who chooses: someone who answers for everyone, someone who only logs lessons, or someone who only looks. */
interface Chooser {
  isParent: boolean
  /** Whether the account answers the other side, and so gets emails about that. */
  answers: boolean
  /** Whether the account may say that a class took place. */
  logs: boolean
  /** Whether the account sees what its family owes. */
  owes: boolean
}

function choicesOf({ isParent, answers, logs, owes }: Chooser): Choice[] {
  const agreeing: Choice[] = [
    {
      name: 'daily_digest',
      label: 'An email about what the other side did',
      help: 'In the morning, at most one a day, when something needs a decision. What went as planned comes with the questions after classes. If a class is canceled on its day, you’re told at once.',
    },
    {
      name: 'month_ready',
      label: 'An email when a month is ready to confirm',
      help: 'Sent on the first day of the following month, and on the 3rd and 5th while there’s something to do for it.',
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
  const asking: Choice[] = [
    {
      name: 'class_questions',
      label: 'A question after a class on your schedule',
      help: 'Only if nobody has answered. After three without an answer, once a week.',
    },
  ]
  const owing: Choice[] = [
    {
      name: 'money_due',
      label: 'Money due',
      help: 'On the day in your terms, and after 7 and 14 days, until either side says it was paid.',
    },
  ]
  const telling: Choice[] = [
    {
      name: 'classes_tomorrow',
      label: 'Tomorrow’s classes',
      help: `On the evening before, from ${formatHour(18)}.`,
    },
  ]
  return [...(logs ? asking : []), ...(answers ? agreeing : []), ...(owes ? owing : []), ...telling]
}

interface NoticesSectionProps extends Chooser {
  /** The account's time zone; null until a browser has told it. */
  timeZone: string | null
}

export function NoticesSection({ timeZone, ...chooser }: NoticesSectionProps) {
  return (
    <section className="card p-5" aria-labelledby="notices">
      <h2 id="notices">Emails</h2>
      <p className="help mt-1 wrap-anywhere">
        Nothing between {formatHour(21)} and {formatHour(8)} in your time zone
        {timeZone ? `, ${timeZone.replaceAll('_', ' ')}` : ''}, and at most one an hour. Security notices and
        what you asked for come at once.
      </p>
      <div className="mt-2">
        <Choices {...chooser} />
      </div>
    </section>
  )
}

/** Lets you choose which emails you get. Each choice is saved right away. */
function Choices(chooser: Chooser) {
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
      {choicesOf(chooser).map(({ name, label, help }) => (
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
      <p className="help">{lastInWords(notices.data.delivered_at)}</p>
    </div>
  )
}

function lastInWords(deliveredAt: string | null): string {
  if (!deliveredAt) return 'Nothing sent yet.'
  const moment = new Date(deliveredAt)
  const day = formatDay(dayIn(moment), { month: 'short', day: 'numeric' })
  const [hours, minutes] = [moment.getHours(), moment.getMinutes()].map((part) =>
    String(part).padStart(2, '0'),
  )
  const time = formatTime(`${hours}:${minutes}`)
  return `Last sent ${day}, ${time}.`
}
