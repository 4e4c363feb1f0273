import { useEffect, useRef } from 'react'

interface TickBoxProps {
  label: string
  isSet: boolean
  /** Whether only some of what it stands for is set. */
  isSome?: boolean
  onPress: (press: { isRange: boolean }) => void
}

/** A checkbox that selects one row, or all of them. */
export function TickBox({ label, isSet, isSome = false, onPress }: TickBoxProps) {
  const box = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (box.current) box.current.indeterminate = isSome && !isSet
  }, [isSome, isSet])
  return (
    <label className="tick-box grid size-11 cursor-pointer place-items-center select-none">
      <span className="sr-only">{label}</span>
      <input
        ref={box}
        type="checkbox"
        className="size-5 accent-accent"
        checked={isSet}
        onChange={({ nativeEvent }) =>
          onPress({ isRange: nativeEvent instanceof MouseEvent && nativeEvent.shiftKey })
        }
      />
    </label>
  )
}
