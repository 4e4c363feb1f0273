import { useEffect, useState } from 'react'
import { Button } from '#platform/ui/Button.tsx'
import { MESSAGE_MS, PROCESSING_MESSAGES } from './voice-form.ts'

const STROKES = ['M18 10v70', 'M40 10v70', 'M62 10v70', 'M84 10v70', 'M0 56l22 22L106 18']

/** Shown while the server is working. Steps through five messages and draws a tally mark for each. */
export function ProcessingView({ onCancel }: { onCancel: () => void }) {
  const [count, setCount] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setCount((before) => before + 1), MESSAGE_MS)
    return () => clearInterval(timer)
  }, [])
  const step = count % PROCESSING_MESSAGES.length
  return (
    <div className="flex min-h-[calc(100dvh-272px)] flex-col items-center justify-center text-center lg:min-h-80">
      <svg className="tally" width="168" height="136" viewBox="-6 0 116 94" aria-hidden="true">
        {STROKES.map((path, index) => (
          <path key={path} d={path} className={index <= step ? 'inked' : 'open'} />
        ))}
      </svg>
      <p className="disp mt-7 text-[1.375rem]" role="status">
        {PROCESSING_MESSAGES[step]}
      </p>
      <p className="mt-1.5 text-ink-2">This usually takes a few seconds.</p>
      <Button tone="quiet" className="mt-5" onClick={onCancel}>
        Cancel
      </Button>
    </div>
  )
}
