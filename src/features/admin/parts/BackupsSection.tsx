import { useEffect, useEffectEvent, useState } from 'react'
import { formatMoment } from '#kernel/calendar-day.ts'
import type { OutputOf } from '#kernel/endpoint.ts'
import { problemTitle } from '#platform/api.web.ts'
import { Badge } from '#platform/ui/Badge.tsx'
import { Button } from '#platform/ui/Button.tsx'
import { SectionHeading } from '#platform/ui/Card.tsx'
import { ConfirmDialog } from '#platform/ui/ConfirmDialog.tsx'
import { LoadFailed } from '#platform/ui/Empty.tsx'
import { Notice } from '#platform/ui/Notice.tsx'
import { SettingRow } from '#platform/ui/SettingRow.tsx'
import { LoadingCards } from '#platform/ui/Skeleton.tsx'
import { useToast } from '#platform/ui/Toast.tsx'
import type { BackupLine, ReadBackups } from '../backup.ts'
import { type Progress, useBackups, useForgetFormer, useGoBack, watchRestore } from '../client.web.ts'
import { RestoreDialog, sizeOf } from './RestoreDialog.tsx'

const moment = (instant: string) => formatMoment(instant, { dateStyle: 'medium', timeStyle: 'short' })

const STEPS: Record<string, string> = {
  stopping: 'Letting requests and jobs finish',
  checking: 'Checking the backup',
  creating: 'Making a new database',
  loading: 'Reading the backup',
  migrating: 'Bringing it up to this version',
  verifying: 'Checking its history',
  erasing: 'Erasing again what was erased since',
  carrying: 'Keeping today’s passwords and members',
  switching: 'Switching over',
  switched: 'Switching over',
  starting: 'Starting again',
}

/** The server's own backups, what restoring one would change, and the way back. */
export function BackupsSection() {
  const backups = useBackups()
  return (
    <section className="mt-6" aria-labelledby="backups">
      <SectionHeading>
        <span id="backups">Backups</span>
      </SectionHeading>
      {backups.isPending && <LoadingCards count={1} label="Loading the backups..." />}
      {backups.isLoadingError && (
        <LoadFailed title="The backups didn’t load" onRetry={() => void backups.refetch()} />
      )}
      {backups.data && <Backups of={backups.data} />}
    </section>
  )
}

function Backups({ of: backups }: { of: OutputOf<typeof ReadBackups> }) {
  const [chosen, setChosen] = useState<BackupLine>()
  const [isRunning, setIsRunning] = useState(false)
  const { is_embedded: isEmbedded, former, last_failure: failure } = backups
  return (
    <>
      {isRunning && <Running onEnd={() => setIsRunning(false)} />}
      {!isRunning && failure && (
        <div className="mb-4">
          <Notice>Nothing was restored: {failure}</Notice>
        </div>
      )}
      <div className="card list">
        {isEmbedded ? (
          <Lines of={backups} isRunning={isRunning} onChoose={setChosen} />
        ) : (
          <p className="px-5 py-4 text-ink-2">
            This server uses an external database. Back it up and restore it with its own tools.
          </p>
        )}
        {former && <FormerLine former={former} isRunning={isRunning} onBegin={() => setIsRunning(true)} />}
      </div>
      {chosen && (
        <RestoreDialog
          backup={chosen}
          onBegin={() => {
            setChosen(undefined)
            setIsRunning(true)
          }}
          onClose={() => setChosen(undefined)}
        />
      )}
    </>
  )
}

function Lines({
  of: { backups, strangers },
  isRunning,
  onChoose,
}: {
  of: OutputOf<typeof ReadBackups>
  isRunning: boolean
  onChoose: (backup: BackupLine) => void
}) {
  return (
    <>
      {backups.length === 0 && (
        <p className="px-5 py-4 text-ink-2">No backup yet. The server makes one every night.</p>
      )}
      {backups.map((backup) => (
        <SettingRow
          key={backup.name}
          title={moment(backup.created_at)}
          line={`${backup.name}, ${sizeOf(backup.bytes)}, ${backup.rows.toLocaleString()} rows`}
        >
          <Badge tone="plain">{backup.is_encrypted ? 'Encrypted' : 'Not encrypted'}</Badge>
          <Button tone="secondary" size="small" disabled={isRunning} onClick={() => onChoose(backup)}>
            Restore<span className="sr-only"> the backup of {moment(backup.created_at)}</span>
          </Button>
        </SettingRow>
      ))}
      {strangers.map((name) => (
        <SettingRow
          key={name}
          title={name}
          line="This server didn’t make this file, or it was changed since. Restore it with the command line."
        />
      ))}
    </>
  )
}

function FormerLine({
  former,
  isRunning,
  onBegin,
}: {
  former: NonNullable<OutputOf<typeof ReadBackups>['former']>
  isRunning: boolean
  onBegin: () => void
}) {
  const toast = useToast()
  const [asked, setAsked] = useState<'back' | 'forget'>()
  const [goBack, forget] = [useGoBack(), useForgetFormer()]
  const onError = (error: unknown) => {
    setAsked(undefined)
    toast.error('Error', problemTitle(error, 'That didn’t work'))
  }
  return (
    <>
      <SettingRow
        title={
          former.backup ? 'The database from before the restore' : 'The database that you went back from'
        }
        line={`Served until ${moment(former.since)}, ${sizeOf(former.bytes)}. It’s deleted on ${moment(former.until)}.`}
      >
        <Button tone="secondary" size="small" disabled={isRunning} onClick={() => setAsked('back')}>
          Go back
        </Button>
        <Button tone="danger-outline" size="small" disabled={isRunning} onClick={() => setAsked('forget')}>
          Delete
        </Button>
      </SettingRow>
      {asked === 'back' && (
        <ConfirmDialog
          title="Go back to this database?"
          text="Nobody can use Tutorlog for a moment, and everybody but you has to sign in again."
          consequence={`What was entered since ${moment(former.since)} is no longer shown. It’s kept for another 7 days.`}
          confirmLabel="Go back"
          busyText="Starting..."
          isBusy={goBack.isPending}
          onConfirm={() =>
            goBack.mutate(undefined, {
              onSuccess: () => {
                setAsked(undefined)
                onBegin()
              },
              onError,
            })
          }
          onCancel={() => setAsked(undefined)}
        />
      )}
      {asked === 'forget' && (
        <ConfirmDialog
          title="Delete this database?"
          text="After that, there’s no way back to it."
          confirmLabel="Delete"
          busyText="Deleting..."
          isBusy={forget.isPending}
          onConfirm={() => forget.mutate(undefined, { onSuccess: () => setAsked(undefined), onError })}
          onCancel={() => setAsked(undefined)}
        />
      )}
    </>
  )
}

/** How far a restore is. Nobody can use the app meanwhile, this page included. */
function Running({ onEnd }: { onEnd: () => void }) {
  const [progress, setProgress] = useState<Progress>({ step: 'stopping', share: 0 })
  const toast = useToast()
  const end = useEffectEvent((failure: string | null) => {
    onEnd()
    if (failure) toast.error('Nothing was restored', failure)
    else toast.success('Done', 'Everybody else has to sign in again.')
  })
  useEffect(() => watchRestore(setProgress, (failure) => end(failure)), [])
  const percent = Math.round(progress.share * 100)
  return (
    <div className="card mb-4 p-5">
      <p role="status" className="font-semibold">
        {STEPS[progress.step] ?? 'Working'}…
      </p>
      <div
        role="progressbar"
        aria-label="Restore"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
        className="mt-3 h-2 overflow-hidden rounded-full bg-sunken"
      >
        <div className="h-full bg-accent" style={{ width: `${percent}%` }} />
      </div>
      <p className="mt-2 text-small text-ink-2">
        Nobody can use Tutorlog meanwhile. Until it switches over, nothing is changed. You can leave this
        page.
      </p>
    </div>
  )
}
