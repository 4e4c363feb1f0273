import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import { useMe } from '#features/accounts/client.web.ts'
import { paths } from '#features/site/paths.ts'
import { newId } from '#kernel/id.ts'
import { problemTitle } from '#platform/api.web.ts'
import { Button } from '#platform/ui/Button.tsx'
import { useNavigateFromHere } from '#platform/ui/navigate.web.ts'
import { Notice } from '#platform/ui/Notice.tsx'
import { PageTitle } from '#platform/ui/PageTitle.tsx'
import { LoadingCards } from '#platform/ui/Skeleton.tsx'
import { useToast } from '#platform/ui/Toast.tsx'
import { isCalendar } from './calendar.ts'
import { ANSWERS_DRAFT, CalendarLessons } from './CalendarLessons.tsx'
import { type ImportInput, useImportPreview, useRunImport } from './client.web.ts'
import type { Choices, Preview } from './import.ts'
import { ImportChoices } from './ImportChoices.tsx'
import { ImportLines } from './ImportLines.tsx'
import { ImportSource } from './ImportSource.tsx'

const DRAFT = 'draft:import'
const DEFAULTS: Choices = { skip_existing: true, skip_repeats: false }
/** The same lesson may be in a calendar twice, for example in an invitation. */
const FOR_CALENDARS: Choices = { skip_existing: true, skip_repeats: true }

export default function ImportPage() {
  const isParent = useMe().role === 'parent'
  const navigate = useNavigateFromHere()
  const toast = useToast()
  const run = useRunImport()
  const [text, setText] = useState(() => sessionStorage.getItem(DRAFT) ?? '')
  const [problem, setProblem] = useState<string>()
  const [calendar, setCalendar] = useState<string>()
  /** The table that's previewed. */
  const [shown, setShown] = useState<string>()
  const [choices, setChoices] = useState(DEFAULTS)
  const [idempotencyKey, setIdempotencyKey] = useState(newId)
  const input: ImportInput | undefined = shown === undefined ? undefined : { text: shown, ...choices }
  const preview = useImportPreview(input)

  // Keeps pasted text through a reload or an accidental tap, unless it's too large for the browser's storage.
  useEffect(() => {
    if (text.length < 400_000) sessionStorage.setItem(DRAFT, text)
  }, [text])

  const look = (next: string | undefined) => {
    const isEvents = next !== undefined && isCalendar(next)
    setProblem(next?.trim() === '' ? 'Choose a file or paste its contents' : undefined)
    setChoices(DEFAULTS)
    setCalendar(isEvents ? next : undefined)
    setShown(next?.trim() && !isEvents ? next : undefined)
  }
  const lookAtLessons = (table: string | undefined) => {
    setChoices(FOR_CALENDARS)
    setShown(table)
    setIdempotencyKey(newId())
  }
  const choose = (change: Partial<Choices>) => {
    setChoices({ ...choices, ...change })
    setIdempotencyKey(newId())
  }
  const submit = async () => {
    if (!input) return
    const skipped = preview.data?.refused ?? 0
    try {
      const done = await run.mutateAsync({ input: { ...input, skip_refused: skipped }, idempotencyKey })
      // If lines were skipped, keeps the file here so that the user can correct it. Lines that have already
      // been imported are left out next time.
      if (skipped === 0) for (const draft of [DRAFT, ANSWERS_DRAFT]) sessionStorage.removeItem(draft)
      toast.success(
        `${counted(done)} imported`,
        done.held === 0
          ? undefined
          : `${done.held === 1 ? '1 of them is waiting' : `${done.held} of them are waiting`} under ` +
              `“Same lessons?” because the ${isParent ? 'tutor' : 'family'} logged a lesson that day, too.`,
      )
      const page = done.charges > 0 ? paths.payments : paths.summary
      navigate(done.latest_month ? `${page}?month=${done.latest_month}` : page)
    } catch (error) {
      toast.error('Error', problemTitle(error, 'Failed to import'))
    }
  }
  const failure = preview.error && problemTitle(preview.error, 'This file could not be read')
  const found = preview.data

  return (
    <>
      <PageTitle
        title="Import"
        subtitle={
          <>
            Import sessions or charges from a spreadsheet, or lessons from a calendar. You can review
            everything before it’s saved.{' '}
            <Link className="link" to={paths.summary}>
              Monthly Summary
            </Link>
          </>
        }
      />
      <ImportSource
        text={text}
        shown={calendar ?? shown}
        problem={problem}
        isReading={preview.isFetching}
        onType={setText}
        onShow={look}
      />
      {calendar !== undefined && (
        <CalendarLessons text={calendar} onPreview={lookAtLessons} isPreviewed={shown !== undefined} />
      )}
      {shown !== undefined && preview.isPending && !failure && (
        <div className="mt-5">
          <LoadingCards count={1} label="Reading the lines..." />
        </div>
      )}
      {failure && (
        <div className="mt-5" role="alert">
          <Notice>{failure}</Notice>
        </div>
      )}
      {found && shown !== undefined && !failure && (
        <>
          <ImportChoices
            preview={found}
            isParent={isParent}
            isCalendar={calendar !== undefined}
            choices={choices}
            onChange={choose}
          />
          <ImportLines preview={found} isCalendar={calendar !== undefined} />
          <div className="mt-5 flex flex-wrap items-center gap-3">
            <Button
              className="max-md:w-full lg:px-10"
              busy={run.isPending}
              busyText="Importing..."
              onClick={() => void submit()}
              blockedReason={
                found.sessions + found.charges > 0
                  ? undefined
                  : found.refused > 0
                    ? 'Fix the lines above or choose different columns first.'
                    : 'There is nothing new to import.'
              }
            >
              {importWords(found)}
            </Button>
            {found.sessions + found.charges > 0 && found.refused > 0 && (
              <p className="help">{skippedWords(found)}</p>
            )}
          </div>
        </>
      )}
    </>
  )
}

function importWords(preview: Preview): string {
  const { refused } = preview
  const ready = preview.sessions + preview.charges
  if (refused > 0 && ready > 0)
    return `Skip ${refused === 1 ? '1 line' : `${refused} lines`} and import ${ready}`
  return `Import ${counted(preview)}`
}

/** For example, "1 session" or "3 charges". */
function counted({ sessions, charges }: Pick<Preview, 'sessions' | 'charges'>): string {
  if (charges > 0) return charges === 1 ? '1 charge' : `${charges} charges`
  return sessions === 1 ? '1 session' : `${sessions} sessions`
}

/** The maximum number of line numbers to list in a message. */
const NAMED = 5

function skippedWords({ lines, refused }: Preview): string {
  const named = lines.filter(({ state }) => state === 'refused').slice(0, NAMED)
  const more = refused - named.length
  const which = named.map(({ line }) => line).join(', ')
  return refused === 1
    ? `Line ${which} will be skipped. Fix it above to import everything.`
    : `Lines ${which}${more > 0 ? ` and ${more} more` : ''} will be skipped. Fix them above to import everything.`
}
