// A section of the help page.
export interface Question {
  ask: string
  /** Numbered steps, shown above the answer. */
  steps?: readonly string[]
  answer: readonly string[]
}

export interface HelpSection {
  /** The section's anchor, which the app and emails link to. */
  id: string
  heading: string
  questions: readonly Question[]
}
