// Decides how many waiting items a phone shows above the month, so that the month's total is visible without
// scrolling.

/** How many rows fit above the month's total on a 390 by 844 pixel screen. */
export const ROOM = 2

/** A kind of waiting item: how many there are, and how many rows each takes up. */
export interface Waiting {
  count: number
  height?: number
}

/**
 * How many items of each kind to show while collapsed, in the order of the kinds. Returns undefined if
 * collapsing would hide at most one item.
 * @param room the number of rows that fit
 */
export function foldedRows(kinds: readonly Waiting[], room = ROOM): number[] | undefined {
  let left = room
  const rows = kinds.map(({ count, height = 1 }) => {
    const shown = Math.min(count, Math.floor(left / height))
    // If an item doesn't fit, don't skip ahead to a smaller one below it.
    left = shown < count ? 0 : left - shown * height
    return shown
  })
  const hidden = kinds.reduce((sum, { count }, at) => sum + count - (rows[at] ?? 0), 0)
  return hidden > 1 ? rows : undefined
}
