// People's texts beside figures and words of ours, in one line.

/** Letters of the scripts that are read from the right. */
const FROM_THE_RIGHT = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC]/

/** A text closed off from its neighbours where it is read from the right: else it would turn the amounts beside it around. */
export function isolated(text: string): string {
  return FROM_THE_RIGHT.test(text) ? `\u2068${text}\u2069` : text
}

/** The parts that there are, as one line with commas, each kept apart from its neighbours. */
export function inOneLine(parts: readonly (string | null | undefined)[]): string {
  return parts.flatMap((part) => (part ? [isolated(part)] : [])).join(', ')
}
