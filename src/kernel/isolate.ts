// Keeps right-to-left text that someone typed from reordering the rest of the line.

const RIGHT_TO_LEFT = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC]/

/**
 * Wraps right-to-left text in Unicode isolates, so that amounts next to it stay in order. Leaves other text
 * unchanged.
 */
export function isolated(text: string): string {
  return RIGHT_TO_LEFT.test(text) ? `\u2068${text}\u2069` : text
}

/** Joins the parts with commas, and isolates each one from the next. Skips empty parts. */
export function inOneLine(parts: readonly (string | null | undefined)[]): string {
  return parts.flatMap((part) => (part ? [isolated(part)] : [])).join(', ')
}
