import { SegmentedChoice } from '#platform/ui/SegmentedChoice.tsx'

const WAYS = [
  { value: 'email', label: 'Email' },
  { value: 'link', label: 'Link or QR code' },
] as const

/** How someone is asked: by email, or by a link to hand over. */
export type AskingWay = (typeof WAYS)[number]['value']

interface WayChoiceProps {
  value: AskingWay
  onChange: (value: AskingWay) => void
}

export function WayChoice({ value, onChange }: WayChoiceProps) {
  return (
    <SegmentedChoice label="Ask by" name="ask-by" value={value} onValueChange={onChange} options={WAYS} />
  )
}
