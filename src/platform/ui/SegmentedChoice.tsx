interface SegmentedChoiceProps<Value extends string> {
  label: string
  /** The radio group's name. Must be unique on the page. */
  name: string
  value: Value
  onValueChange: (value: Value) => void
  options: readonly { value: Value; label: string }[]
  className?: string
}

/** A choice of two to four short options, as radio buttons. */
export function SegmentedChoice<Value extends string>({
  label,
  name,
  value,
  onValueChange,
  options,
  className = '',
}: SegmentedChoiceProps<Value>) {
  return (
    <fieldset className={`field ${className}`}>
      <legend className="lab mb-1.5">{label}</legend>
      <div className="seg">
        {options.map((option) => (
          <label key={option.value}>
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={value === option.value}
              onChange={() => onValueChange(option.value)}
              className="sr-only"
            />
            {option.label}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
