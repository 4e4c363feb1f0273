// Keeps right-to-left text that people typed from reordering the rest of the line.

/** Letters of right-to-left scripts. */
const RIGHT_TO_LEFT = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC]/

/**
 * Wraps right-to-left text in Unicode isolates, so that adjacent amounts stay in order. Returns other text
 * unchanged.
 */
export function isolated(text: string): string {
  return RIGHT_TO_LEFT.test(text) ? `\u2068${text}\u2069` : text
}

/** Joins the parts that aren't empty with commas, each isolated from the next. */
export function inOneLine(parts: readonly (string | null | undefined)[]): string {
  return parts.flatMap((part) => (part ? [isolated(part)] : [])).join(', ')
}
