// What a check found.

export interface Report {
  /** What was checked, one line for each kind. */
  checked: string[]
  /** What's wrong, with its id. */
  problems: string[]
  /** What an export can't prove, and why. */
  notes: string[]
}

/** "1 session", "2 sessions". */
export function counted(count: number, noun: string, nouns = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : nouns}`
}
