// How much of what waits for an answer a phone shows above the month, so that its total is on the first screen.

/** How many rows fit above the month's total on a screen of 390 by 844 pixels. */
export const ROOM = 2

/** What waits of one kind: how many there are, and how many rows' room one of them takes. */
export interface Waiting {
  count: number
  height?: number
}

/** How many of each kind are shown before the others are asked for, in the order of the kinds; undefined where folding would hide one at most. @param room in rows */
export function foldedRows(kinds: readonly Waiting[], room = ROOM): number[] | undefined {
  let left = room
  const rows = kinds.map(({ count, height = 1 }) => {
    const shown = Math.min(count, Math.floor(left / height))
    // Whatever is first and doesn't fit is not passed over for something below it.
    left = shown < count ? 0 : left - shown * height
    return shown
  })
  const hidden = kinds.reduce((sum, { count }, at) => sum + count - (rows[at] ?? 0), 0)
  return hidden > 1 ? rows : undefined
}
