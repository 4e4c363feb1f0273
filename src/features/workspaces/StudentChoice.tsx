import { CircleAlert } from 'lucide-react'
import { useId } from 'react'
import { STUDENT_WORDS } from './naming.ts'
import type { Kind } from './workspace.ts'

export interface Person {
  id: string
  name: string
  archived?: boolean
}

interface StudentChoiceProps {
  kind: Kind
  students: Person[]
  /** The ids of the students the member sees. Null means all students, including those added later. */
  value: string[] | null
  onChange: (value: string[] | null) => void
  error?: string
}

/** Lets the owner choose either all of the children or students, or only some of them by name. */
export function StudentChoice({ kind, students, value, onChange, error }: StudentChoiceProps) {
  const name = useId()
  const words = STUDENT_WORDS[kind]
  const offered = students.filter(({ id, archived }) => !archived || value?.includes(id))
  return (
    <fieldset aria-describedby={error ? `${name}-error` : undefined}>
      <legend className="font-semibold">{words.title}</legend>
      <Choice
        type="radio"
        name={name}
        label={words.all}
        checked={value === null}
        onChange={() => onChange(null)}
      />
      <Choice
        type="radio"
        name={name}
        label={`Only some ${words.some}`}
        checked={value !== null}
        onChange={() => onChange(value ?? [])}
      />
      {value !== null && (
        <div className="ml-8">
          {offered.map((one) => (
            <Choice
              key={one.id}
              type="checkbox"
              label={one.name}
              checked={value.includes(one.id)}
              onChange={(isChosen) =>
                onChange(isChosen ? [...value, one.id] : value.filter((id) => id !== one.id))
              }
            />
          ))}
        </div>
      )}
      {error && (
        <p id={`${name}-error`} className="err" role="alert">
          <CircleAlert aria-hidden="true" />
          {error}
        </p>
      )}
    </fieldset>
  )
}

interface ChoiceProps {
  type: 'radio' | 'checkbox'
  name?: string
  label: string
  checked: boolean
  onChange: (isChosen: boolean) => void
}

function Choice({ label, onChange, ...input }: ChoiceProps) {
  return (
    <label className="flex min-h-11 cursor-pointer items-center gap-3">
      <input
        {...input}
        className="size-5 shrink-0 accent-accent"
        onChange={(event) => onChange(event.target.checked)}
      />
      <span className="min-w-0 wrap-anywhere">{label}</span>
    </label>
  )
}
