// Text that people typed, next to figures and words of ours in one line.

/** Letters of right-to-left scripts. */
const FROM_THE_RIGHT = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC]/

/** Right-to-left text, isolated from what's around it: otherwise it would reverse the amounts next to it. */
export function isolated(text: string): string {
  return FROM_THE_RIGHT.test(text) ? `\u2068${text}\u2069` : text
}

/** The parts that aren't empty, in one line with commas, each isolated from its neighbors. */
export function inOneLine(parts: readonly (string | null | undefined)[]): string {
  return parts.flatMap((part) => (part ? [isolated(part)] : [])).join(', ')
}
