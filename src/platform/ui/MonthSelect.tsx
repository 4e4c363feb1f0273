import { ChevronLeft, ChevronRight } from 'lucide-react'
import { monthLabel } from '#kernel/month.ts'
import { IconButton } from './Button.tsx'
import { SelectField } from './EntryField.tsx'

interface MonthSelectProps {
  /** Months as yyyy-MM, newest first. */
  months: string[]
  month: string
  onChange: (month: string) => void
}

export function MonthSelect({ months, month, onChange }: MonthSelectProps) {
  const at = months.indexOf(month)
  const show = (next: string | undefined) => next && onChange(next)
  return (
    <div className="-mx-2.5 mt-3 flex max-w-md items-end gap-1 lg:m-0 lg:w-[min(22rem,40vw)]">
      <IconButton
        label="Previous month"
        className="mb-[3px] aria-disabled:opacity-40"
        aria-disabled={at === months.length - 1 || undefined}
        onClick={() => show(months[at + 1])}
      >
        <ChevronLeft className="i" aria-hidden="true" />
      </IconButton>
      <div className="only-select flex-1">
        <SelectField label="Month" value={month} onChange={(event) => show(event.target.value)}>
          {months.map((option) => (
            <option key={option} value={option}>
              {monthLabel(option)}
            </option>
          ))}
        </SelectField>
      </div>
      <IconButton
        label="Next month"
        className="mb-[3px] aria-disabled:opacity-40"
        aria-disabled={at === 0 || undefined}
        onClick={() => show(months[at - 1])}
      >
        <ChevronRight className="i" aria-hidden="true" />
      </IconButton>
    </div>
  )
}
