import { useState } from 'react'
import { formatMoment } from '#kernel/calendar-day.ts'
import type { OutputOf } from '#kernel/endpoint.ts'
import { problemTitle } from '#platform/api.web.ts'
import { Button } from '#platform/ui/Button.tsx'
import { Field, TextArea, TextField } from '#platform/ui/Field.tsx'
import { FormDialog } from '#platform/ui/FormDialog.tsx'
import { Notice } from '#platform/ui/Notice.tsx'
import { type BackupLine, type PreviewRestore, RESTORE_WORD } from '../backup.ts'
import { usePreviewRestore, useRestoreBackup } from '../client.web.ts'

type Preview = OutputOf<typeof PreviewRestore>

const moment = (instant: string) => formatMoment(instant, { dateStyle: 'medium', timeStyle: 'short' })

/** A size as people say it. */
export function sizeOf(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB']
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3))
  return `${(bytes / 1000 ** power).toLocaleString(undefined, { maximumFractionDigits: power > 0 ? 1 : 0 })} ${units[power]}`
}

/**
 * Shows what restoring a backup would change, and begins it. A key that's typed or chosen stays in this dialog: it
 * isn't kept as a draft, and goes only into the calls.
 */
export function RestoreDialog({
  backup,
  onBegin,
  onClose,
}: {
  backup: BackupLine
  onBegin: () => void
  onClose: () => void
}) {
  const [key, setKey] = useState('')
  const [word, setWord] = useState('')
  const [problem, setProblem] = useState<string>()
  const [preview, restore] = [usePreviewRestore(), useRestoreBackup()]
  const choice = { backup: backup.name, ...(backup.is_encrypted && { key }) }
  const onError = (error: unknown) => setProblem(problemTitle(error, 'That didn’t work'))
  const look = () => {
    setProblem(undefined)
    preview.mutate(choice, { onError })
  }
  const begin = () => {
    if (word.trim().toUpperCase() !== RESTORE_WORD) return setProblem(`Type the word ${RESTORE_WORD}.`)
    setProblem(undefined)
    restore.mutate({ ...choice, word: RESTORE_WORD }, { onSuccess: onBegin, onError })
  }
  const { data } = preview
  return (
    <FormDialog
      isAboutAccount
      title="Restore a backup"
      isDirty={key !== '' || word !== ''}
      onClose={onClose}
      problem={problem}
      footer={
        <>
          <Button tone="secondary" onClick={onClose}>
            Cancel
          </Button>
          {data ? (
            <Button
              tone="danger"
              className="flex-1"
              busy={restore.isPending}
              busyText="Starting..."
              onClick={begin}
            >
              Restore
            </Button>
          ) : (
            <Button
              className="flex-1"
              busy={preview.isPending}
              busyText="Reading the backup..."
              onClick={look}
            >
              Show what would change
            </Button>
          )}
        </>
      }
    >
      <p className="text-ink-2">
        {moment(backup.created_at)}, {sizeOf(backup.bytes)}. Nothing happens yet.
      </p>
      {backup.is_encrypted && !data && <KeyFields value={key} onChange={setKey} onProblem={setProblem} />}
      {data && (
        <>
          <Changes of={data} />
          <div className="mt-4">
            <TextField
              label={`Type ${RESTORE_WORD} to confirm`}
              autoComplete="off"
              autoCapitalize="characters"
              spellCheck={false}
              value={word}
              onChange={(event) => setWord(event.target.value)}
            />
          </div>
        </>
      )}
    </FormDialog>
  )
}

function KeyFields({
  value,
  onChange,
  onProblem,
}: {
  value: string
  onChange: (key: string) => void
  onProblem: (text: string | undefined) => void
}) {
  const read = async (file: File | undefined) => {
    if (!file) return
    if (file.size > 20_000) return onProblem('This file is too large for a key.')
    onProblem(undefined)
    onChange(await file.text())
  }
  return (
    <div className="mt-4 grid gap-4">
      <Field label="Key file">
        {(wiring) => (
          <input
            {...wiring}
            type="file"
            className="in py-2.5!"
            onChange={(event) => void read(event.target.files?.[0])}
          />
        )}
      </Field>
      <TextArea
        label="Or paste the key"
        help="It’s used for this restore and kept nowhere."
        autoComplete="off"
        spellCheck={false}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  )
}

const NAMES = { accounts: 'Accounts', sessions: 'Sessions', payments: 'Payments' } as const

/** What is there now and in the backup, and what would be lost. */
function Changes({ of }: { of: Preview }) {
  const { erased_again: erased, newest_entry_at: newest, changes_since: changes, free_bytes: free } = of
  const days = [...new Set(erased.map((at) => formatMoment(at, { dateStyle: 'medium' })))]
  return (
    <>
      <table className="mt-4 w-full text-left tabular-nums">
        <thead className="text-small text-ink-2">
          <tr>
            <th scope="col" className="font-normal">
              <span className="sr-only">What</span>
            </th>
            {['Now', 'In the backup', 'Lost'].map((title) => (
              <th key={title} scope="col" className="py-1 text-right font-normal">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {(['accounts', 'sessions', 'payments'] as const).map((name) => (
            <tr key={name} className="border-t border-line">
              <th scope="row" className="py-2 font-normal">
                {NAMES[name]}
              </th>
              <td className="text-right">{of[name].now.toLocaleString()}</td>
              <td className="text-right">{of[name].then.toLocaleString()}</td>
              <td className={`text-right ${of[name].lost > 0 ? 'font-semibold text-danger' : ''}`}>
                {of[name].lost.toLocaleString()}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <ul className="mt-3 grid list-disc gap-1.5 pl-5 text-ink-2">
        <li>
          {newest
            ? `The newest change in it is from ${moment(newest)}. `
            : 'No session or payment is in it. '}
          {changes === 0
            ? 'Nothing was changed since.'
            : `${changes === 1 ? '1 change' : `${changes.toLocaleString()} changes`} since then will be gone.`}
        </li>
        {erased.length > 0 && (
          <li>
            {erased.length === 1 ? '1 account in it was' : `${erased.length} accounts in it were`} erased
            since ({days.join(', ')}) and will be erased again.
          </li>
        )}
        <li>Passwords, passkeys, members and settings for emails stay as they are today.</li>
        <li>Everybody but you has to sign in again. Emails that were sent aren’t sent again.</li>
        <li>You can go back for 7 days.</li>
      </ul>
      {free !== null && free < of.needed_bytes && (
        <div className="mt-4">
          <Notice>
            There isn’t enough room on the disk: about {sizeOf(of.needed_bytes)} are needed, and{' '}
            {sizeOf(free)} are free.
          </Notice>
        </div>
      )}
    </>
  )
}
