import { formatMoment } from '#kernel/calendar-day.ts'
import { Badge } from '#platform/ui/Badge.tsx'
import { SectionHeading } from '#platform/ui/Card.tsx'
import { SettingRow } from '#platform/ui/SettingRow.tsx'
import type { Backups } from '../admin.ts'
import { sizeOf } from './RestoreDialog.tsx'

const moment = (instant: string) => formatMoment(instant, { dateStyle: 'medium', timeStyle: 'short' })

/** Whether last night's backup could be restored. */
export function DrillSection({ backups }: { backups: Backups }) {
  return (
    <section className="mt-6" aria-labelledby="drill">
      <SectionHeading>
        <span id="drill">Restore drill</span>
      </SectionHeading>
      <div className="card list">
        {backups === null ? (
          <p className="px-5 py-4 text-ink-2">
            This server uses an external database, so it makes no backups at night and restores none for
            trial. Use the database’s own tools, and try a restore from time to time.
          </p>
        ) : backups.drill === null ? (
          <p className="px-5 py-4 text-ink-2">
            The first backup is made tonight. It’s then restored for trial, beside the database.
          </p>
        ) : (
          <LastDrill drill={backups.drill} lastGoodAt={backups.last_good_at} />
        )}
      </div>
    </section>
  )
}

type Drill = NonNullable<NonNullable<Backups>['drill']>

function LastDrill({ drill, lastGoodAt }: { drill: Drill; lastGoodAt: string | null }) {
  const { backup, backup_at: at, backup_bytes: bytes, ended_at: endedAt, findings } = drill
  const isGood = endedAt !== null && findings.length === 0
  const took = drill.seconds === null ? '' : ` The trial took ${inWords(drill.seconds)}.`
  return (
    <>
      <SettingRow title={backup} line={`Made ${moment(at)}, ${sizeOf(bytes)}.${took}`}>
        <Badge tone={endedAt === null ? 'plain' : isGood ? 'ok' : 'danger'}>
          {endedAt === null ? 'Being restored' : isGood ? 'Came back whole' : 'Failed'}
        </Badge>
      </SettingRow>
      {findings.length > 0 && (
        <div className="px-5 py-4">
          <ul className="list-disc space-y-1 pl-5 wrap-anywhere">
            {findings.map((finding) => (
              <li key={finding}>{finding}</li>
            ))}
          </ul>
          <p className="mt-3 text-ink-2">
            {lastGoodAt === null
              ? 'No backup has come back whole yet.'
              : `The last backup that came back whole was made ${moment(lastGoodAt)}.`}
          </p>
        </div>
      )}
    </>
  )
}

function inWords(seconds: number): string {
  if (seconds < 90) return `${Math.max(1, Math.round(seconds))} s`
  return `${Math.round(seconds / 60)} min`
}
