/** The transcript on a result's card. Focusable, so that the keyboard can scroll it. */
export function WhatWasSaid({ text }: { text: string }) {
  return (
    <div
      role="textbox"
      aria-readonly="true"
      aria-multiline="true"
      aria-label="What you said"
      tabIndex={0}
      className="mx-5 mb-3 max-h-48 overflow-y-auto rounded-md bg-sunken px-4 py-3 leading-snug wrap-anywhere"
    >
      “{text}”
    </div>
  )
}
