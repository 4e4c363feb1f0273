import { useState } from 'react'
import { Button } from '#platform/ui/Button.tsx'
import { Field, TextArea } from '#platform/ui/Field.tsx'
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
  onShow: (text: string | undefined) => void
}

/** Where the lines come from: a file, or pasted text. Says what to do with a file that isn't text. */
export function ImportSource({ text, shown, problem, isReading, onType, onShow }: ImportSourceProps) {
  const [advice, setAdvice] = useState<string>()
  const [candidates, setCandidates] = useState<readonly Candidate[]>([])
  const show = (next: string) => {
    onType(next)
    onShow(next)
  }
  const read = async (file: File | undefined) => {
    if (!file) return
    const found = readTextFile(new Uint8Array(await file.arrayBuffer()))
    setAdvice('advice' in found ? found.advice : undefined)
    setCandidates('candidates' in found ? found.candidates : [])
    if ('text' in found) return show(found.text)
    if ('candidates' in found) onType('')
    onShow(undefined)
  }
  return (
    <div className="card mt-5 grid gap-4 p-5">
      <Field
        label="CSV file"
        help="Each line is one session, with its date, student, tutor, and duration, or one charge, with its date, amount, and reason."
        error={advice}
      >
        {(wiring) => (
          <input
            {...wiring}
            type="file"
            // Workbooks can't be read, but people who choose one are told what to do.
            accept=".csv,.tsv,.txt,.xlsx,.xls,.ods,.numbers,.pdf,text/csv,text/plain"
            className="in"
            onChange={(event) => void read(event.target.files?.[0])}
          />
        )}
      </Field>
      {candidates.length > 0 && (
        <EncodingChoice
          candidates={candidates}
          chosen={candidates.find((candidate) => candidate.text === shown)}
          onChoose={(candidate) => show(candidate.text)}
        />
      )}
      <TextArea
        label="Or paste the lines here"
        rows={5}
        value={text}
        error={problem}
        spellCheck={false}
        onChange={(event) => {
          setAdvice(undefined)
          setCandidates([])
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
    </div>
  )
}
