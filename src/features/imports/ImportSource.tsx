import { useState } from 'react'
import { Button } from '#platform/ui/Button.tsx'
import { Field, TextArea } from '#platform/ui/Field.tsx'
import { isCalendar } from './calendar.ts'
import { calendarsInZip, MOST_CALENDAR_BYTES, type NamedCalendar, unfolded } from './calendar-file.ts'
import { CalendarHelp } from './CalendarHelp.tsx'
import { EncodingChoice } from './EncodingChoice.tsx'
import { type Candidate, readTextFile } from './text-file.ts'

interface ImportSourceProps {
  /** What's in the text field. */
  text: string
  /** The text that's previewed; undefined if none is. */
  shown: string | undefined
  problem: string | undefined
  isReading: boolean
  onType: (text: string) => void
  /** Shows a table or a calendar; undefined shows nothing. */
  onShow: (text: string | undefined) => void
}

/** Where the lines come from: a file, or pasted text. Says what to do with a file that isn't text. */
export function ImportSource({ text, shown, problem, isReading, onType, onShow }: ImportSourceProps) {
  const [advice, setAdvice] = useState<string>()
  const [candidates, setCandidates] = useState<readonly Candidate[]>([])
  const [calendars, setCalendars] = useState<readonly NamedCalendar[]>([])
  const isCalendarShown = shown !== undefined && isCalendar(shown)
  const show = (next: string) => {
    // A calendar is too long to type into, and isn't a table.
    if (!isCalendar(next)) onType(next)
    onShow(next)
  }
  const read = async (file: File | undefined) => {
    if (!file) return
    setCalendars([])
    if (file.size > MOST_CALENDAR_BYTES) {
      setAdvice('This file is larger than 60 MB. Export a single calendar, or a shorter time.')
      setCandidates([])
      return onShow(undefined)
    }
    const bytes = new Uint8Array(await file.arrayBuffer())
    const archived = await calendarsInZip(bytes)
    if (archived) {
      setAdvice(undefined)
      setCandidates([])
      setCalendars(archived.length > 1 ? archived : [])
      return onShow(archived.length > 1 ? undefined : archived[0]?.text)
    }
    const found = readTextFile(unfolded(bytes))
    setAdvice('advice' in found ? found.advice : undefined)
    setCandidates('candidates' in found ? found.candidates : [])
    if ('text' in found) return show(found.text)
    if ('candidates' in found) onType('')
    onShow(undefined)
  }
  return (
    <div className="card mt-5 grid gap-4 p-5">
      <Field
        label="CSV file or calendar"
        help="A spreadsheet saved as CSV, with one session or charge per line, or a calendar (.ics)."
        error={advice}
      >
        {(wiring) => (
          <input
            {...wiring}
            type="file"
            // Workbooks can't be read, but people who choose one are told what to do.
            accept=".csv,.tsv,.txt,.ics,.zip,.xlsx,.xls,.ods,.numbers,.pdf,text/csv,text/plain,text/calendar"
            className="in"
            onChange={(event) => void read(event.target.files?.[0])}
          />
        )}
      </Field>
      <CalendarHelp />
      {calendars.length > 0 && (
        <CalendarChoice calendars={calendars} shown={shown} onChoose={({ text: chosen }) => show(chosen)} />
      )}
      {candidates.length > 0 && (
        <EncodingChoice
          candidates={candidates}
          chosen={candidates.find((candidate) => candidate.text === shown)}
          onChoose={(candidate) => show(candidate.text)}
        />
      )}
      {!(isCalendarShown && text === '') && (
        <>
          <TextArea
            label="Or paste the lines here"
            rows={5}
            value={text}
            error={problem}
            spellCheck={false}
            onChange={(event) => {
              setAdvice(undefined)
              setCandidates([])
              setCalendars([])
              onType(event.target.value)
            }}
          />
          <div>
            <Button
              tone={shown === undefined ? 'primary' : 'secondary'}
              className="max-md:w-full"
              busy={isReading}
              busyText="Reading..."
              onClick={() => onShow(text)}
            >
              Preview
            </Button>
          </div>
        </>
      )}
    </div>
  )
}

/** Asks which of an archive's calendars to read. */
function CalendarChoice({
  calendars,
  shown,
  onChoose,
}: {
  calendars: readonly NamedCalendar[]
  shown: string | undefined
  onChoose: (calendar: NamedCalendar) => void
}) {
  return (
    <fieldset className="field">
      <legend className="lab">Which calendar has the lessons?</legend>
      <div className="mt-1.5 grid">
        {calendars.map((calendar, at) => (
          <label key={at} className="flex min-h-11 items-center gap-3 py-1.5">
            <input
              type="radio"
              name="calendar"
              className="size-5 shrink-0 accent-accent"
              checked={calendar.text === shown}
              onChange={() => onChoose(calendar)}
            />
            <bdi className="min-w-0 [overflow-wrap:anywhere]">{calendar.name}</bdi>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
