import { SegmentedChoice } from '#platform/ui/SegmentedChoice.tsx'

export type Measure = 'amount' | 'hours'

interface MeasureChoiceProps {
  measure: Measure
  onChange: (measure: Measure) => void
}

export function MeasureChoice({ measure, onChange }: MeasureChoiceProps) {
  return (
    <SegmentedChoice
      label="Show in charts"
      name="measure"
      value={measure}
      onValueChange={onChange}
      options={[
        { value: 'amount', label: 'Amount' },
        { value: 'hours', label: 'Hours' },
      ]}
    />
  )
}
