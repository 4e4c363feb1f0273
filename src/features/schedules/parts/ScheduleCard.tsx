import { Pencil, Repeat, Trash2, Users } from 'lucide-react'
import { useCanWrite } from '#features/accounts/client.web.ts'
import { useMoney } from '#platform/ui/money.web.ts'
import { UNKNOWN_STUDENT } from '#features/students/student.ts'
import { UNKNOWN_TUTOR } from '#features/tutors/tutor.ts'
import { hoursInWords } from '#kernel/duration.ts'
import { isolated } from '#kernel/isolate.ts'
import { Badge } from '#platform/ui/Badge.tsx'
import { Button, IconButton } from '#platform/ui/Button.tsx'
import { useAnswerSchedule } from '../client.web.ts'
import type { ScheduleOffer } from '../offer.ts'
import { ruleText } from '../proposal-text.ts'
import {
  formatScheduleDate,
  FREQUENCY_LABELS,
  GENERAL_TUTORING,
  type Schedule,
  timesOfSchedule,
  WEEKDAYS,
  weekdaysInOrder,
} from '../schedule.ts'
import { OfferAnswer } from './OfferAnswer.tsx'

interface ScheduleCardProps {
  schedule: Schedule
  /** Whether the tutor is the user, who is shown as 'You'. */
  isOwn: boolean
  /** What can become of it together with the other side. */
  offer: ScheduleOffer | undefined
  onEdit: () => void
  onDelete: () => void
}

export function ScheduleCard({ schedule, isOwn, offer, onEdit, onDelete }: ScheduleCardProps) {
  const money = useMoney()
  const canWrite = useCanWrite()
  const student = schedule.student_name ?? UNKNOWN_STUDENT
  const every =
    schedule.frequency === 'custom'
      ? `Custom, every ${schedule.custom_interval_days === 1 ? 'day' : `${schedule.custom_interval_days} days`}`
      : FREQUENCY_LABELS[schedule.frequency]
  const rate =
    schedule.hourly_rate === null ? '' : `, ${money(schedule.hourly_rate).replace(/\.00$/, '')}/hour`
  return (
    <li className={`card p-4 pl-5 ${schedule.is_active ? '' : 'bg-transparent'}`}>
      <div className="flex items-start gap-1">
        <div className="min-w-0 flex-1 pt-1.5">
          <h2 className="line-clamp-2 text-[1.1875rem] leading-snug" title={student}>
            {student}
          </h2>
          <p className="text-small text-ink-2">
            with {isOwn ? 'you' : (schedule.tutor_name ?? UNKNOWN_TUTOR)}
          </p>
        </div>
        {canWrite && (
          <>
            <IconButton label={`Edit schedule for ${student}`} onClick={onEdit}>
              <Pencil className="size-[18px]" aria-hidden="true" />
            </IconButton>
            <IconButton label={`Delete schedule for ${student}`} onClick={onDelete}>
              <Trash2 className="size-[18px]" aria-hidden="true" />
            </IconButton>
          </>
        )}
      </div>
      <div className={`wk mt-3 mr-1 ${schedule.is_active ? '' : 'off'}`} aria-hidden="true">
        {weekdaysInOrder().map((day) => (
          <span key={day} className={day === schedule.day_of_week ? 'on' : ''}>
            {WEEKDAYS[day]?.[0]}
          </span>
        ))}
      </div>
      <p className="num mt-3 font-semibold">
        {WEEKDAYS[schedule.day_of_week]} at {timesOfSchedule(schedule)}, {hoursInWords(schedule.duration)}
      </p>
      <p className="text-[.9375rem] text-ink-2">
        {isolated(schedule.subject ?? GENERAL_TUTORING)}
        {rate}
      </p>
      <p className="mt-0.5 text-small text-ink-3">
        {schedule.end_date
          ? `${formatScheduleDate(schedule.start_date)} to ${formatScheduleDate(schedule.end_date)}`
          : `Starts ${formatScheduleDate(schedule.start_date)}`}
      </p>
      {schedule.proposal && (
        <OwnProposal
          schedule={schedule}
          rule={schedule.proposal}
          other={isOwn ? 'the family' : schedule.tutor_name}
        />
      )}
      <Offered offer={offer} schedule={schedule} />
      <div className="mt-3 flex flex-wrap gap-1.5">
        <Badge>
          <Repeat aria-hidden="true" />
          {every}
        </Badge>
        {schedule.is_shared && (
          <Badge>
            <Users aria-hidden="true" />
            Shared
          </Badge>
        )}
        <Badge tone={schedule.is_active ? 'ok' : 'plain'}>{schedule.is_active ? 'Active' : 'Inactive'}</Badge>
      </div>
    </li>
  )
}

/** What waits for nobody here. The rest is among the questions above the list. */
const QUIET: ReadonlySet<ScheduleOffer['state']> = new Set(['alone', 'apart', 'asked'])

function Offered({ offer, schedule }: Pick<ScheduleCardProps, 'offer' | 'schedule'>) {
  const canWrite = useCanWrite()
  if (!canWrite || !offer || !QUIET.has(offer.state)) return null
  return (
    <div className="mt-2">
      <OfferAnswer offer={offer} own={schedule} />
    </div>
  )
}

/** What this side proposed, until the other side answers. */
function OwnProposal({
  schedule,
  rule,
  other,
}: {
  schedule: Schedule
  rule: NonNullable<Schedule['proposal']>
  other: string | null
}) {
  const money = useMoney()
  const canWrite = useCanWrite()
  const answer = useAnswerSchedule()
  if (rule.by === 'other' || rule.is_declined) return null
  return (
    <div className="mt-2 text-small">
      <p className="wrap-anywhere">
        You proposed {ruleText(schedule, rule, money)}. Waiting for <bdi>{other ?? 'the other side'}</bdi>.
      </p>
      {canWrite && (
        <Button
          size="small"
          tone="quiet"
          busy={answer.isPending}
          busyText="Taking back..."
          aria-label={`Take back, ${schedule.student_name ?? UNKNOWN_STUDENT}`}
          onClick={() => answer.mutate({ schedule, answer: 'keep' })}
        >
          Take back
        </Button>
      )}
    </div>
  )
}
