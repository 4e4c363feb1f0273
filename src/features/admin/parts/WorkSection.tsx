import { formatMoment } from '#kernel/calendar-day.ts'
import { problemTitle } from '#platform/api.web.ts'
import { Badge } from '#platform/ui/Badge.tsx'
import { Button } from '#platform/ui/Button.tsx'
import { SectionHeading } from '#platform/ui/Card.tsx'
import { SettingRow } from '#platform/ui/SettingRow.tsx'
import { useToast } from '#platform/ui/Toast.tsx'
import type { Work } from '../admin.ts'
import { useRetryJobs } from '../client.web.ts'

const moment = (instant: string) => formatMoment(instant, { dateStyle: 'medium', timeStyle: 'short' })

export function WorkSection({ work: { mails, jobs } }: { work: Work }) {
  const toast = useToast()
  const retry = useRetryJobs()
  const failed = jobs.filter((job) => job.last_error !== null)
  const again = () =>
    retry.mutate(undefined, {
      onSuccess: ({ jobs: count }) =>
        toast.success(count === 1 ? 'Retrying 1 job' : `Retrying ${count} jobs`),
      onError: (error) => toast.error('Error', problemTitle(error, 'Failed to retry the jobs')),
    })
  return (
    <section className="mt-6" aria-labelledby="work">
      <SectionHeading
        action={
          failed.length > 0 && (
            <Button
              tone="secondary"
              size="small"
              busy={retry.isPending}
              busyText="Retrying..."
              onClick={again}
            >
              Retry failed jobs
            </Button>
          )
        }
      >
        <span id="work">Emails and jobs</span>
      </SectionHeading>
      <div className="card list">
        {mails.length + jobs.length === 0 && (
          <p className="px-5 py-4 text-ink-2">Nothing is waiting, and nothing failed.</p>
        )}
        {mails.map((mail) => (
          <SettingRow
            key={mail.id}
            title={`Email to ${mail.recipient}`}
            line={`${mail.kind}, since ${moment(mail.since)}${mail.last_error ? `: ${mail.last_error}` : ''}`}
          >
            <Badge tone={mail.attempts > 0 ? 'danger' : 'plain'}>
              {mail.attempts === 0
                ? 'Waiting'
                : mail.attempts === 1
                  ? 'Tried once'
                  : `Tried ${mail.attempts} times`}
            </Badge>
          </SettingRow>
        ))}
        {jobs.map((job) => (
          <SettingRow
            key={job.id}
            title={`Job ${job.task}`}
            line={job.last_error ?? `next attempt ${moment(job.run_at)}`}
          >
            <Badge tone={job.last_error ? 'danger' : 'plain'}>
              {job.is_parked ? 'Failed' : `Attempt ${job.attempts} of ${job.max_attempts}`}
            </Badge>
          </SettingRow>
        ))}
      </div>
    </section>
  )
}
