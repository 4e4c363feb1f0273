// Whether this device has an offline copy. Stored separately from the copy, so that the sign-in pages don't
// have to open the copy's database.

const MARK = 'copy'

export function hasCopy(): boolean {
  return localStorage.getItem(MARK) !== null
}

export function markCopy(isThere: boolean): void {
  if (isThere) localStorage.setItem(MARK, '1')
  else localStorage.removeItem(MARK)
}
